package failover

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/farclock"
	"assay/internal/oneline"
	"assay/internal/outage"
	"assay/stacks/failover"
)

// sighting is what one observer saw.
type sighting struct {
	host     string
	requests []failover.Request
	times    failover.Times // by that observer's clock
	error    float64        // their uncertainty, s
	gap      outage.Gap     // while it was stopped

	neighbours []failover.Neighbour
	done       []failover.Done // by the load that ran there
}

// read parses a transcript: what happened when, and what each observer saw.
func read(tr assay.Transcript) (times failover.Times, all []sighting, whole []failover.Look, err error) {
	measure := tr.Step(stepMeasure)
	if measure == nil {
		return times, nil, nil, fmt.Errorf("nothing was stopped: %w", assay.ErrNoOutput)
	}
	if times, err = failover.ReadTimes(measure.Output.Stdout); err != nil {
		return times, nil, nil, err
	}
	clocks := clocksOf(tr)
	if len(clocks) == 0 {
		return times, nil, nil, fmt.Errorf("the clocks of the hosts: %w", assay.ErrNoOutput)
	}
	there := clocks[0] // of the host that stopped it
	for _, step := range tr.Steps {
		host, is := strings.CutPrefix(step.Name, stepObserve)
		if !is {
			continue
		}
		own := slices.IndexFunc(clocks, func(c clockOf) bool { return c.host == host })
		if own < 0 {
			return times, nil, nil, fmt.Errorf("the clock of %s: %w", host, assay.ErrNoOutput)
		}
		s := sighting{host: host, times: times, error: there.off + clocks[own].off, neighbours: failover.ReadNeighbours(step.Output.Stdout)}
		for _, t := range []*float64{&s.times.Stopping, &s.times.Stopped, &s.times.Starting, &s.times.Started} {
			*t += clocks[own].ahead - there.ahead
		}
		if s.requests, err = failover.ReadRequests(step.Output.Stdout); err != nil {
			return times, nil, nil, fmt.Errorf("%s: %w", host, err)
		}
		var ok bool
		if s.gap, ok = failover.LongestGap(s.requests, s.times.Stopping-s.error, s.underWay()); !ok {
			return times, nil, nil, fmt.Errorf("%s: %w while it was stopped", host, assay.ErrNoOutput)
		}
		if s.gap.To > s.times.Started+s.error {
			return times, nil, nil, fmt.Errorf("%s had no answer before it was put back: nothing took over", host)
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return times, nil, nil, fmt.Errorf("nobody observed: %w", assay.ErrNoOutput)
	}
	for _, step := range tr.Steps {
		if strings.HasPrefix(step.Name, stepWhole) {
			whole = failover.ReadWhole(step.Output.Stdout) // by the clock of the first observer
		}
		if host, is := strings.CutPrefix(step.Name, stepLoad); is {
			if at := slices.IndexFunc(all, func(s sighting) bool { return s.host == host }); at >= 0 {
				all[at].done = failover.ReadLoad(step.Output.Stdout)
			}
		}
	}
	return times, all, whole, nil
}

// usualGaps is how many median times between answers may pass before the next one is late.
const usualGaps = 3

// underWay returns the latest start of a time without an answer that predates putting it back.
// One that begins later may be due to that.
func (s sighting) underWay() float64 {
	return max(s.times.Stopping, s.times.Starting-usualGaps*failover.Interval(s.requests))
}

// missed reports whether an answer was missed while it was stopped.
func (s sighting) missed() bool {
	_, lost, _ := failover.Between(s.requests, s.times.Stopping-s.error, s.times.Starting)
	return lost > 0 || s.gap.Seconds() > usualGaps*failover.Interval(s.requests)
}

// clockOf is how far a host's clock is ahead of the clock of whoever asked it.
type clockOf struct {
	host       string
	ahead, off float64 // s
}

// clocksOf returns the clocks of the hosts that report times, first that of the host that
// stopped it; none if one cannot be read: another would be taken for the first.
func clocksOf(tr assay.Transcript) (all []clockOf) {
	for _, step := range tr.Steps {
		if host, is := strings.CutPrefix(step.Name, stepClock); is {
			ahead, off, err := farclock.Ahead(step)
			if err != nil {
				return nil
			}
			all = append(all, clockOf{host, ahead, off})
		}
	}
	return all
}

// Parse reads what the observers saw.
func (tool) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	times, all, whole, err := read(tr)
	if err != nil {
		return nil, err
	}
	var found []assay.Measurement
	add := func(metric string, value float64, unit assay.Unit, more ...string) {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return
		}
		m := assay.Measurement{Metric: metric, Value: max(value, 0), Unit: unit, Labels: map[string]string{"tool": probeName}, Line: 1}
		for i := 0; i+1 < len(more); i += 2 {
			if more[i+1] != "" {
				m.Labels[more[i]] = more[i+1]
			}
		}
		found = append(found, m)
	}
	slices.SortStableFunc(all, func(a, b sighting) int { return cmp.Compare(b.gap.Seconds(), a.gap.Seconds()) })
	worst, least := all[0], all[len(all)-1]
	short := func(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }
	add("failover.time", worst.gap.Seconds(), assay.Seconds, "observer", worst.host, "interval", short(failover.Interval(worst.requests)),
		"from", holder(tr, stepBefore), "to", holder(tr, stepDuring))
	if len(all) > 1 {
		add("failover.time.least", least.gap.Seconds(), assay.Seconds, "observer", least.host, "interval", short(failover.Interval(least.requests)))
	}
	sent, lost, lostBack, before, during, back := 0, 0, 0, math.NaN(), math.NaN(), 0.
	for i, s := range all {
		n, missing, took := failover.Between(s.requests, s.times.Stopping, s.times.Starting)
		sent, lost = sent+n, lost+missing
		_, _, idle := failover.Between(s.requests, 0, s.times.Stopping-s.error)
		if i == 0 {
			before, during = idle, took
		}
		_, missing, _ = failover.Between(s.requests, s.times.Starting, math.Inf(1))
		lostBack += missing
		if g, ok := failover.LongestGap(s.requests, s.times.Starting, math.Inf(1)); ok && g.From > s.gap.From {
			back = max(back, g.Seconds())
		}
	}
	add("failover.lost", float64(lost), assay.One)
	add("failover.requests", float64(sent), assay.One)
	add("failover.back", back, assay.Seconds)
	add("failover.restart", times.Started-times.Starting, assay.Seconds)
	first := all[slices.IndexFunc(all, func(s sighting) bool { return s.host == firstObserver(tr) })]
	again, known := failover.WholeAgain(whole, first.times.Stopping-first.error)
	switch {
	case !known:
	case again < first.times.Starting:
		add("failover.whole", again-first.times.Stopping, assay.Seconds, "from", "stop")
	default:
		add("failover.whole", again-first.times.Starting, assay.Seconds, "from", "start")
	}
	for _, s := range all {
		put := func(phase string, from, to float64) {
			add("failover.load."+phase, failover.Rate(s.done, from, to), assay.PerSecond, "host", s.host)
		}
		normal := s.times.Started // when all is as before, by the clock of s
		if at := again + s.times.Stopping - first.times.Stopping; known && at > normal {
			put("recovery", s.times.Starting, at)
			normal = at
		}
		put("before", math.Inf(-1), s.times.Stopping-s.error)
		put("stopped", s.times.Stopping, s.times.Starting)
		put("after", normal, math.Inf(1))
	}
	add("failover.latency.before", before, assay.Seconds)
	add("failover.latency.during", during, assay.Seconds)
	add("failover.back.lost", float64(lostBack), assay.One)
	add("failover.stopped", times.Starting-times.Stopping, assay.Seconds)
	add("failover.onset", worst.gap.From-worst.times.Stopping, assay.Seconds, "uncertainty", short(worst.error))
	return append(found, assay.Moments(probeName, moments(tr, times, all, whole))...), nil
}

