package assay

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// Moment is when something happened in a repeat. Timelines consist of moments.
type Moment struct {
	What  Happening
	By    string  // the host that did or observed it
	On    string  // the host that it concerns, if another one and known: who answers now
	How   string  // by what that host saw it, where it looked in several ways: "UDP"
	At    float64 // s
	Error float64 // uncertainty of At relative to other hosts' moments, s
}

// Happening is a kind of moment.
type Happening string

// The happenings. Each host has at most one sequence per group, or per way of observing.
const (
	// Actions.
	Stopping  Happening = "stopping"  // the stop began
	Stopped   Happening = "stopped"   // and ended
	Starting  Happening = "starting"  // putting it back began
	Started   Happening = "started"   // and it was seen running
	Migrating Happening = "migrating" // a guest's migration began
	Migrated  Happening = "migrated"  // and has

	// What an observer saw of the address.
	LastAnswer Happening = "last answer"
	Unanswered Happening = "unanswered" // the first unanswered request was sent
	Answer     Happening = "answer"     // answers resumed

	// The slowest write inside a guest.
	WriteBegan Happening = "write began"
	Written    Happening = "written"

	// The address in an observer's neighbour table.
	NeighbourGone  Happening = "neighbour gone"
	NeighbourMoved Happening = "neighbour moved" // to another MAC address

	// The progress of a load that ran meanwhile.
	LoadSlowed Happening = "load slowed" // to less than half its previous rate
	LoadStood  Happening = "load stood still"
	LoadBack   Happening = "load back"

	NotWhole Happening = "not whole" // redundancy is lost
	Whole    Happening = "whole"     // and is again
)

// Begins reports whether time counts from this moment.
func (h Happening) Begins() bool { return h == Stopping || h == Migrating }

// MetricMoment is the metric of a moment.
const MetricMoment = "timeline.moment"

// Moments returns measurements for moments on one clock, counted from the earliest.
func Moments(tool string, all []Moment) (found []Measurement) {
	byTime := func(a, b Moment) int { return cmp.Compare(a.At, b.At) }
	all = slices.SortedStableFunc(slices.Values(all), byTime)
	for _, m := range all {
		labels := map[string]string{
			"tool": tool, "what": string(m.What), "by": m.By, "on": m.On, "how": m.How, "uncertainty": strconv.FormatFloat(m.Error, 'g', 3, 64),
		}
		maps.DeleteFunc(labels, func(_, value string) bool { return value == "" || value == "0" })
		found = append(found, Measurement{Metric: MetricMoment, Value: m.At - all[0].At, Unit: Seconds, Labels: labels, Line: 1})
	}
	return found
}

// Moments returns the moments of a repeat in order. They count from the first that Begins;
// without one there are none.
func (r Repeat) Moments() (all []Moment) {
	for _, m := range r.Measurements {
		if m.Metric != MetricMoment {
			continue
		}
		off, _ := strconv.ParseFloat(m.Labels["uncertainty"], 64) // 0 if none is given
		all = append(all, Moment{What: Happening(m.Labels["what"]), By: m.Labels["by"], On: m.Labels["on"], How: m.Labels["how"], At: m.Value, Error: off})
	}
	begin := slices.IndexFunc(all, func(m Moment) bool { return m.What.Begins() })
	if begin < 0 {
		return nil
	}
	zero := all[begin].At
	for i := range all {
		all[i].At -= zero
	}
	return all
}
