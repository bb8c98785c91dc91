package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"assay"
	"assay/internal/order"
	"assay/plan"
	"assay/stats/precision"
)

// hopeless is how many times the remaining budget a figure may seem to need
// before nothing is spent on it: the estimate rests on a few repeats.
const hopeless = 10

// refine adds repeats, widest interval first, until all figures have the
// requested precision or the budget is over. It adds one at a time on each host,
// so that the figures that need most stay interleaved.
func (e *Engine) refine(ctx context.Context) {
	if e.plan.Precision <= 0 {
		return
	}
	added, trials := 0, map[int]bool{}
	for ctx.Err() == nil {
		batch := e.widest()
		if len(batch) == 0 {
			break
		}
		from := len(e.plan.Schedule)
		e.mu.Lock()
		e.plan.Schedule = append(e.plan.Schedule, batch...)
		e.over = append(e.over, make([]bool, len(batch))...)
		e.mu.Unlock()
		for _, slot := range batch {
			t := e.plan.Trials[slot.Trial]
			e.tell(Event{Kind: EventMore, Host: t.Subject.Host, Trial: &t, Repeat: slot.Repeat})
			trials[slot.Trial] = true
		}
		made := len(batch) - e.slots(ctx, from)
		if made == 0 {
			break // it seemed that there was time for these
		}
		added += made
	}
	if added > 0 && ctx.Err() == nil {
		met := 0
		for i := range trials {
			if s, ok := precision.Of(e.run.Results[i]); ok && s.Met {
				met++
			}
		}
		e.tell(Event{Kind: EventNote, Text: fmt.Sprintf("repeats added: %d; results now known to ± %v %%: %d of %d",
			added, percent(e.plan.Precision), met, len(trials))})
	}
}

// lack is a trial whose figure is not yet precise enough.
type lack struct {
	precision.State
	trial int
	whole time.Duration // what it would need, as planned
}

// widest picks the repeats to add next, no two of which need the same host.
// Nothing else touches the results meanwhile.
func (e *Engine) widest() []plan.Slot {
	left := time.Until(e.deadline) - e.leaving()
	var open []lack
	longest := time.Duration(0)
	for i, r := range e.run.Results {
		s, ok := precision.Of(r)
		if !ok || s.Met || s.N == 0 || e.failures[i] >= giveUpAfter || e.goneOf(e.plan.Trials[i]) != "" {
			continue
		}
		slot := plan.Slot{Trial: i, Repeat: 1}
		e.mu.Lock()
		cost := e.pace.expect(e.plan.Cost(slot)) + e.readying(slot)
		e.mu.Unlock()
		whole := time.Duration(min(float64(s.More)*float64(cost), float64(1<<62)))
		if cost > left || whole > hopeless*left {
			continue
		}
		open = append(open, lack{s, i, whole})
		longest = max(longest, whole)
	}
	e.mu.Lock()
	e.lacking = min(longest, left)
	e.mu.Unlock()
	order.Stable(open, func(a, b lack) int {
		// What can be finished in time comes before what probably cannot.
		if late := boolRank(a.whole > left) - boolRank(b.whole > left); late != 0 {
			return late
		}
		return cmp.Compare(b.Wide, a.Wide)
	})
	var batch []plan.Slot
	taken := map[string]bool{}
	for _, l := range open {
		needs := plan.Needs(e.plan.Trials[l.trial])
		if slices.ContainsFunc(needs, func(n string) bool { return taken[n] }) {
			continue
		}
		mark(taken, needs, true)
		batch = append(batch, plan.Slot{Trial: l.trial, Repeat: lastRepeat(e.run.Results[l.trial]) + 1})
	}
	return batch
}

// lastRepeat is the number of the last repeat that was made or planned.
func lastRepeat(r assay.Result) int {
	last := r.Trial.Repeats
	for _, rep := range r.Repeats {
		last = max(last, rep.N)
	}
	return last
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

func percent(share float64) float64 { return float64(int(share*1e4+.5)) / 100 }
