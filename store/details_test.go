package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Watches are decoded in parallel: each comes back with its own repeat, and a damaged
// one is named.
func TestEachRepeatHasItsWatch(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	run := many("several")
	n := 0.
	for i := range run.Results {
		for k := range run.Results[i].Repeats {
			n++
			run.Results[i].Repeats[k].Watch.Before.Uptime = n
		}
	}
	must(t, s.Import(ctx, run))
	got := mustLoad(t, s, "several")
	for i, r := range run.Results {
		for k, want := range r.Repeats {
			if is := got.Results[i].Repeats[k]; is.N != want.N || is.Watch.Before.Uptime != want.Watch.Before.Uptime || len(is.Measurements) != len(want.Measurements) {
				t.Errorf("%s repeat %d: got repeat %d, watched at %v, want %v", r.Trial.ID, want.N, is.N, is.Watch.Before.Uptime, want.Watch.Before.Uptime)
			}
		}
	}
	_, err := s.writer.Exec(`UPDATE evidence SET watch = x'00' WHERE trial = 'trial7' AND repeat = 3`)
	must(t, err)
	if _, err := s.Load(ctx, "several"); !errors.Is(err, ErrDamaged) || !strings.Contains(fmt.Sprint(err), "repeat 3 of trial trial7") {
		t.Errorf("a damaged watch: %v", err)
	}
}
