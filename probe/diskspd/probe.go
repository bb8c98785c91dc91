package diskspd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"assay"
)

// name is the probe's name in suites, trials and transcripts, and that of the program.
const name = "diskspd"

// Names of the steps of a transcript.
const (
	stepMeasure = "measure"
	stepPrepare = "prepare"
)

// Probe measures storage with DiskSpd. Its zero value is ready to use.
type Probe struct{}

var (
	_ assay.Probe    = (*Probe)(nil)
	_ assay.Preparer = (*Probe)(nil)
	_ assay.Sizer    = (*Probe)(nil)
	_ assay.Noter    = (*Probe)(nil)
)

// New returns the probe.
func New() assay.Probe { return &Probe{} }

// Spec describes the probe. Random data for each write came with DiskSpd 2.0.20.
func (*Probe) Spec() assay.Spec {
	var metrics []string
	for _, dir := range directions {
		for _, m := range []string{
			"iops", "bandwidth", "latency.mean", "latency.stddev", "latency.min", "latency.max", "bytes", "ios", "iops.stddev",
		} {
			metrics = append(metrics, "storage."+dir+"."+m)
		}
		for _, p := range percentiles {
			metrics = append(metrics, assay.PercentileMetric("storage."+dir+".", p))
		}
	}
	return assay.Spec{
		Name:      name,
		Tools:     []assay.Tool{{Name: name, Least: "2.0.20"}},
		Metrics:   append(metrics, "tool.duration"),
		Systems:   assay.WindowsAlone,
		InsteadOf: "fio",
	}
}

// Run measures once: one command on the scratch file, which must have been prepared. DiskSpd
// counts whole seconds. A failed DiskSpd is in the transcript, and an error of Parse.
func (*Probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: name, Settings: t.Settings}
	length := on.Length
	if length <= 0 {
		length = t.Length
	}
	bound := t.Bound
	if bound <= 0 {
		bound = 2*length + time.Minute
	}
	argv, err := measureArgv(t, on.Scratch, length)
	if err != nil {
		return tr, err
	}
	out, err := on.Place.Run(ctx, assay.Cmd{Argv: argv, Timeout: bound})
	tr.Steps = append(tr.Steps, assay.Step{Name: stepMeasure, Argv: argv, Output: out})
	host := on.Place.Host().Name
	switch {
	case errors.Is(err, assay.ErrNoCommand):
		err = assay.WithHint("put the folder of "+program+" on the system's PATH, and restart the guest agent's service", "%s: %s: %w", host, program, err)
	case errors.Is(err, assay.ErrTimeout):
		err = assay.WithHint("the storage may be hanging: see the event log of "+host, "%s: %s: %w", host, program, err)
	case err != nil:
		err = fmt.Errorf("%s: %s: %w", host, program, err)
	}
	return tr, err
}

// Sized returns a trial that requests a file of the size that an earlier one had.
func (*Probe) Sized(t assay.Trial, was assay.Scratch) assay.Trial {
	t.Settings = maps.Clone(t.Settings)
	t.Settings["size"] = strconv.FormatInt(was.Bytes, 10)
	t.Scratch = was.Bytes
	return t
}
