package run_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan/suite"
	"assay/run"
)

// spread returns values around 100, alternately that far below and above.
func spread(by float64) func() float64 {
	n := 0
	return func() float64 {
		n++
		if n%2 == 0 {
			return 100 + by
		}
		return 100 - by*float64(n%5+1)/5
	}
}

// Repeats are added only to the figure that is not known precisely, until it
// is; each is announced, and no other trial is repeated.
func TestRepeatsAreAddedWhereTheIntervalIsWidest(t *testing.T) {
	b := newBench(t)
	b.budget = time.Hour
	b.suite = suite.Suite{Repeats: 6, Precision: .02}
	wild := 0
	b.probe.figure = func(name string) float64 {
		if name != "case1" {
			return 100
		}
		// Two of the first six are far off: with 6 in all, the interval
		// includes them; later it does not.
		if wild++; wild == 2 || wild == 5 {
			return 90 + 20*float64(wild%2)
		}
		return 100
	}
	got, st, err := b.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone {
		t.Fatalf("%s, %v", got.Status, err)
	}
	if calm := len(got.Results[0].Counted()); calm != 6 {
		t.Errorf("a figure that was known has %d repeats, want 6", calm)
	}
	// Of 8 the interval is the 2nd to the 7th, of 9 too: twice in a row.
	if n := len(got.Results[1].Counted()); n != 10 && n != 9 {
		t.Errorf("the other has %d repeats, want as many as it takes: 9 or 10", n)
	}
	more, of := 0, 0
	for _, ev := range b.events {
		if ev.Kind == run.EventMore {
			more++
			if ev.Trial.Case != "case1" || ev.Repeat != 6+more {
				t.Errorf("added: repeat %d of %s", ev.Repeat, ev.Trial.Case)
			}
		}
		of = ev.Of
	}
	if more != len(got.Results[1].Counted())-6 || of != 12+more {
		t.Errorf("%d were announced, and the schedule has %d", more, of)
	}
	loaded, err := st.Load(context.Background(), runID)
	if err != nil || len(loaded.Results[1].Counted()) != 6+more {
		t.Errorf("the store has %d of them, %v", len(loaded.Results[1].Counted()), err)
	}
	b.expectClean(t, st)
}

// A figure out of reach is not pursued forever: the budget is hard, and
// hopeless figures cost little of it.
func TestHopelessFiguresAreLeftAlone(t *testing.T) {
	b := newBench(t)
	b.cases, b.budget, b.length = 1, 10*time.Minute, .3
	b.suite = suite.Suite{Repeats: 6, Precision: .001}
	next := spread(60)
	b.probe.figure = func(string) float64 { return next() }
	began := time.Now()
	got, _, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Results[0].Counted()); n != 6 || time.Since(began) > b.budget {
		t.Errorf("%d repeats in %s, want the six that were planned", n, time.Since(began))
	}
}

func TestNothingIsAddedToWhatFails(t *testing.T) {
	b := newBench(t)
	b.cases, b.budget = 1, time.Hour // room for the repeats, however slow this machine
	b.suite = suite.Suite{Repeats: 6, Precision: .02}
	next := spread(20)
	b.probe.figure = func(string) float64 { return next() }
	b.probe.behave = func(_ context.Context, n int, _ assay.Bench) error {
		if n > 6 {
			return assay.WithHint("mend it", "the tool died")
		}
		return nil
	}
	got, _, err := b.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunPartial {
		t.Fatalf("%s, %v", got.Status, err)
	}
	if made := len(got.Results[0].Repeats); made != 8 {
		t.Errorf("%d repeats, want two that failed and no third", made)
	}
}

// A repeat that is long enough to be watched ends when it has enough; a short
// one, a warm-up, and one of a trial without precision are not watched.
func TestRepeatsEndWhenTheirMeanIsKnown(t *testing.T) {
	b := newBench(t)
	b.cases, b.length, b.warmup, b.budget = 1, 600, 1, 2*time.Hour
	b.suite = suite.Suite{Repeats: 6, Precision: .02}
	ends, unwatched := 0, 0
	b.probe.behave = func(_ context.Context, _ int, on assay.Bench) error {
		if on.Enough == nil {
			unwatched++
			return nil
		}
		for i := range 600 {
			if on.Enough(assay.Sample{At: float64(i), Value: 100 + float64(i*7919%13)}) {
				if i < 119 || i > 400 {
					t.Errorf("enough after %d samples", i+1)
				}
				ends++
				return nil
			}
		}
		return nil
	}
	got, _, err := b.carry(context.Background(), t)
	if err != nil || ends != 6 || unwatched != 1 {
		t.Errorf("%d of %d repeats were ended, %d not watched, %v", ends, len(got.Results[0].Counted()), unwatched, err)
	}
}

func TestInterruptedWhileRepeatsAreAdded(t *testing.T) {
	b := newBench(t)
	b.cases, b.budget = 1, time.Hour
	b.suite = suite.Suite{Repeats: 6, Precision: .02}
	next := spread(20)
	b.probe.figure = func(string) float64 { return next() }
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.probe.behave = func(_ context.Context, n int, _ assay.Bench) error {
		if n == 7 {
			cancel()
		}
		return nil
	}
	got, st, _ := b.carry(ctx, t)
	if got.Status != assay.RunInterrupted || len(got.Results[0].Counted()) != 6 {
		t.Errorf("%s with %d repeats", got.Status, len(got.Results[0].Counted()))
	}
	for _, n := range got.Notes {
		if strings.Contains(n.Text, "more repeats were made") {
			t.Errorf("note %q", n.Text)
		}
	}
	b.expectClean(t, st)
}
