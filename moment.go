package assay

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// Moment is when something happened in a repeat: what a time line is made of.
type Moment struct {
	What  Happening
	By    string  // the host that did or saw it
	On    string  // the host that it is about, where that is another and known: who answers now
	How   string  // by what that host saw it, where it looked in several ways: "UDP"
	At    float64 // s
	Error float64 // by how much At may be off beside other hosts' moments, s
}

// Happening is a kind of moment.
type Happening string

// The happenings. Each host has at most one course of each group, or of each way of looking.
const (
	// What was done.
	Stopping  Happening = "stopping"  // what stops it began
	Stopped   Happening = "stopped"   // and ended
	Starting  Happening = "starting"  // what puts it back began
	Started   Happening = "started"   // and it was seen to run
	Migrating Happening = "migrating" // a guest begins to move
	Migrated  Happening = "migrated"  // and has

	// What an observer saw.
	LastAnswer Happening = "last answer"
	Unanswered Happening = "unanswered" // the first request without an answer was sent
	Answer     Happening = "answer"     // there is one again

	// What was written inside a guest: the write that took longest.
	WriteBegan Happening = "write began"
	Written    Happening = "written"

	// What the neighbour table of an observer had of the address.
	NeighbourGone  Happening = "neighbour gone"
	NeighbourMoved Happening = "neighbour moved" // it is at another MAC address

	// How a load got on that ran meanwhile.
	LoadSlowed Happening = "load slowed" // to less than half of what it did before
	LoadStood  Happening = "load stood still"
	LoadBack   Happening = "load back"

	NotWhole Happening = "not whole" // redundancy no longer is
	Whole    Happening = "whole"     // and is again
)

// Begins reports whether people count from this moment.
func (h Happening) Begins() bool { return h == Stopping || h == Migrating }

// MetricMoment is the metric of a moment.
const MetricMoment = "timeline.moment"

// Moments gives measurements for moments by one clock. They count from the earliest.
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

// Moments returns those of a repeat in their order. They count from the first that Begins;
// without one there are none.
func (r Repeat) Moments() (all []Moment) {
	for _, m := range r.Measurements {
		if m.Metric != MetricMoment {
			continue
		}
		off, _ := strconv.ParseFloat(m.Labels["uncertainty"], 64) // 0 where it says none
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
