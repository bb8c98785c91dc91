package smart

import (
	"context"
	"maps"
	"slices"
	"strings"

	"assay"
)

// Run queries the drive once, and once more with -d sat if smartctl does not
// know the USB bridge. A sleeping disk is not queried and sleeps on, unless
// detecting what is behind a bridge wakes it (see smartctl(8), -n).
func (probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: "smart", Settings: maps.Clone(t.Settings)}
	device := t.Settings["device"]
	if device == "" {
		device = "/dev/" + t.Subject.Name
	}
	argv := []string{"smartctl", "--json=c", "-x"}
	if mode := t.Settings["nocheck"]; mode != "" {
		argv = append(argv, "-n", mode)
	}
	out, err := ask(ctx, &tr, on, t, "measure", slices.Concat(argv, []string{device})...)
	if err != nil || !wantsDeviceType(out) {
		return tr, err
	}
	_, err = ask(ctx, &tr, on, t, "measure-sat", slices.Concat(argv, []string{"-d", "sat", device})...)
	return tr, err
}

func ask(ctx context.Context, tr *assay.Transcript, on assay.Bench, t assay.Trial, step string, argv ...string) (assay.Output, error) {
	timeout := t.Bound
	if timeout == 0 {
		timeout = bound
	}
	out, err := on.Place.Run(ctx, assay.Cmd{Argv: argv, Env: []string{"LC_ALL=C"}, Timeout: timeout})
	tr.Steps = append(tr.Steps, assay.Step{Name: step, Argv: argv, Output: out})
	return out, err
}

// wantsDeviceType reports whether smartctl gave up because it needs -d. With -x
// the advice is printed only as text, so the message about the bridge counts
// too.
func wantsDeviceType(out assay.Output) bool {
	for _, text := range []string{string(out.Stdout), string(out.Stderr)} {
		if strings.Contains(text, "Unknown USB bridge") || strings.Contains(text, "specify device type with the -d") {
			return true
		}
	}
	return false
}
