package run_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan"
	"assay/plan/suite"
	"assay/run"
)

// slow is a gauge whose space takes long to fill.
type slow struct{ *gauge }

func (s slow) Prepare(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, assay.Scratch, error) {
	on.Scratch.Bytes = 1 << 20
	if _, err := on.Place.Run(ctx, assay.Cmd{Argv: []string{"sleep", "0.03"}}); err != nil {
		return assay.Transcript{}, on.Scratch, err
	}
	return s.gauge.Prepare(ctx, t, on)
}

// The time to fill the first scratch spaces applies to those still to be filled: at 35 MB/s
// or less a TiB takes longer than the budget, so the third host's is not begun. A note says
// that a tier got less space than planned.
func TestFillingThatTheBudgetHasNoTimeForIsNotBegun(t *testing.T) {
	p := newPool(t)
	st := p.store(t)
	head := assay.Run{ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Seed: 1, Budget: time.Hour, Inventory: p.inv}
	if err := st.Begin(context.Background(), head); err != nil {
		t.Fatal(err)
	}
	made := p.plan(t)
	made.Trials[2].Scratch, made.Prepare, made.Budget = 1<<40, time.Hour, 10*time.Minute
	made.Schedule = []plan.Slot{{Trial: 0, Repeat: 1}, {Trial: 2, Repeat: 1}, {Trial: 1, Repeat: 1}}
	for i := range made.Trials { // one after the other
		made.Trials[i].Claims = []string{"shared/uplink"}
	}
	engine := p.engine(t, st)
	engine.Probes = []assay.Probe{slow{p.probe}}
	got, err := engine.Run(context.Background(), made, head)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 1, 0} {
		if n := len(got.Results[i].Counted()); n != want {
			t.Errorf("%s: %d repeats, want %d", got.Results[i].Trial.ID, n, want)
		}
	}
	if !slices.ContainsFunc(got.Notes, func(n assay.Note) bool {
		return n.ID == "filling" && strings.HasPrefix(n.Text, "longhorn on ann: 1 MiB of 64")
	}) {
		t.Errorf("%+v", got.Notes)
	}
	p.expectClean(t, st)
}

// A repeat slower than planned is not added over and over when it would end after the
// budget: what is announced is made.
func TestWhatIsTooLateIsNotAddedAgainAndAgain(t *testing.T) {
	b := newBench(t)
	b.cases, b.budget, b.length = 1, 3*time.Second, .05
	b.suite = suite.Suite{Repeats: 2, Precision: .001}
	next := spread(60)
	b.probe.figure = func(string) float64 {
		<-time.After(300 * time.Millisecond) // the tool's overhead
		return next()
	}
	got, st, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	more := 0
	for _, ev := range b.events {
		if ev.Kind == run.EventMore {
			more++
		}
	}
	// A busy machine may not even make the two planned repeats.
	if made := max(len(got.Results[0].Counted())-2, 0); more > made+1 {
		t.Errorf("%d repeats were announced, and %d made", more, made)
	}
	b.expectClean(t, st)
}
