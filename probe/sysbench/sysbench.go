package sysbench

import (
	"context"
	"fmt"
	"strconv"

	"assay"
)

// The values of a case's settings.
const (
	kindCPU    = "cpu"
	kindMemory = "memory"
	kindFiles  = "fileio" // only parsed, if others ran it
	opRead     = "read"
	opWrite    = "write"
	levelDRAM  = "dram"
	levelCache = "cache"
	allThreads = "all"
)

const (
	stepMeasure = "measure"
	// primeLimit is the limit that published results use: about a millisecond
	// per event on a desktop core.
	primeLimit = "20000"
	// neverReached is more than is moved in twelve days at a terabyte a second:
	// the time ends the run, not the amount. sysbench has no suffix above T.
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

// Run runs sysbench once, for on.Length rounded down to whole seconds, at least
// one: sysbench takes no fractions, and the time budget allows no more.
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

// reported is the shortest run, in seconds, for which sysbench reports every second. The
// last report coincides with the end, when the reporting thread may be cancelled while it
// holds a lock that the results need: sysbench then hangs (its pull request 406). So runs
// whose few reports would show no more than the result have none.
const reported = 10

// command returns sysbench's command line for a trial's settings.
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
