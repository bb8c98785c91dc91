package blame

import (
	"slices"

	"assay/incident"
)

// finding is a rule and the layer it blames.
type finding struct {
	rule  string
	layer incident.Layer
}

// reading is how readers judged posted lines in which a rule had a finding. They saw the
// lines, but neither the rules nor the thread (doc/incidents/readings.tsv).
type reading struct {
	// decides is true if two of three readers, or more, named only this layer.
	decides bool
	// open are the other layers they named, most frequent first.
	open []incident.Layer
}

// JudgePosted is Judge for posted lines with no further context. A cause is at most likely,
// unless readers of such lines were as sure.
func JudgePosted(log incident.Log) Verdict {
	v := Judge(log)
	if v.Cause == nil {
		return v
	}
	of := readings()[finding{v.Cause.Rule, v.Cause.Layer}]
	if v.Cause.How > Likely && !of.decides {
		likely := *v.Cause
		likely.How = Likely
		v.Cause = &likely
		v.Rivals, v.Others = rivalsOf(likely, v.Others)
	}
	if v.Cause.How == Likely {
		v.Open = slices.DeleteFunc(slices.Clone(of.open), func(l incident.Layer) bool {
			return slices.ContainsFunc(v.Rivals, func(rival Cause) bool { return rival.Layer == l })
		})
	}
	return v
}
