package compare

import "assay"

// Needs says which metrics, by their names, Compare looks at where a column asks
// for some (its Metric; nil for none): runs that hold these alone compare as whole
// ones do. It may say yes to more than are looked at.
func (o Options) Needs(asked func(name string) bool) func(name string) bool {
	return func(name string) bool {
		switch {
		case name == durationMetric:
			return true
		case asked != nil:
			return asked(name)
		case o.All:
			return judgeable(assay.Measurement{Metric: name})
		}
		return mayBeHeadline(name)
	}
}

// durationMetric is how long a repeat measured: see length.
const durationMetric = "tool.duration"

// mayBeHeadline reports whether a metric can be what a trial is about, whatever its
// settings: of storage it is another one for small blocks than for large ones.
func mayBeHeadline(name string) bool {
	m := assay.Measurement{Metric: name}
	r := assay.Result{Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{m}}}}
	for _, size := range []string{"4k", "1m"} {
		r.Trial.Settings = map[string]string{"bs": size}
		if r.Headline(m) {
			return true
		}
	}
	return false
}
