package run

import (
	"context"
	"maps"
	"slices"
	"time"

	"assay/plan"
)

// slots works through the schedule, starting at slot from, and returns how many
// repeats the budget cut off. Slots that share no needs run concurrently; none
// begins before an earlier one that shares some, so the order on each host is
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

// begin starts a slot, and sends it to ended when it is over. A slot is over at
// once if the budget is too short for it, its host went away, or its trial
// keeps failing.
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

// leaving returns the part of the budget reserved for releasing scratch space:
// enough to keep the budget on hosts over SSH too, but little of a short one.
func (e *Engine) leaving() time.Duration { return min(2*time.Second, e.plan.Budget/50) }

// readying returns how long the missing scratch space of a slot takes to prepare. e.mu is
// held.
func (e *Engine) readying(s plan.Slot) time.Duration {
	return e.plan.Readying(e.plan.Trials[s.Trial], e.lent, e.filled)
}

// lent reports whether a scratch space exists or is being prepared. e.mu is
// held.
func (e *Engine) lent(space string) bool { return e.leases[space] != nil }

// ended records that a slot is over, with its planned time and the time spent, both
// without its scratch space.
func (e *Engine) ended(slot int, planned, spent time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over[slot] = true
	e.pace.add(planned, spent)
}

// failed counts a trial's consecutive failures.
func (e *Engine) failed(trial int, again bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if again {
		e.failures[trial]++
	} else {
		e.failures[trial] = 0
	}
}
