package compare

import (
	"slices"

	"assay"
)

// Needs returns a filter for the metrics, by name, that Compare uses when a column
// asks for some (its Metric; nil for none): runs loaded with these alone compare
// like whole ones. It may accept more than are used.
func (o Options) Needs(asked func(name string) bool) func(name string) bool {
	return func(name string) bool {
		switch {
		case name == durationMetric, slices.Contains(workMetrics, name):
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

// mayBeHeadline reports whether a metric can be the headline of a trial, whatever
// its settings: for storage, small blocks have a different one than large blocks.
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
