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

// Parameters of a gate in this part. The repeats are short: a gate depends on
// their number, not their length.
const (
	gateRepeats = 10 // a side
	gateLength  = 300 * time.Millisecond
	gateWorkers = 4 // gates at a time: a short fio mostly waits
	gateSeed    = 1
	gateBytes   = 64 << 20 // per file and device
)

// amount is how many gates to make, and the time after which no more begin: a
// busy machine makes fewer, and the table says how many.
type amount struct {
	gates int
	bound time.Duration
}

// The sizes: the whole takes at most 70 minutes, mostly 40; the small one three.
var (
	wholeAlike, wholeSlowed = amount{200, 50 * time.Minute}, amount{100, 20 * time.Minute}
	smallAlike, smallSlowed = amount{4, 60 * time.Second}, amount{4, 50 * time.Second}
)

// gateWorks makes the repeats of gates: fio through its probe, on this machine.
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

// gateTrial returns a fio trial with a job of depth 1.
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

// turn is one repeat to make: of which trial, for which side.
type turn struct{ side, trial int }

// shuffled returns the repeats of all sides and trials of one gate, in an order
// of its own.
func shuffled(sides, trials int, number uint64) []turn {
	var all []turn
	for range gateRepeats {
		for side := range sides {
			for trial := range trials {
				all = append(all, turn{side, trial})
			}
		}
	}
	order := rand.New(rand.NewPCG(gateSeed, number)) //nolint:gosec // reproducible, not secret
	order.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// interleaved measures the trials on several sides in turn: it calls before with
// the side ahead of each repeat, and returns a run for each side.
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

// gateOf compares one run with another as `assay gate` does. It fails unless
// there are that many figures, all tested: otherwise no gate would ever close.
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

// atOnce does pieces of work with several workers, one piece per worker even if
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

// measureGate measures how often the gate closes if nothing differs, and if
// something is slower by a known share. It writes Markdown of its own.
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

// lentFile makes a worker's file, fully written.
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
