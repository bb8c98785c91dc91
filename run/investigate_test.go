package run_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/run"
)

// asks returns an engine's Investigate that requests one extra trial, to decide
// about a host.
func asks(length time.Duration, seen *assay.Run) func(assay.Run) ([]assay.Trial, map[string]string) {
	return func(measured assay.Run) ([]assay.Trial, map[string]string) {
		*seen = measured
		t := measured.Results[0].Trial
		t.ID, t.Case, t.Title, t.Decides, t.Repeats, t.Length = "writer/extra@"+t.Subject.ID, "extra", "extra", "host3", 1, length
		return []assay.Trial{t}, map[string]string{"host3": "a cable or a policer"}
	}
}

// Deciding measurements come after the planned ones, are announced with their reason and
// stored like any other; all space lent for them is released.
func TestWhatDecidesIsMeasured(t *testing.T) {
	b := newBench(t)
	var seen assay.Run
	b.investigate = asks(10*time.Millisecond, &seen)
	got, st, err := b.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone {
		t.Fatalf("%s, %v", got.Status, err)
	}
	for _, r := range seen.Results {
		if len(r.Counted()) != 3 {
			t.Errorf("%s had %d repeats when it was asked", r.Trial.ID, len(r.Counted()))
		}
	}
	loaded, err := st.Load(context.Background(), runID)
	if err != nil || len(loaded.Results) != 3 || len(loaded.Results[2].Counted()) != 1 || loaded.Results[2].Trial.Decides != "host3" {
		t.Errorf("%+v, %v", loaded.Results, err)
	}
	if !slices.ContainsFunc(got.Notes, func(n assay.Note) bool {
		return strings.Contains(n.Text, "host3: a cable or a policer? measured to decide: extra")
	}) {
		t.Errorf("%+v", got.Notes)
	}
	more := slices.IndexFunc(b.events, func(e run.Event) bool { return e.Kind == run.EventMore && e.Trial.Case == "extra" })
	begin := slices.IndexFunc(b.events, func(e run.Event) bool { return e.Kind == run.EventBegin && e.Trial.Case == "extra" })
	if more < 0 || begin < more {
		t.Errorf("announced as event %d, begun as %d", more, begin)
	}
	b.expectClean(t, st)
}

// At most a fifth of the budget goes to unplanned measurements.
func TestWhatDecidesIsBounded(t *testing.T) {
	b := newBench(t)
	var seen assay.Run
	b.investigate = asks(b.budget/5, &seen)
	got, st, err := b.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone || len(got.Results) != 2 || len(seen.Results) != 2 {
		t.Errorf("%s, %d results, %v", got.Status, len(got.Results), err)
	}
	b.expectClean(t, st)
}

// A failed measurement decides nothing, and does not fail the run.
func TestWhatDecidesMayFail(t *testing.T) {
	b := newBench(t)
	var seen assay.Run
	b.investigate = asks(10*time.Millisecond, &seen)
	b.probe.behave = func(_ context.Context, n int, _ assay.Bench) error {
		if n == 7 { // after three repeats of two cases
			return errors.New("a firewall")
		}
		return nil
	}
	got, st, err := b.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone || len(got.Results) != 3 {
		t.Errorf("%s, %d results, %v", got.Status, len(got.Results), err)
	}
	b.expectClean(t, st)
}
