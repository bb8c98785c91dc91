package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay"
	"assay/plan/suite"
	precise "assay/stats/precision"
)

// ErrNothingLeft means that a run has everything that was planned.
var ErrNothingLeft = errors.New("nothing is left to measure")

// spare is the margin of the remaining budget over its planned cost: a run that
// was cut short was often slower than planned.
const spare = .15

// Again plans the rest of a run: the slots of its own schedule, in order, whose
// repeat is not done. Trials with repeats left are warmed up again, since their
// scratch space is new. again lists, by trial, the repeats that the run has and
// the plan redoes: they must be removed first.
//
// run is the run as stored, or as the engine returned it: its trials, in the
// order and with the lengths of the plan, and the outcomes of its repeats. A
// trial whose host went away during the run (Absent.Gone) was planned, and counts
// as such; one that is absent for any other reason was not. Only the suite's
// title is used: the suite may have changed since.
//
// Trials keep their lengths, repeats and scratch spaces, so that figures from
// before and after measure the same thing; budget therefore drops repeats and
// does not shorten them. It counts from when the run resumes. 0 means what is
// left of the run's own budget, but at least a little more than the rest costs.
//
// It fails with ErrNothingLeft if all repeats are done, unless a budget is given
// and a figure is less precise than wanted: then repeats are added.
func Again(run assay.Run, s suite.Suite, budget time.Duration) (p Plan, again map[string][]int, err error) {
	if budget < 0 {
		return Plan{}, nil, fmt.Errorf("time budget %s: cannot be negative", budget)
	}
	p = Plan{Suite: run.Suite, Title: s.Title, Seed: run.Seed, Prepare: readying(run.Budget)}
	for _, r := range run.Results {
		t, err := asPlanned(r)
		if err != nil {
			return Plan{}, nil, fmt.Errorf("run %s: %w", run.ID, err)
		}
		p.Trials = append(p.Trials, t)
	}
	whole, stored := schedule(p.Trials, run.Seed), storedSlots(run)
	p.Precision = wanted(p.Trials)
	open := openFigures(run)
	if p.Schedule = notDone(whole, stored); len(p.Schedule) == 0 && (len(open) == 0 || budget == 0 && run.Status != assay.RunInterrupted) {
		hint := "show it with: assay report " + run.ID
		if len(open) > 0 {
			hint += "; not all of its figures have converged: add repeats with --time-budget 10m"
		}
		return Plan{}, nil, assay.WithHint(hint, "run %s: %w", run.ID, ErrNothingLeft)
	}
	p.Schedule = append(warmups(p.Trials, open, p.Schedule), p.Schedule...)
	again = map[string][]int{}
	for _, slot := range p.Schedule {
		if _, there := stored[slot]; there {
			id := p.Trials[slot.Trial].ID
			again[id] = append(again[id], slot.Repeat)
		}
	}
	for slot, outcome := range stored {
		// Added repeats are added again if they are still wanted.
		if t := p.Trials[slot.Trial]; slot.Repeat > t.Repeats && outcome != assay.Done {
			again[t.ID] = append(again[t.ID], slot.Repeat)
		}
	}
	p.Estimate = around + p.Course(p.Schedule)
	p.Budget = cmp.Or(budget, max(run.Budget-p.spent(run, whole, stored), enough(p.Estimate)))
	if p.Budget < p.Estimate {
		p.Notes = append(p.Notes, assay.Note{ID: "budget", Text: fmt.Sprintf(
			"%s is too short for what is left, which takes about %s; trials that do not fit are left out",
			p.Budget, p.Estimate.Round(time.Second))})
	}
	return p, again, nil
}

// wanted returns the precision that a run's trials were planned with.
func wanted(trials []assay.Trial) float64 {
	most := 0.
	for _, t := range trials {
		most = max(most, t.Precision)
	}
	return most
}

// openFigures returns the trials whose figure is less precise than wanted: more
// repeats may be added to them.
func openFigures(run assay.Run) []int {
	var all []int
	for i, r := range run.Results {
		if s, ok := precise.Of(r); ok && !s.Met && len(r.Counted()) > 0 {
			all = append(all, i)
		}
	}
	return all
}

// warmups returns the warm-ups of trials that are not in the schedule but may
// still get repeats.
func warmups(trials []assay.Trial, open []int, schedule []Slot) []Slot {
	var all []Slot
	for _, i := range open {
		there := slices.ContainsFunc(schedule, func(s Slot) bool { return s.Trial == i })
		if trials[i].Warmup > 0 && !there {
			all = append(all, Slot{Trial: i})
		}
	}
	return all
}

// asPlanned returns a result's trial as the plan had it.
func asPlanned(r assay.Result) (assay.Trial, error) {
	t := r.Trial
	switch {
	case t.Absent == nil:
	case t.Absent.Gone != "":
		t.Absent = nil
	case len(r.Repeats) > 0:
		return t, fmt.Errorf("trial %s is absent (%s) but has repeats: cannot determine its order", t.ID, t.Absent.Why)
	}
	return t, nil
}

// storedSlots returns the outcome of each repeat that the run has.
func storedSlots(run assay.Run) map[Slot]assay.Outcome {
	all := map[Slot]assay.Outcome{}
	for i, r := range run.Results {
		for _, rep := range r.Repeats {
			all[Slot{i, rep.N}] = rep.Outcome
		}
	}
	return all
}

// notDone returns the slots whose repeat is not done, with the warm-ups of their
// trials.
func notDone(slots []Slot, stored map[Slot]assay.Outcome) []Slot {
	open := map[int]bool{}
	for _, s := range slots {
		if s.Repeat > 0 && stored[s] != assay.Done {
			open[s.Trial] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(slots), func(s Slot) bool {
		return !open[s.Trial] || s.Repeat > 0 && stored[s] == assay.Done
	})
}

// spent returns how much of its budget the run has used. A killed run did not
// record that, and may have begun days ago: then the planned cost of its
// repeats counts.
func (p *Plan) spent(run assay.Run, whole []Slot, stored map[Slot]assay.Outcome) time.Duration {
	var made []Slot
	for _, s := range whole {
		if _, there := stored[s]; there {
			made = append(made, s)
		}
	}
	return max(run.Elapsed, p.Course(made))
}

// enough returns a budget in whole seconds that covers cost.
func enough(cost time.Duration) time.Duration {
	return time.Duration(float64(cost)*(1+spare)).Truncate(time.Second) + time.Second
}

// readying bounds the readying of each scratch space by the budget of a whole
// run, as Make does: with less time the space would be smaller.
func readying(budget time.Duration) time.Duration {
	return max(time.Duration(float64(budget)*prepareShare), min(leastPrepare, budget/8))
}
