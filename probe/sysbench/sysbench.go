package sysbench

import (
	"context"
	"fmt"
	"strconv"

	"assay"
)

// What a case may ask for.
const (
	kindCPU    = "cpu"
	kindMemory = "memory"
	kindFiles  = "fileio" // read where somebody else ran it
	opRead     = "read"
	opWrite    = "write"
	levelDRAM  = "dram"
	levelCache = "cache"
	allThreads = "all"
)

const (
	stepMeasure = "measure"
	// primeLimit is what published results use: about a millisecond an event on
	// a desktop core.
	primeLimit = "20000"
	// neverReached is more than a terabyte a second moves in twelve days: the
	// time ends the run, not the amount. sysbench knows no suffix above T.
	neverReached = "1000000T"
)

type probe struct{}

var (
	_ assay.Probe    = probe{}
	_ assay.Measurer = probe{}
)

// New returns the probe.
func New() assay.Probe { return probe{} }

// Spec describes the probe.
func (probe) Spec() assay.Spec {
	return assay.Spec{
		Name: "sysbench",
		Tools: []assay.Tool{{Name: "sysbench", Least: "1.0", Packages: map[string]string{
			"apt": "sysbench", "dnf": "sysbench", "pacman": "sysbench", "apk": "sysbench",
		}}},
		Metrics: []string{
			"cpu.events_per_second", "cpu.latency.mean", "cpu.latency.p95",
			"memory.read.bandwidth", "memory.write.bandwidth",
			"storage.read.iops", "storage.read.bandwidth", "storage.write.iops", "storage.write.bandwidth",
			"tool.duration",
		},
	}
}

// Run runs sysbench once, for on.Length in whole seconds, at least one: it
// takes no fractions, and the time budget allows no more.
func (probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: "sysbench", Settings: t.Settings}
	argv, err := command(t.Settings, on.Length.Seconds())
	if err != nil {
		return tr, fmt.Errorf("trial %s: %w", t.ID, err)
	}
	out, err := on.Place.Run(ctx, assay.Cmd{Argv: argv, Env: []string{"LC_ALL=C"}, Timeout: t.Bound})
	step := assay.Step{Name: stepMeasure, Argv: argv, Output: out}
	tr.Steps = append(tr.Steps, step)
	if err != nil {
		return tr, fmt.Errorf("sysbench on %s: %w", on.Place.Host().Name, err)
	}
	if err := failure(step); err != nil {
		return tr, fmt.Errorf("on %s: %w", on.Place.Host().Name, err)
	}
	return tr, nil
}

// reported is from how many seconds on sysbench is asked for a report each second. Its last
// one falls together with its end, where the thread that reports may be cancelled with a
// lock held that the results need: sysbench then hangs (its pull request 406). So it is not
// asked where a few reports would show no more than the result.
const reported = 10

// command is sysbench's command line for the settings of a trial.
func command(set map[string]string, seconds float64) ([]string, error) {
	common := []string{
		"--threads=" + set["threads"],
		"--time=" + strconv.Itoa(max(1, int(seconds))),
	}
	if seconds >= reported {
		common = append(common, "--report-interval=1")
	}
	common = append(common, "run")
	switch set["kind"] {
	case kindCPU:
		return append([]string{"sysbench", "cpu", "--cpu-max-prime=" + primeLimit}, common...), nil
	case kindMemory:
		return append([]string{"sysbench", "memory",
			"--memory-oper=" + set["op"],
			"--memory-access-mode=seq",
			"--memory-scope=local",
			"--memory-block-size=" + set["block"],
			"--memory-total-size=" + neverReached,
		}, common...), nil
	}
	return nil, fmt.Errorf("unknown kind %q", set["kind"])
}
