package run

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay"
)

// investigateShare is how much of the budget may go to deciding measurements.
const investigateShare = .2

// investigate measures what would decide between the causes that the results so far
// leave open. It comes before more repeats are added, which would use up the remaining
// time.
func (e *Engine) investigate(ctx context.Context) {
	if e.Investigate == nil || ctx.Err() != nil {
		return
	}
	measured := e.run
	measured.Elapsed = time.Since(e.began)
	trials, why := e.Investigate(measured)
	room := min(time.Duration(investigateShare*float64(e.plan.Budget)), time.Until(e.deadline)-e.leaving())
	was, from := len(e.plan.Trials), len(e.plan.Schedule)
	e.mu.Lock()
	slots := e.plan.Add(trials, room)
	e.plan.Schedule = append(e.plan.Schedule, slots...)
	e.over = append(e.over, make([]bool, len(slots))...)
	e.mu.Unlock()
	added := e.plan.Trials[was:]
	if len(added) == 0 {
		return
	}
	for _, t := range added {
		e.run.Results = append(e.run.Results, assay.Result{Trial: t})
	}
	e.keep(e.Store.AddTrials(ctx, e.run.ID, added))
	e.noteQuestions(added, why)
	for _, slot := range slots {
		t := e.plan.Trials[slot.Trial]
		e.tell(Event{Kind: EventMore, Host: t.Subject.Host, Trial: &t, Repeat: slot.Repeat})
	}
	e.slots(ctx, from)
}

// noteQuestions notes what is measured in addition, and why.
func (e *Engine) noteQuestions(added []assay.Trial, why map[string]string) {
	var suspects []string
	what := map[string][]string{}
	for _, t := range added {
		title, _, _ := strings.Cut(t.Title, ", "+t.Subject.Host)
		if !slices.Contains(suspects, t.Decides) {
			suspects = append(suspects, t.Decides)
		}
		if !slices.Contains(what[t.Decides], title) {
			what[t.Decides] = append(what[t.Decides], title)
		}
	}
	for _, s := range suspects {
		e.note("investigate", s+": "+why[s]+"? measured to decide: "+strings.Join(what[s], "; "))
	}
}
