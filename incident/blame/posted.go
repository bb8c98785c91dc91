package blame

import (
	"slices"

	"assay/incident"
)

// finding is a layer that a rule blames.
type finding struct {
	rule  string
	layer incident.Layer
}

// reading is what readers made of posted lines that a rule had a finding in. They had the
// lines, and neither the rules nor the thread (doc/incidents/readings.tsv).
type reading struct {
	// decides says that two of three, or more, named this layer alone.
	decides bool
	// open are the layers that they named besides, the most frequent first.
	open []incident.Layer
}

// JudgePosted is Judge for lines that somebody posted, where nothing else is known. A cause
// is at most likely there, unless readers of such lines were as sure.
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
