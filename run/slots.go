package run

import (
	"context"
	"maps"
	"slices"
	"time"

	"assay/plan"
)

// slots works off the schedule, beginning with the slot of that index, and says
// how many repeats the budget cut off.
// Slots that need nothing of each other run at once; none begins before an
// earlier one that needs some of the same, so that the order on each host is
// the schedule's.
func (e *Engine) slots(ctx context.Context, from int) (cut int) {
	var pending []int
	for i := from; i < len(e.plan.Schedule); i++ {
		pending = append(pending, i)
	}
	busy, ended := map[string]bool{}, make(chan int)
	for running := 0; ; {
		if ctx.Err() != nil {
			pending = nil
		}
		taken := maps.Clone(busy)
		var later []int
		for _, i := range pending {
			needs := plan.Needs(e.plan.Trials[e.plan.Schedule[i].Trial])
			if slices.ContainsFunc(needs, func(n string) bool { return taken[n] }) {
				later = append(later, i)
			} else if begun, late := e.begin(ctx, i, ended); begun {
				running++
				mark(busy, needs, true)
			} else if late {
				cut++
				continue
			} else {
				continue
			}
			mark(taken, needs, true)
		}
		if pending = later; running == 0 {
			return cut
		}
		i := <-ended
		running--
		mark(busy, plan.Needs(e.plan.Trials[e.plan.Schedule[i].Trial]), false)
	}
}

func mark(set map[string]bool, names []string, on bool) {
	for _, n := range names {
		if set[n] = on; !on {
			delete(set, n)
		}
	}
}

// begin starts a slot, which tells ended when it is over. One for which the
// budget is too short, whose host went away, or whose trial fails again and
// again, is over at once.
func (e *Engine) begin(ctx context.Context, i int, ended chan<- int) (begun, late bool) {
	slot := e.plan.Schedule[i]
	cost := e.plan.Cost(slot)
	e.mu.Lock()
	hopeless := e.failures[slot.Trial] >= giveUpAfter || e.goneOf(e.plan.Trials[slot.Trial]) != ""
	late = !hopeless && time.Now().Add(e.pace.expect(cost)+e.readying(slot)+e.leaving()).After(e.deadline)
	e.over[i] = late || hopeless
	e.mu.Unlock()
	if late || hopeless {
		return false, late
	}
	go func() {
		e.repeat(ctx, slot, func(took time.Duration) { e.ended(i, cost, took) })
		ended <- i
	}()
	return true, false
}

// leaving is what is left of the budget for taking the scratch space back: so much
// that it is kept on hosts over SSH too, and little of a short budget.
func (e *Engine) leaving() time.Duration { return min(2*time.Second, e.plan.Budget/50) }

// readying is what the scratch space of a slot takes that is not there yet. e.mu is held.
func (e *Engine) readying(s plan.Slot) time.Duration {
	return e.plan.Readying(e.plan.Trials[s.Trial], e.lent, e.filled)
}

// lent reports whether a scratch space is there, or being readied. e.mu is held.
func (e *Engine) lent(space string) bool { return e.leases[space] != nil }

// ended counts a slot as over that was planned to take so long and took so long, its
// scratch space apart.
func (e *Engine) ended(slot int, planned, spent time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over[slot] = true
	e.pace.add(planned, spent)
}

// failed counts how often a trial failed in a row.
func (e *Engine) failed(trial int, again bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if again {
		e.failures[trial]++
	} else {
		e.failures[trial] = 0
	}
}
