package audit

import (
	"slices"
	"time"

	"assay"
	"assay/internal/order"
	"assay/plan/multiclient"
)

// moment is one execution of a trial on a host, as the others see it.
type moment struct {
	trial       *assay.Trial
	n           int
	begun, over time.Time
}

// turn is when a repeat had its turn among all the trials on its host.
type turn struct {
	before string  // the trial that ran right before it; "" unknown
	place  float64 // in its round, from 0 for the first to 1 for the last
	placed bool    // whether it has one
}

// slot names a repeat.
type slot struct {
	trial string
	n     int
}

// turns tells from the start times alone what came before each repeat and which
// place in its round it had. Whatever ran on a host counts: warm-ups, what failed,
// the far ends of links, and all hosts of a trial on several.
func (e Evidence) turns() map[slot]turn {
	hosts := map[string][]moment{}
	for i := range e.Results {
		t := &e.Results[i].Trial
		for _, r := range e.Results[i].Repeats {
			m := moment{t, r.N, r.Started, r.Started.Add(max(r.Elapsed, 0))}
			for _, s := range multiclient.Subjects(*t) {
				hosts[s.Host] = append(hosts[s.Host], m)
			}
			if t.Peer != "" && t.Peer != t.Subject.Host {
				hosts[t.Peer] = append(hosts[t.Peer], m)
			}
		}
	}
	all := map[slot]turn{}
	for host, moments := range hosts {
		order.Stable(moments, func(a, b moment) int { return a.begun.Compare(b.begun) })
		rounds := map[int][]moment{}
		for i, m := range moments {
			if !byLot(m) {
				continue
			}
			if m.n > 0 && m.trial.Order == "" {
				rounds[m.n] = append(rounds[m.n], m)
			}
			if i > 0 && m.trial.Subject.Host == host && follows(moments[i-1], m) {
				all[slot{m.trial.ID, m.n}] = turn{before: moments[i-1].trial.ID}
			}
		}
		for n, round := range rounds {
			place(all, host, n, round)
		}
	}
	return all
}

// byLot reports whether a repeat stands where the dice put it. Those that were added
// until a figure was known stand where they were wanted, and late: their place and
// what ran before them say nothing but that.
func byLot(m moment) bool { return m.trial.Repeats == 0 || m.n <= m.trial.Repeats }

// follows reports whether b came right after a: not at the same time, and not so long
// after it that nothing of a can be left.
func follows(a, b moment) bool {
	return !a.begun.IsZero() && !b.begun.Before(a.over.Add(-orderOverlap)) && a.begun.Before(b.begun) && b.begun.Sub(a.over) <= orderApart
}

// place numbers one round of a host. A round of one trial, or in which nobody knows
// who was first, has no places.
func place(all map[slot]turn, host string, n int, round []moment) {
	for i := range round {
		if i > 0 && !round[i-1].begun.Before(round[i].begun) {
			return
		}
	}
	for i, m := range round {
		if len(round) > 1 && m.trial.Subject.Host == host {
			t := all[slot{m.trial.ID, n}]
			t.place, t.placed = float64(i)/float64(len(round)-1), true
			all[slot{m.trial.ID, n}] = t
		}
	}
}

// inTime returns the repeats that count in the order of their start. ok is false
// where that is not known.
func (l look) inTime() (reps []assay.Repeat, ok bool) {
	reps = slices.SortedStableFunc(slices.Values(l.reps), func(a, b assay.Repeat) int { return a.Started.Compare(b.Started) })
	for i, r := range reps {
		if r.Started.IsZero() || i > 0 && !reps[i-1].Started.Before(r.Started) {
			return nil, false
		}
	}
	return reps, true
}
