package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
	"assay/plan/suite"
)

// stopped returns a run of a plan in which these slots have ended.
func stopped(p Plan, outcomes map[Slot]assay.Outcome) assay.Run {
	run := assay.Run{ID: "r", Suite: p.Suite, Seed: p.Seed, Budget: p.Budget}
	for i, t := range p.Trials {
		r := assay.Result{Trial: t}
		for n := range t.Repeats + 1 {
			if o := outcomes[Slot{i, n}]; o != "" {
				r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: o})
			}
		}
		run.Results = append(run.Results, r)
	}
	return run
}

// anyPlan draws local trials and links of several lengths, orders and repeats.
func anyPlan(r *rapid.T) Plan {
	p := Plan{Suite: "s", Seed: rapid.Int64().Draw(r, "seed"), Budget: time.Duration(rapid.IntRange(0, 600).Draw(r, "budget")) * time.Second}
	p.Prepare = readying(p.Budget)
	for i := range rapid.IntRange(0, 12).Draw(r, "trials") {
		h, peer := rapid.IntRange(0, 4).Draw(r, "host"), rapid.IntRange(0, 4).Draw(r, "peer")
		t := assay.Trial{
			ID: fmt.Sprint("t", i), Probe: "p", Subject: assay.Subject{ID: host(h), Host: host(h)},
			Repeats: rapid.IntRange(0, 4).Draw(r, "repeats"), Length: time.Duration(rapid.IntRange(0, 5000).Draw(r, "ms")) * time.Millisecond,
			Warmup:   time.Duration(rapid.IntRange(0, 1).Draw(r, "warm-up")) * time.Second,
			Overhead: startup, Order: rapid.SampledFrom([]string{"", "", "first", "last"}).Draw(r, "order"),
			Scratch: rapid.Int64Range(0, 1).Draw(r, "scratch"), Volume: "dir",
		}
		if peer != h && rapid.Bool().Draw(r, "link") {
			t.Peer, t.Subject.Network = host(peer), "storage"
		}
		if t.Peer == "" && rapid.IntRange(0, 3).Draw(r, "joint") == 0 {
			for other := range rapid.IntRange(1, 3).Draw(r, "others") {
				name := host((h + other + 1) % 5)
				t.Others = append(t.Others, assay.Subject{ID: name, Host: name})
			}
		}
		if rapid.IntRange(0, 5).Draw(r, "absent") == 0 {
			t.Absent = &assay.Absence{Word: assay.Unknown, Why: "no tool"}
		}
		p.Trials = append(p.Trials, t)
	}
	p.Schedule = schedule(p.Trials, p.Seed)
	p.Estimate = p.cost()
	return p
}

var outcomes = []assay.Outcome{"", assay.Done, assay.Done, assay.Broke, assay.Interrupted}

// Whatever was planned, and however far the run got: the rest keeps the order
// of the schedule, and has exactly the counted repeats that are not done.
func TestAgainIsWhatIsLeft(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := anyPlan(r)
		ended := map[Slot]assay.Outcome{}
		for _, s := range p.Schedule {
			ended[s] = rapid.SampledFrom(outcomes).Draw(r, "outcome")
		}
		run := stopped(p, ended)
		loseHosts(r, &run)
		left := map[Slot]int{}
		open := map[int]bool{}
		for _, s := range p.Schedule {
			if s.Repeat > 0 && ended[s] != assay.Done {
				left[s], open[s.Trial] = 1, true
			}
		}
		for _, s := range p.Schedule {
			if s.Repeat == 0 && open[s.Trial] {
				left[s] = 1
			}
		}

		got, again, err := Again(run, suite.Suite{Title: "title"}, 0)
		if len(left) == 0 {
			if !errors.Is(err, ErrNothingLeft) || !strings.Contains(err.Error(), "run r") {
				r.Fatalf("nothing is left: %v", err)
			}
			return
		}
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(p.Trials, got.Trials); diff != "" {
			r.Fatalf("other trials than planned: %s", diff)
		}
		at := 0
		for _, s := range got.Schedule {
			if left[s]--; left[s] < 0 {
				r.Fatalf("slot %v is done, or stands there twice", s)
			}
			for at < len(p.Schedule) && p.Schedule[at] != s {
				at++
			}
			if at++; at > len(p.Schedule) {
				r.Fatalf("slot %v is out of order: %v is no part of %v", s, got.Schedule, p.Schedule)
			}
		}
		for s, n := range left {
			if n != 0 {
				r.Fatalf("slot %v is left out", s)
			}
		}
		for i, trial := range p.Trials {
			var want []int
			for n := range trial.Repeats + 1 {
				if s := (Slot{i, n}); ended[s] != "" && slices.Contains(got.Schedule, s) {
					want = append(want, n)
				}
			}
			if !slices.Equal(again[trial.ID], want) {
				r.Fatalf("again %v of %s, want %v", again[trial.ID], trial.ID, want)
			}
		}
		if want := around + p.Course(got.Schedule); got.Estimate != want {
			r.Fatalf("estimate %s, the schedule takes %s", got.Estimate, want)
		}
		if float64(got.Budget) < 1.15*float64(got.Estimate) || got.Budget > max(p.Budget, got.Estimate*115/100+time.Second) {
			r.Fatalf("budget %s for %s, of %s", got.Budget, got.Estimate, p.Budget)
		}
		if got.Prepare != p.Prepare || got.Seed != p.Seed || got.Suite != p.Suite || got.Title != "title" || len(got.Notes) > 0 {
			r.Fatalf("not the plan's: %+v", got)
		}
	})
}

