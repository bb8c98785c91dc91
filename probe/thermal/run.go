package thermal

import (
	"context"
	"maps"
	"strconv"
	"time"

	"assay"
	"assay/internal/setting"
)

// Run watches the host through idle, load and cool-down.
func (p probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: "thermal", Settings: maps.Clone(t.Settings)}
	ph, err := phasesOf(setting.Stored(t.Case, t.Settings))
	if err != nil {
		return tr, err
	}
	load := on.Length
	if load <= 0 {
		load = t.Length
	}
	if load <= 0 {
		load = defaultLoad
	}
	argv := append([]string{
		"sh", "-s", "--", p.root,
		hundredths(ph.idle), hundredths(load), hundredths(ph.settle),
		p.interval, strconv.Itoa(ph.threads),
	}, sensorArgs(t.Settings["sensors"])...)

	out, err := on.Place.Run(ctx, assay.Cmd{
		Argv:    argv,
		Env:     []string{"LC_ALL=C"},
		Stdin:   watch,
		Timeout: ph.idle + load + ph.settle + slack,
	})
	tr.Steps = append(tr.Steps, assay.Step{Name: "measure", Argv: argv, Stdin: watch, Output: out})
	return tr, err
}

func hundredths(d time.Duration) string {
	return strconv.FormatInt(d.Milliseconds()/10, 10)
}
