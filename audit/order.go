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

// turn is where a repeat stood among all trials on its host.
type turn struct {
	before string  // the trial that ran right before it; "" unknown
	place  float64 // in its round, 0 for the first to 1 for the last
	placed bool    // if place is set
}

// slot identifies a repeat.
type slot struct {
	trial string
	n     int
}

// turns derives from start times alone what ran before each repeat, and the
// repeat's place in its round. Everything that ran on a host counts: warm-ups,
// failures, far ends of links, and all hosts of multi-host trials.
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

// byLot reports whether a repeat ran in its randomized slot. Repeats added until a
// figure was known ran when needed, and late: their place and predecessor show
// nothing else.
func byLot(m moment) bool { return m.trial.Repeats == 0 || m.n <= m.trial.Repeats }

// follows reports whether b came right after a: not concurrently, and soon enough
// that effects of a may linger.
func follows(a, b moment) bool {
	return !a.begun.IsZero() && !b.begun.Before(a.over.Add(-orderOverlap)) && a.begun.Before(b.begun) && b.begun.Sub(a.over) <= orderApart
}

// place assigns places in one round of a host. A round of one trial, or of unknown
// order, has no places.
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

// inTime returns the counted repeats in order of their start. ok is false if
// that is unknown.
func (l look) inTime() (reps []assay.Repeat, ok bool) {
	reps = slices.SortedStableFunc(slices.Values(l.reps), func(a, b assay.Repeat) int { return a.Started.Compare(b.Started) })
	for i, r := range reps {
		if r.Started.IsZero() || i > 0 && !reps[i-1].Started.Before(r.Started) {
			return nil, false
		}
	}
	return reps, true
}
