package fio

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"assay"
)

// name is the probe's name in suites, trials and transcripts.
const name = "fio"

// Names of the steps of a transcript.
const (
	stepMeasure         = "measure"
	stepMeasureDirect   = "measure-direct" // tried with direct I/O, which was refused
	stepPrepare         = "prepare"
	stepPrepareBuffered = "prepare-buffered"
	stepTruncate        = "truncate"
	stepStat            = "stat"
	stepFileSystem      = "file-system"
)

// Probe measures storage with fio. Its zero value is ready to use.
type Probe struct{}

var (
	_ assay.Probe    = (*Probe)(nil)
	_ assay.Preparer = (*Probe)(nil)
	_ assay.Noter    = (*Probe)(nil)
	_ assay.Measurer = (*Probe)(nil)
)

// New returns the probe, which also implements assay.Preparer, assay.Noter and
// assay.Measurer.
func New() assay.Probe { return &Probe{} }

// Spec describes the probe.
func (*Probe) Spec() assay.Spec {
	var metrics []string
	for _, dir := range directionNames {
		for _, m := range []string{
			"iops", "bandwidth", "latency.mean", "latency.stddev", "latency.min", "latency.max",
			"latency.total.mean", "latency.submission.mean", "bytes", "ios", "iops.stddev", "bandwidth.stddev",
			"device.bytes", "device.ios", "device.merges",
		} {
			metrics = append(metrics, "storage."+dir+"."+m)
		}
		for _, p := range percentiles {
			metrics = append(metrics, assay.PercentileMetric("storage."+dir+".", p))
		}
	}
	for _, m := range []string{"mean", "stddev", "min", "max"} {
		metrics = append(metrics, "storage.sync.latency."+m)
	}
	for _, p := range percentiles {
		metrics = append(metrics, assay.PercentileMetric("storage.sync.", p))
	}
	metrics = append(metrics,
		"storage.iodepth.share", "storage.latency_bucket.share", "storage.errors", "tool.duration")
	return assay.Spec{
		Name: name,
		Tools: []assay.Tool{{
			Name:     "fio",
			Least:    "3.0",
			Packages: map[string]string{"apt": "fio", "dnf": "fio", "pacman": "fio", "apk": "fio"},
		}},
		Metrics: metrics,
		Systems: assay.LinuxAndWindows,
	}
}

// Run measures once: one fio command on the scratch file, which must have been
// prepared, or on a device, which is only read. If the file system refuses
// direct I/O, that command is named measure-direct, and the same command
// without direct I/O is the measurement. If fio fails, that is in the
// transcript, and Parse returns the error. on.Enough receives the operations of
// all directions together.
func (*Probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := transcriptOf(t)
	if isUserJob(t) {
		c, err := measureUserJob(t, on)
		if err == nil {
			_, err = carryOut(ctx, &tr, on.Place, stepMeasure, c)
		}
		return tr, err
	}
	seconds := on.Length
	if seconds <= 0 {
		seconds = t.Length
	}
	bound := t.Bound
	if bound <= 0 {
		bound = 2*seconds + time.Minute
	}
	measure := func(t assay.Trial) error {
		argv, err := measureArgv(t, ground(t, on.Scratch), seconds)
		if err != nil {
			return err
		}
		c := assay.Cmd{Argv: argv, Timeout: bound, Limit: printed(seconds), Env: reach(on.Scratch)}
		switch {
		case t.Settings["until"] == untilSteady:
			c.OnStdout = (&follower{tell: whenSteady(seconds)}).heed
		case on.Enough != nil:
			c.OnStdout = (&follower{tell: on.Enough}).heed
		}
		_, err = carryOut(ctx, &tr, on.Place, stepMeasure, c)
		return err
	}
	if err := measure(t); err != nil {
		return tr, err
	}
	tried := &tr.Steps[0]
	if directFlag(told{options: readCommand(tried.Argv).of("")}) != "1" || !refusedDirect(tried) {
		return tr, nil
	}
	tried.Name = stepMeasureDirect
	t.Settings = maps.Clone(t.Settings)
	t.Settings["direct"] = "0"
	return tr, measure(t)
}

// printed returns how much fio may print in that time, in bytes: a document per
// second, which is 100 KB if all bins of its histograms are used.
func printed(length time.Duration) int {
	return assay.OutputLimit + int(min(length, time.Hour)/time.Second)<<18
}

// isRaw reports whether a trial is on a device as it is, which nothing lends and which is
// only ever read.
func isRaw(t assay.Trial) bool {
	return t.Subject.Kind == assay.KindDevice || t.Subject.Kind == assay.KindDrive
}

// ground returns what is measured: the lent space, or a device as it is.
func ground(t assay.Trial, lent assay.Scratch) assay.Scratch {
	if !isRaw(t) {
		return lent
	}
	size, _ := strconv.ParseInt(t.Settings["size"], 10, 64) // if absent, nothing is read, and that is reported
	return assay.Scratch{File: devicePath(t.Subject), Bytes: size}
}

// refusedDirect reports whether fio failed because O_DIRECT was refused.
func refusedDirect(step *assay.Step) bool {
	if step.Output.Exit == 0 {
		return false
	}
	_, err := figuresOf(step)
	return errors.Is(err, errDirect)
}

func transcriptOf(t assay.Trial) assay.Transcript {
	return assay.Transcript{Probe: name, Settings: t.Settings}
}

// runStep runs one command and adds it to the transcript, even if it failed.
func runStep(ctx context.Context, tr *assay.Transcript, at assay.Place, step string, argv []string, bound time.Duration) (assay.Output, error) {
	return carryOut(ctx, tr, at, step, assay.Cmd{Argv: argv, Timeout: bound})
}

// carryOut is runStep for a command whose output is read while it runs.
func carryOut(ctx context.Context, tr *assay.Transcript, at assay.Place, step string, c assay.Cmd) (assay.Output, error) {
	c.Env = append(c.Env, "LC_ALL=C")
	out, err := at.Run(ctx, c)
	argv := c.Argv
	tr.Steps = append(tr.Steps, assay.Step{Name: step, Argv: argv, Output: out})
	host := at.Host().Name
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, assay.ErrNoCommand):
		return out, assay.WithHint("install the package that provides "+argv[0]+" on "+host,
			"%s: %s: %w", host, argv[0], err)
	case errors.Is(err, assay.ErrTimeout):
		return out, assay.WithHint("the storage may be hanging: see dmesg on "+host,
			"%s: %s (%s): %w", host, argv[0], step, err)
	}
	return out, fmt.Errorf("%s: %s (%s): %w", host, argv[0], step, err)
}
