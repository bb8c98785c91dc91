package precision

import (
	"math"

	"assay"
	"assay/stats"
)

// State is how well a result's figure is known. Where the result has several
// headlines (reads and writes of a mix), it is the one known worst.
type State struct {
	Metric string  // "" where there is no figure yet
	Wanted float64 // how far its interval reaches, as a share of the figure
	Wide   float64 // what it is; +Inf where there is no interval yet
	Met    bool    // stats.Precise says that it is enough
	N      int     // repeats that count
	More   int     // about how many more it takes; at least 1 where it is not Met
}

// Of returns the state of a result. ok is false where nothing was wanted of it: it
// has no precision, or is not measured.
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

// worse reports whether more is lacking to s than to o.
func (s State) worse(o State) bool {
	if s.Met != o.Met {
		return o.Met
	}
	return s.Wide > o.Wide
}