// loseHosts marks trials as the engine does: those without a figure whose host
// went away.
func loseHosts(r *rapid.T, run *assay.Run) {
	gone := host(rapid.IntRange(0, 8).Draw(r, "gone"))
	for i := range run.Results {
		t := &run.Results[i].Trial
		if t.Absent == nil && (t.Subject.Host == gone || t.Peer == gone) && len(run.Results[i].Counted()) == 0 {
			t.Absent = &assay.Absence{Word: assay.Unknown, Gone: gone}
		}
	}
}

// A run that is stopped repeatedly still finishes, and makes no completed
// repeat twice. Between the stops it is stored as JSON.
func TestAgainAndAgain(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := anyPlan(r)
		ended := map[Slot]assay.Outcome{}
		carry := func(part Plan, slots int) {
			for _, s := range part.Schedule[:slots] {
				if s.Repeat > 0 && ended[s] == assay.Done {
					r.Fatalf("%v is made twice", s)
				}
				ended[s] = rapid.SampledFrom(outcomes[1:]).Draw(r, "outcome")
			}
		}
		carry(p, rapid.IntRange(0, len(p.Schedule)).Draw(r, "slots"))
		for turn := 0; ; turn++ {
			if turn > 2000 {
				r.Fatal("it never ends")
			}
			run := stopped(p, ended)
			loseHosts(r, &run)
			raw, err := json.Marshal(run)
			if err != nil {
				r.Fatal(err)
			}
			run = assay.Run{}
			if err := json.Unmarshal(raw, &run); err != nil {
				r.Fatal(err)
			}
			part, again, err := Again(run, suite.Suite{Title: "title"}, 0)
			if err != nil {
				if !errors.Is(err, ErrNothingLeft) {
					r.Fatal(err)
				}
				break
			}
			for i, trial := range p.Trials {
				for _, n := range again[trial.ID] {
					if s := (Slot{i, n}); ended[s] == "" || n > 0 && ended[s] == assay.Done {
						r.Fatalf("repeat %d of %s is to go, and is %q", n, trial.ID, ended[s])
					}
					delete(ended, Slot{i, n})
				}
			}
			for _, s := range part.Schedule {
				if ended[s] != "" {
					r.Fatalf("%v is stored still and is to be made: %s", s, ended[s])
				}
			}
			// At least one slot runs, and the very last one succeeds.
			carry(part, rapid.IntRange(1, len(part.Schedule)).Draw(r, "slots"))
			if last := part.Schedule[len(part.Schedule)-1]; turn > 20 {
				ended[last] = assay.Done
			}
		}
		for _, s := range p.Schedule {
			if s.Repeat > 0 && ended[s] != assay.Done {
				r.Fatalf("nothing is left, and %v is %q", s, ended[s])
			}
		}
	})
}

