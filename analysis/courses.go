package analysis

import (
	"cmp"
	"slices"

	"assay"
)

// Course is the timeline of one repeat of a trial, in s since the action began.
type Course struct {
	Trial, Title string
	Repeat, Of   int // its number among the counted ones
	Moments      []assay.Moment
	Lanes        []Lane
	From, To     float64 // the whole course, with a small margin
}

// Lane is the state of one thing over a course, as one host caused or saw it.
type Lane struct {
	Of        Aspect
	By, How   string
	Stretches []Stretch // end to end
}

// LongestOut returns its longest outage, in s.
func (l Lane) LongestOut() (longest float64) {
	for _, s := range l.Stretches {
		if s.State == Out {
			longest = max(longest, s.To-s.From)
		}
	}
	return longest
}

// Aspect is what a lane of a course shows. Lanes are sorted in this order.
type Aspect int

// The aspects.
const (
	Running    Aspect = iota // what was stopped
	Moving                   // the guest that was moved
	Answering                // what was asked
	Writing                  // the longest write in the guest
	Loading                  // the load that ran meanwhile
	Redundancy               // whether it is whole
)

// Stretch is an interval without a change.
type Stretch struct {
	From, To float64
	State    State
}

// State is the condition of what a lane shows.
type State int

// The states.
const (
	Well    State = iota // it runs, answers, is whole
	Turning              // being stopped, put back or moved, or doing less than half of what it did
	Out                  // it does not
)

// turns maps a moment to the lane it changes and the new state. All lanes begin
// as Well.
var turns = map[assay.Happening]struct {
	of    Aspect
	state State
}{
	assay.Stopping: {Running, Turning}, assay.Stopped: {Running, Out}, assay.Starting: {Running, Turning}, assay.Started: {Running, Well},
	assay.Migrating: {Moving, Turning}, assay.Migrated: {Moving, Well},
	assay.LastAnswer: {Answering, Out}, assay.Answer: {Answering, Well},
	assay.WriteBegan: {Writing, Out}, assay.Written: {Writing, Well},
	assay.LoadSlowed: {Loading, Turning}, assay.LoadStood: {Loading, Out}, assay.LoadBack: {Loading, Well},
	assay.NotWhole: {Redundancy, Out}, assay.Whole: {Redundancy, Well},
}

// courses returns the courses of the trials that have any: for each, the repeat with the
// longest time without an answer.
func (b *builder) courses() (all []Course) {
	for _, r := range b.run.Results {
		counted := r.Counted()
		longest, at := -1., -1
		for i, rep := range counted {
			if s := silence(rep.Moments()); len(rep.Moments()) > 0 && s > longest {
				longest, at = s, i
			}
		}
		if at < 0 {
			continue
		}
		c := Course{Trial: r.Trial.ID, Title: r.Trial.Title, Repeat: at + 1, Of: len(counted), Moments: counted[at].Moments()}
		first, last := c.Moments[0].At, c.Moments[len(c.Moments)-1].At
		margin := max((last-first)/20, .01)
		c.From, c.To = first-margin, last+margin
		c.Lanes = lanesOf(c)
		all = append(all, c)
	}
	return all
}

// silence returns the longest time without an answer among moments, or 0 if there is
// none.
func silence(all []assay.Moment) (longest float64) {
	type eye struct{ by, how string }
	since := map[eye]float64{}
	for _, m := range all {
		sees := eye{m.By, m.How}
		switch from, silent := since[sees]; {
		case m.What == assay.LastAnswer:
			since[sees] = m.At
		case m.What == assay.Answer && silent:
			longest = max(longest, m.At-from)
			delete(since, sees)
		}
	}
	return longest
}

func lanesOf(c Course) (lanes []Lane) {
	for _, m := range c.Moments {
		turn, known := turns[m.What]
		if !known {
			continue
		}
		at := slices.IndexFunc(lanes, func(l Lane) bool { return l.Of == turn.of && l.By == m.By && l.How == m.How })
		if at < 0 {
			at, lanes = len(lanes), append(lanes, Lane{Of: turn.of, By: m.By, How: m.How, Stretches: []Stretch{{From: c.From, State: Well}}})
		}
		l := &lanes[at]
		l.Stretches[len(l.Stretches)-1].To = m.At
		l.Stretches = append(l.Stretches, Stretch{From: m.At, To: c.To, State: turn.state})
	}
	slices.SortStableFunc(lanes, func(a, b Lane) int {
		return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.By, b.By), cmp.Compare(a.How, b.How))
	})
	return lanes
}
