package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"assay"
	"assay/inventory"
	"assay/place/local"
	"assay/plan/suite"
	"assay/probe/fio"
	"assay/run/watch"
	"assay/stats"
)

// The measured case: of all cases it needs the most CPU, which assay could take
// from it. The file is small, since it makes no difference here where the
// blocks come from.
const (
	storageCase  = "randread-4k"
	storageBytes = "256MiB"
	storageIOPS  = "storage.read.iops"
	pairsBound   = 65 * time.Second // for all pairs together
)

// storage is one prepared scratch file and both ways of reading it.
type storage struct {
	place   assay.Place
	probe   assay.Probe
	watcher *watch.Watcher
	trial   assay.Trial
	scratch assay.Scratch
	bare    []string // fio's command line without assay's own options
}

// reading is one measurement with either way, in base units.
type reading struct {
	iops   float64
	fioCPU float64 // user and system time of fio, s
	ownCPU float64 // of the caller and its other children, s
	beside float64 // elapsed time outside fio, s
}

// openStorage prepares a file in dir as an assay run does.
func openStorage(ctx context.Context, dir string, seconds time.Duration) (*storage, error) {
	s := &storage{place: local.New("here", ""), probe: fio.New()}
	inv, err := inventory.Gather(ctx, []assay.Place{s.place}, []string{dir}, []string{"fio"})
	if err != nil {
		return nil, err
	}
	s.watcher = watch.New(s.place, inv.Facts["here"])
	if s.trial, err = storageTrial(inv, s.probe); err != nil {
		return nil, err
	}
	s.trial.Length = seconds
	s.trial.Bound = 2*seconds + 10*time.Second
	lent := assay.Scratch{Dir: dir, File: filepath.Join(dir, "data"), Bytes: s.trial.Scratch}
	preparer, ok := s.probe.(assay.Preparer)
	if !ok {
		return nil, fmt.Errorf("probe %s prepares nothing", s.trial.Probe)
	}
	_, s.scratch, err = preparer.Prepare(ctx, s.trial, assay.Bench{Place: s.place, Scratch: lent, Length: 15 * time.Second})
	return s, err
}

// storageTrial returns the baseline's trial, on a small file.
func storageTrial(inv assay.Inventory, p assay.Probe) (assay.Trial, error) {
	baseline, err := suite.Load("baseline")
	if err != nil {
		return assay.Trial{}, err
	}
	for _, c := range baseline.Cases {
		if c.Name != storageCase {
			continue
		}
		c.Set["size"] = storageBytes
		trials, err := p.Trials(inv, c)
		if err != nil {
			return assay.Trial{}, err
		}
		if len(trials) != 1 {
			return assay.Trial{}, fmt.Errorf("%s makes %d trials of one directory", storageCase, len(trials))
		}
		if a := trials[0].Absent; a != nil {
			return assay.Trial{}, assay.WithHint(a.Hint, "%s: %s: %s", storageCase, a.Word, a.Why)
		}
		return trials[0], nil
	}
	return assay.Trial{}, fmt.Errorf("suite %s has no case %s", baseline.Name, storageCase)
}

// throughAssay measures as the engine does: the probe with the watch running,
// then the parser.
func (s *storage) throughAssay(ctx context.Context) (reading, error) {
	cpu, began := cpuTime(), time.Now()
	watching, err := s.watcher.Begin(ctx)
	if err != nil {
		return reading{}, err
	}
	tr, runErr := s.probe.Run(ctx, s.trial, assay.Bench{Place: s.place, Scratch: s.scratch, Length: s.trial.Length})
	if _, err = watching.End(ctx); runErr != nil || err != nil {
		return reading{}, errors.Join(runErr, err)
	}
	measured, err := s.probe.Parse(tr)
	if err != nil {
		return reading{}, err
	}
	var r reading
	for _, m := range measured {
		if m.Metric == storageIOPS {
			r.iops += m.Value
		}
	}
	step := tr.Steps[0]
	s.bare = bareArgv(step.Argv)
	r.fioCPU = step.Output.CPU.Seconds()
	r.ownCPU = cpuTime() - cpu - r.fioCPU
	r.beside = (time.Since(began) - step.Output.Elapsed).Seconds()
	return r, r.check()
}