// four returns a plan of two trials of two repeats of 10 s, one warmed up.
func four() Plan {
	p := Plan{Suite: "s", Seed: 3, Budget: 10 * time.Minute}
	for i := range 2 {
		p.Trials = append(p.Trials, assay.Trial{ID: fmt.Sprint("t", i), Repeats: 2, Length: 10 * time.Second,
			Subject: assay.Subject{ID: "a", Host: "a"}, Warmup: time.Duration(1-i) * time.Second})
	}
	p.Schedule = schedule(p.Trials, p.Seed)
	return p
}

func TestAgainBudget(t *testing.T) {
	p := four()
	for name, c := range map[string]struct {
		elapsed, wish, want time.Duration
		notes               int
	}{
		"what is left of the run's own":    {elapsed: time.Minute, want: 9 * time.Minute},
		"killed: what was made, by plan":   {want: 10*time.Minute - 21*time.Second},
		"used up: the rest and a little":   {elapsed: time.Hour, want: 28 * time.Second}, // 1.15 * (3 + 1 + 2 * 10) s, in whole seconds
		"as somebody wants":                {elapsed: time.Hour, wish: time.Minute, want: time.Minute},
		"less than what is left takes":     {wish: 20 * time.Second, want: 20 * time.Second, notes: 1},
		"just what is left takes, by plan": {wish: 24 * time.Second, want: 24 * time.Second},
	} {
		run := stopped(p, map[Slot]assay.Outcome{{0, 0}: assay.Done, {0, 1}: assay.Done, {1, 1}: assay.Done})
		run.Elapsed = c.elapsed
		got, again, err := Again(run, suite.Suite{Title: "title"}, c.wish)
		if err != nil {
			t.Fatal(err)
		}
		if got.Budget != c.want || len(got.Notes) != c.notes || got.Estimate != 24*time.Second || got.Prepare != 30*time.Second {
			t.Errorf("%s: budget %s, estimate %s, prepare %s, notes %v; want %s", name, got.Budget, got.Estimate, got.Prepare, got.Notes, c.want)
		}
		if diff := cmp.Diff(map[string][]int{"t0": {0}}, again); diff != "" {
			t.Errorf("%s: the warm-up has to go: %s", name, diff)
		}
	}
}

func TestAgainRefuses(t *testing.T) {
	p := four()
	done := map[Slot]assay.Outcome{{0, 0}: assay.Broke} // a warm-up alone is not worth resuming for
	for _, s := range p.Schedule {
		if s.Repeat > 0 {
			done[s] = assay.Done
		}
	}
	_, _, err := Again(stopped(p, done), suite.Suite{Title: "title"}, 0)
	if !errors.Is(err, ErrNothingLeft) || assay.Hint(err) == "" {
		t.Errorf("all is done: %v", err)
	}
	if _, _, err := Again(stopped(p, nil), suite.Suite{Title: "title"}, -time.Second); err == nil || !strings.Contains(err.Error(), "negative") {
		t.Errorf("a negative budget: %v", err)
	}
	run := stopped(p, map[Slot]assay.Outcome{{0, 1}: assay.Done})
	run.Results[0].Trial.Absent = &assay.Absence{Word: assay.Unknown, Why: "no tool"}
	if _, _, err := Again(run, suite.Suite{Title: "title"}, 0); err == nil || !strings.Contains(err.Error(), "t0") {
		t.Errorf("a trial that was not planned and is done: %v", err)
	}
	// Runs of other people have no schedule.
	foreign := assay.Run{ID: "f", Results: []assay.Result{{Trial: assay.Trial{ID: "x", From: "log:3"}, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done}}}}}
	if _, _, err := Again(foreign, suite.Suite{Title: "title"}, 0); !errors.Is(err, ErrNothingLeft) {
		t.Errorf("an import: %v", err)
	}
}

// Make's limit on preparation time applies to resumed runs too.
func TestAgainReadiesAsMakeDoes(t *testing.T) {
	for _, budget := range []time.Duration{time.Second, 10 * time.Second, time.Minute, time.Hour} {
		made := mustMake(t, five(2, 5), Options{Seed: 1, Budget: budget}, probe{name: "p"})
		got, _, err := Again(stopped(made, nil), suite.Suite{Title: "title"}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(made.Schedule, got.Schedule); diff != "" || got.Prepare != made.Prepare || got.Estimate != made.Estimate {
			t.Errorf("of nothing done all is left: prepare %s and %s, estimate %s and %s, %s", made.Prepare, got.Prepare, made.Estimate, got.Estimate, diff)
		}
	}
}
