package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"time"

	"assay"
	comparison "assay/compare"
	"assay/compare/gate"
	"assay/internal/marked"
	"assay/place/local"
	"assay/probe/fio"
)

// What a gate of this part is made of. The repeats are short: it is their
// number, and not their length, that the gate goes by.
const (
	gateRepeats = 10 // a side
	gateLength  = 300 * time.Millisecond
	gateWorkers = 4 // gates at a time: most of what a short fio takes is waiting
	gateSeed    = 1
	gateBytes   = 64 << 20 // of each file and device
)

// amount is how many gates there are to be, and the time after which no more are
// begun: on a busy machine there are fewer, and the table says how many.
type amount struct {
	gates int
	bound time.Duration
}

// The sizes: the whole takes 70 minutes at most, mostly 40; the small one three.
var (
	wholeAlike, wholeSlowed = amount{200, 50 * time.Minute}, amount{100, 20 * time.Minute}
	smallAlike, smallSlowed = amount{4, 60 * time.Second}, amount{4, 50 * time.Second}
)

// gateWorks makes the repeats of gates: fio through its probe, here.
type gateWorks struct {
	place assay.Place
	probe assay.Probe
}

// repeat measures a trial once.
func (g gateWorks) repeat(ctx context.Context, t assay.Trial, on assay.Scratch) (assay.Repeat, error) {
	rep := assay.Repeat{Started: time.Now(), Outcome: assay.Done}
	var err error
	if rep.Transcript, err = g.probe.Run(ctx, t, assay.Bench{Place: g.place, Scratch: on, Length: t.Length}); err != nil {
		return rep, err
	}
	rep.Elapsed = time.Since(rep.Started)
	rep.Measurements, err = g.probe.Parse(rep.Transcript)
	return rep, err
}

// gateTrial is a trial of fio with a job of depth 1.
func gateTrial(name string, s assay.Subject, set map[string]string) assay.Trial {
	settings := map[string]string{"engine": "psync", "iodepth": "1", "numjobs": "1", "direct": "1", "sync": "0", "size": strconv.Itoa(gateBytes)}
	for key, value := range set {
		settings[key] = value
	}
	return assay.Trial{
		ID: "fio/" + name + "@" + s.ID, Probe: "fio", Case: name, Title: name, Subject: s, Settings: settings,
		Risk: assay.Writes, Scratch: gateBytes, Repeats: gateRepeats, Length: gateLength, Bound: time.Minute,
	}
}

// turn is one repeat to make: which trial, for which side.
type turn struct{ side, trial int }

// shuffled returns the repeats of all sides and trials of one gate in an order of
// its own.
func shuffled(sides, trials int, number uint64) []turn {
	var all []turn
	for range gateRepeats {
		for side := range sides {
			for trial := range trials {
				all = append(all, turn{side, trial})
			}
		}
	}
	order := rand.New(rand.NewPCG(gateSeed, number)) //nolint:gosec // to be drawn again, not to be secret
	order.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// interleaved measures the trials on some sides in turn: before is called before
// each repeat with its side, and a run for each side comes back.
func (g gateWorks) interleaved(ctx context.Context, trials []assay.Trial, on assay.Scratch, sides int, number uint64, before func(side int) error) ([]assay.Run, error) {
	runs := make([]assay.Run, sides)
	for i := range runs {
		runs[i] = assay.Run{ID: fmt.Sprintf("side-%d", i), Status: assay.RunDone, Seed: int64(number)}
		for _, t := range trials {
			runs[i].Results = append(runs[i].Results, assay.Result{Trial: t, Scratch: on})
		}
	}
	for _, now := range shuffled(sides, len(trials), number) {
		if err := before(now.side); err != nil {
			return nil, err
		}
		rep, err := g.repeat(ctx, trials[now.trial], on)
		if err != nil {
			return nil, err
		}
		result := &runs[now.side].Results[now.trial]
		rep.N = len(result.Repeats) + 1
		result.Repeats = append(result.Repeats, rep)
	}
	return runs, nil
}

// gateOf holds one run against another as `assay gate` does. That it has so many
// figures, all tested, is part of the measurement: else nothing would ever close.
func gateOf(base, other assay.Run, limit float64, figures int) (gate.Gate, error) {
	column := func(run *assay.Run) comparison.Column {
		c := comparison.Column{Name: run.ID}
		for i := range run.Results {
			c.Picks = append(c.Picks, comparison.Pick{Run: run, Result: &run.Results[i]})
		}
		return c
	}
	g := gate.Judge(comparison.Compare([]comparison.Column{column(&base), column(&other)}, comparison.Options{}), gate.Limits{All: limit})
	if g.Tests != figures || len(g.Figures) != figures {
		return g, fmt.Errorf("%d of %d figures were tested, where there are %d", g.Tests, len(g.Figures), figures)
	}
	return g, nil
}

// atOnce does pieces of work with several workers, one piece a worker even where
// there is no time; the first error ends all.
func atOnce(ctx context.Context, a amount, workers int, do func(ctx context.Context, worker, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			for i := range next {
				if err := do(ctx, worker, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	began := time.Now()
	for i := range a.gates {
		if i >= workers && time.Since(began) > a.bound {
			break
		}
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	wait.Wait()
	return context.Cause(ctx)
}

// measureGate measures how often the gate closes where nothing differs, and where
// something is slower by a known share. What it finds is Markdown of its own.
func measureGate(ctx context.Context, w wish, dir string, say func(string)) ([]row, []string, error) {
	alikes, slows := wholeAlike, wholeSlowed
	if w.short || w.only == "" {
		alikes, slows = smallAlike, smallSlowed
	}
	works := gateWorks{place: local.New("here", ""), probe: fio.New()}
	began := time.Now()
	alike, err := works.alike(ctx, dir, alikes, say)
	if err != nil {
		return nil, nil, fmt.Errorf("equal sides: %w", err)
	}
	slowed, err := works.slowed(ctx, dir, slows, say)
	var missing *cannotThrottle
	if err != nil && !errors.As(err, &missing) {
		return nil, nil, fmt.Errorf("slowed sides: %w", err)
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	text := gateMarkdown(append(alike, slowed...), time.Since(began))
	if missing != nil {
		text += "\nSlowed sides were not measured: " + missing.Error() + ".\n"
	}
	fmt.Print(text)
	if w.document == "" {
		return nil, nil, nil
	}
	return nil, nil, marked.Write(w.document, "bench gate", text)
}

// lentFile makes a worker's file, written full.
func (g gateWorks) lentFile(ctx context.Context, t assay.Trial, dir, file string) (assay.Scratch, error) {
	lent := assay.Scratch{Dir: dir, File: file, Bytes: gateBytes}
	preparer, ok := g.probe.(assay.Preparer)
	if !ok {
		return lent, fmt.Errorf("probe %s prepares nothing", t.Probe)
	}
	_, ready, err := preparer.Prepare(ctx, t, assay.Bench{Place: g.place, Scratch: lent, Length: time.Minute})
	if err != nil {
		return ready, errors.Join(err, os.Remove(file))
	}
	return ready, nil
}