// firstObserver returns the observer that checks whether redundancy is whole.
func firstObserver(tr assay.Transcript) string {
	for _, step := range tr.Steps {
		if host, is := strings.CutPrefix(step.Name, stepObserve); is {
			return host
		}
	}
	return ""
}

// holder returns the host that had the address; "" if none or several said so.
func holder(tr assay.Transcript, step string) string {
	found := ""
	for _, s := range tr.Steps {
		if host, is := strings.CutPrefix(s.Name, step); is {
			if found != "" {
				return ""
			}
			found = host
		}
	}
	return found
}

// Notes returns what an observer could not see as an outside one would, and what was never
// seen.
func (tool) Notes(tr assay.Transcript) (notes []assay.Note) {
	times, all, whole, err := read(tr)
	if err != nil {
		return nil
	}
	if !slices.ContainsFunc(all, sighting.missed) {
		notes = append(notes, assay.Note{ID: "nothing-missed", Text: fmt.Sprintf("every request was answered during the %.0f s it was stopped: something else may answer there, or it was restarted at once", times.Starting-times.Stopping)})
	}
	if len(all) == 1 {
		notes = append(notes, assay.Note{ID: "one-observer", Text: "only " + all[0].host + " observed: name a second host under observers:"})
	}
	for _, s := range all {
		if s.host == holder(tr, stepBefore) || s.host == holder(tr, stepDuring) {
			notes = append(notes, assay.Note{ID: "observer-inside", Text: s.host + " observed and had the address itself: name hosts under observers: that never have it"})
		}
	}
	if len(whole) > 0 && !slices.ContainsFunc(whole, func(l failover.Look) bool { return !l.Whole }) {
		notes = append(notes, assay.Note{ID: "always-whole", Text: "the command under whole: never said that redundancy was not whole, so there is no time until it was again"})
	}
	if away := tr.Step(stepAway); away != nil {
		notes = append(notes, assay.Note{ID: "stayed-away", Text: oneline.Brief(away.Output.Stderr) + "; bring it back by hand"})
	}
	return notes
}
