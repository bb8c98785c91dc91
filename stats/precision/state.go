package precision

import (
	"math"

	"assay"
	"assay/stats"
)

// State is how well a result's figure is known. If the result has several
// headlines (reads and writes of a mix), it describes the least precise.
type State struct {
	Metric string  // "" where there is no figure yet
	Wanted float64 // wanted reach of its interval, as a share of the figure
	Wide   float64 // actual reach; +Inf without an interval
	Met    bool    // stats.Precise is satisfied
	N      int     // repeats that count
	More   int     // estimated repeats still needed; at least 1 unless Met
}

// Of returns the state of a result. ok is false if no precision is wanted: it has
// none set, or is not measured.
func Of(r assay.Result) (s State, ok bool) {
	t := r.Trial
	if t.Precision <= 0 || t.Absent != nil {
		return s, false
	}
	s = State{Wanted: t.Precision, Wide: math.Inf(1), N: len(r.Counted())}
	s.More = max(1, stats.LeastForInterval-s.N)
	for i, metric := range r.Headlines() {
		if one := of(r.Values(metric), metric, t.Precision); i == 0 || one.worse(s) {
			s = one
		}
	}
	return s, true
}

func of(values []float64, metric string, wanted float64) State {
	s := State{Metric: metric, Wanted: wanted, N: len(values), Wide: stats.Summarise(values).Wide(), Met: stats.Precise(values, wanted)}
	switch {
	case s.Met:
	case s.N < stats.LeastForInterval:
		s.More = stats.LeastForInterval - s.N
	default:
		s.More = max(1, stats.Lacking(values, wanted))
	}
	return s
}

// worse reports whether s is further from its precision than o.
func (s State) worse(o State) bool {
	if s.Met != o.Met {
		return o.Met
	}
	return s.Wide > o.Wide
}
