package main

import (
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan"
)

func oneTrial(id string, length time.Duration, outcomes ...assay.Outcome) assay.Run {
	r := assay.Result{Trial: assay.Trial{ID: id, Length: length, Warmup: time.Second, Repeats: 2}}
	for n, o := range outcomes {
		r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: o})
	}
	absent := assay.Result{Trial: assay.Trial{ID: "absent", Repeats: 2, Absent: &assay.Absence{}}}
	return assay.Run{Results: []assay.Result{r, absent}}
}

func TestTally(t *testing.T) {
	got := tallyOf(
		oneTrial("a", 4*time.Second, assay.Done, assay.Done, assay.Done),
		oneTrial("b", 4*time.Second, assay.Done, assay.Broke))
	if got.asked != 6 || got.made != 4 || got.planned != 18*time.Second || got.measured != 10*time.Second {
		t.Errorf("%+v", got)
	}
	if whole, err := got.whole(20); err != nil || whole != 36 {
		t.Errorf("%v s, %v", whole, err)
	}
	if _, err := tallyOf(oneTrial("a", time.Second)).whole(20); err == nil {
		t.Error("a run that measured nothing took some time")
	}
}

func TestWaysRow(t *testing.T) {
	full := func(id string, length time.Duration) tally {
		return tallyOf(oneTrial(id, length, assay.Done, assay.Done, assay.Done))
	}
	r, notes, err := waysRow("rounds", "in a row", way{full("a", 4*time.Second), 10}, way{full("a", 4*time.Second), 40})
	if err != nil || len(notes) > 0 || r.ratio[0] != .25 || r.assay[0] != 10 || r.peer[0] != 40 {
		t.Errorf("%+v, %q, %v", r, notes, err)
	}
	cut := tallyOf(oneTrial("a", 4*time.Second, assay.Interrupted, assay.Done, assay.Done))
	r, notes, err = waysRow("rounds", "in a row", way{cut, 8}, way{full("a", 4*time.Second), 40})
	if err != nil || len(notes) != 1 || !strings.HasPrefix(notes[0], "rounds: repeats not made, for lack of time or CPU: 1 of 3;") || r.assay[0] != 9 {
		t.Errorf("%+v, %q, %v", r, notes, err)
	}
	for why, other := range map[string]tally{
		"was planned only once": full("b", 4*time.Second),
		"cannot be compared":    full("a", 5*time.Second),
		"3 repeats":             {asked: 4},
	} {
		if _, _, err := waysRow("rounds", "in a row", way{full("a", 4*time.Second), 1}, way{other, 1}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
}

// TestBudgetFor checks the budget against the plan made with it.
func TestBudgetFor(t *testing.T) {
	p := plan.Plan{Trials: make([]assay.Trial, 3)}
	for i := range p.Trials {
		p.Trials[i] = assay.Trial{Subject: assay.Subject{Host: "a"}, Length: 30 * time.Second, Overhead: 2 * time.Second}
		p.Schedule = append(p.Schedule, plan.Slot{Trial: i, Repeat: 1})
	}
	p.Trials[2].Subject.Host = "b" // beside the others
	p.Estimate = p.Course(p.Schedule) + 3*time.Second
	budget := budgetFor(p, time.Second)
	if want := 9 * time.Second; budget < time.Duration(float64(want)/planShare) || budget > time.Duration(float64(want)/planShare)+time.Second/10 {
		t.Errorf("%s", budget)
	}
}