// alone measures with fio only.
func (s *storage) alone(ctx context.Context) (reading, error) {
	cpu := cpuTime()
	out, err := execute(ctx, s.bare)
	if err != nil {
		return reading{}, err
	}
	r := reading{fioCPU: out.cpu}
	if r.iops, err = readIOPS(out.stdout); err != nil {
		return reading{}, fmt.Errorf("%s: %w", s.bare[0], err)
	}
	r.ownCPU = cpuTime() - cpu - r.fioCPU
	return r, r.check()
}

func (r reading) check() error {
	if !(r.iops > 0) || !(r.fioCPU > 0) {
		return fmt.Errorf("fio gave %v IOPS with %v s of CPU time", r.iops, r.fioCPU)
	}
	return nil
}

// measureStorage measures both ways in a number of pairs, and alternates which
// goes first; the first pair is not counted. On a busy machine, where fio is
// slow to start and stop, there are fewer pairs, but enough for an interval.
func measureStorage(ctx context.Context, dir string, pairs int, seconds time.Duration, say func(string)) ([]row, []string, error) {
	say("fio: preparing " + storageBytes)
	s, err := openStorage(ctx, dir, seconds)
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(s.scratch.File)
	var through, alone []reading
	began := time.Now()
	for pair := range pairs + 1 {
		if len(alone) >= stats.LeastForInterval && time.Since(began) > pairsBound {
			break
		}
		say(fmt.Sprintf("fio: pair %d of %d", pair, pairs))
		a, b, err := s.pair(ctx, pair%2 == 1)
		if err != nil {
			return nil, nil, err
		}
		if pair > 0 {
			through, alone = append(through, a), append(alone, b)
		}
	}
	return storageRows(through, alone, seconds.Seconds())
}

// pair measures both ways once. The very first pair starts with assay, since
// the bare command line is taken from what assay actually ran.
func (s *storage) pair(ctx context.Context, bareFirst bool) (through, alone reading, err error) {
	if bareFirst {
		if alone, err = s.alone(ctx); err != nil {
			return through, alone, err
		}
	}
	if through, err = s.throughAssay(ctx); err != nil || bareFirst {
		return through, alone, err
	}
	alone, err = s.alone(ctx)
	return through, alone, err
}

// storageRows compares the readings of pairs that each measured for this many
// seconds.
func storageRows(through, alone []reading, seconds float64) ([]row, []string, error) {
	of := func(all []reading, f func(reading) float64) []float64 {
		var out []float64
		for _, r := range all {
			out = append(out, f(r))
		}
		return out
	}
	iops := func(r reading) float64 { return r.iops }
	perOperation := func(r reading) float64 { return r.fioCPU / (r.iops * seconds) }
	ownShare := func(r reading) float64 { return max(r.ownCPU, 0) / seconds }
	speed, err := compare("4 KiB random reads (fio)", "fio alone", assay.PerSecond, of(through, iops), of(alone, iops), likeTheBareTool)
	if err != nil {
		return nil, nil, err
	}
	cost, err := compare("fio's CPU time for each", "fio alone", assay.Seconds, of(through, perOperation), of(alone, perOperation), likeTheBareTool)
	if err != nil {
		return nil, nil, err
	}
	own := row{
		what: "CPU time beside fio, a measured second", against: "starting it", unit: assay.Seconds,
		assay: of(through, ownShare), peer: of(alone, ownShare),
	}
	beside := row{
		what: "time beside fio, a repeat", unit: assay.Seconds,
		assay: of(through, func(r reading) float64 { return r.beside }),
	}
	note := fmt.Sprintf("fio alone scatters by %.1f %% here (coefficient of variation of its %d readings of %g s)",
		100*stats.CoV(of(alone, iops)), len(alone), seconds)
	return []row{speed, cost, own, beside}, []string{note}, nil
}
