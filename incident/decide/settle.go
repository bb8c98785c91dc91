package decide

import (
	"slices"

	"assay/incident"
	"assay/incident/blame"
)

// Settle applies the measurements to a verdict. If several layers were possible, the
// confirmed one becomes the cause, provided nothing speaks against it and no other is
// confirmed too; the same goes for a rival of a cause that is only likely. A
// contradicted verdict becomes undecided, unless it is certain. No measurement adds a
// cause that the logs do not show.
func Settle(v blame.Verdict, all []Measured) (blame.Verdict, []Measured) {
	all = slices.Clone(all)
	was := layers(v)
	speaks := func(pick func(Measured) []incident.Layer, c blame.Cause) bool {
		return slices.ContainsFunc(all, func(m Measured) bool { return m.about(c) && slices.Contains(pick(m), c.Layer) })
	}
	supports := func(m Measured) []incident.Layer { return m.For }
	opposes := func(m Measured) []incident.Layer { return m.Against }
	for i, m := range all {
		all[i].Answer = answerTo(m.Shown, was)
	}
	contradicted := v.Cause != nil && v.Cause.How < blame.Certain && speaks(opposes, *v.Cause) && !speaks(supports, *v.Cause)
	if v.Cause == nil || v.Cause.How == blame.Likely {
		open := slices.Concat(deref(v.Cause), v.Rivals, v.Between)
		var sure []int
		for i, c := range open {
			if speaks(supports, c) && !speaks(opposes, c) {
				sure = append(sure, i)
			}
		}
		if len(sure) == 1 {
			cause := open[sure[0]]
			cause.How = blame.VeryLikely
			for i, c := range open {
				if i != sure[0] {
					v.Others = append(v.Others, c)
				}
			}
			v.Cause, v.Rivals, v.Between = &cause, nil, nil
			return v, all
		}
	}
	if contradicted {
		doubtful := *v.Cause
		doubtful.How = blame.Possible
		v.Cause, v.Rivals, v.Between = nil, nil, append([]blame.Cause{doubtful}, v.Rivals...)
	}
	return v, all
}

// about reports whether a read concerns what a cause blames: one of its devices, or the
// path from its host.
func (m Measured) about(c blame.Cause) bool {
	return (c.Host == "" || m.Host == c.Host) && (m.Device == "" || slices.ContainsFunc(c.Evidence, func(e incident.Event) bool { return incident.Whole(e.Device) == m.Device }))
}

// answerTo returns the effect of one read on a verdict that names these layers.
func answerTo(s Shown, was []incident.Layer) Answer {
	has := func(l incident.Layer) bool { return slices.Contains(was, l) }
	switch {
	case s.Absent != "":
		return NotMeasured
	case len(was) > 1 && !slices.ContainsFunc(was, func(l incident.Layer) bool { return !slices.Contains(s.For, l) }):
		return Undecided // it supports all of them
	case slices.ContainsFunc(s.For, has):
		return Confirmed
	case slices.ContainsFunc(s.Against, has):
		return Contradicted
	}
	return Undecided
}
