package failover

import (
	"slices"

	"assay"
	"assay/internal/outage"
	"assay/stacks/failover"
)

// moments returns what happened when, by the clock of the host that did it.
func moments(tr assay.Transcript, times failover.Times, all []sighting, whole []failover.Look) []assay.Moment {
	there := clocksOf(tr)[0].host
	var found []assay.Moment
	add := func(what assay.Happening, by string, at, off float64) {
		found = append(found, assay.Moment{What: what, By: by, At: at, Error: off})
	}
	add(assay.Stopping, there, times.Stopping, 0)
	if times.Stopped > 0 {
		add(assay.Stopped, there, times.Stopped, 0)
	}
	add(assay.Starting, there, times.Starting, 0)
	add(assay.Started, there, times.Started, 0)
	for _, s := range all {
		found = append(found, s.moments(times, holder(tr, stepDuring))...)
		if s.host == firstObserver(tr) {
			ahead := s.times.Stopping - times.Stopping
			if from, to, ok := failover.BrokenFor(whole, s.times.Stopping-s.error); ok {
				add(assay.NotWhole, s.host, from-ahead, s.error)
				add(assay.Whole, s.host, to-ahead, s.error)
			}
		}
	}
	return found
}

// moments returns what one observer saw, by the clock of the host that stopped it; taker is
// the host that had the address while it was stopped, if known.
func (s sighting) moments(times failover.Times, taker string) []assay.Moment {
	ahead := s.times.Stopping - times.Stopping
	since := s.times.Stopping - s.error
	gaps := outage.Telling(failover.Answers(s.requests), since)
	if !slices.Contains(gaps, s.gap) { // even if it is too short to tell
		gaps = append(gaps, s.gap)
	}
	found := outage.Moments(s.host, gaps, ahead, s.error)
	for i, m := range found {
		if m.What == assay.Answer && gaps[i/2] == s.gap {
			found[i].On = taker
		}
	}
	for _, g := range gaps {
		if at := slices.IndexFunc(s.requests, func(r failover.Request) bool { return !r.Answered() && r.Sent >= g.From && r.Sent < g.To }); at >= 0 {
			found = append(found, assay.Moment{What: assay.Unanswered, By: s.host, At: s.requests[at].Sent - ahead, Error: s.error})
		}
	}
	for _, turn := range failover.Turns(s.done, since) {
		what := map[failover.Pace]assay.Happening{failover.Full: assay.LoadBack, failover.Slow: assay.LoadSlowed, failover.None: assay.LoadStood}[turn.To]
		found = append(found, assay.Moment{What: what, By: s.host, At: turn.At - ahead, Error: s.error})
	}
	for i, n := range s.neighbours {
		what := assay.NeighbourMoved
		switch {
		case i == 0 || n.At < since: // as it was before
			continue
		case n.MAC == "":
			what = assay.NeighbourGone
		}
		found = append(found, assay.Moment{What: what, By: s.host, At: n.At - ahead, Error: s.error})
	}
	return found
}
