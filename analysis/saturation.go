package analysis

import (
	"maps"
	"slices"

	"assay/stats"
)

// growth is what two totals say of each other.
type growth int

const (
	unclear growth = iota // the interval allows both
	tooFew                // there are too few repeats for an interval
	grows
	stops
	falls
)

// growthFrom reports whether the total of b hosts is more than that of a. It is where
// the whole interval of their ratio lies above 1. It is not where the interval
// reaches to 1 and leaves out half of what b hosts would have that do not disturb
// each other; where it does not leave that out, it says neither.
func growthFrom(totals map[int][]float64, a, b int) growth {
	ratio, ok := stats.Ratio(totals[a], totals[b], stats.Confidence)
	half := 1 + (float64(b)/float64(a)-1)/2
	switch {
	case !ok:
		return unclear
	case ratio.Level == 0:
		return tooFew
	case ratio.Low > 1:
		return grows
	case ratio.High < 1:
		return falls
	case ratio.High < half:
		return stops
	}
	return unclear
}

// Growth is how a total grows with the hosts that measure at once. Numbers are of
// hosts; 0 where there is none.
type Growth struct {
	Last    int  // the most with a total that is believed; 0 where fewer than two have one
	StopsAt int  // where it stops growing
	Falls   bool // it is less with Last than there
	// From and To are the first step of which it cannot be told whether it grows;
	// Repeats are those of both, where they are too few to tell.
	From, To int
	Repeats  [2]int
}

// growthOf finds where the total stops growing. totals are the repeats by how many
// hosts; those that are not believed are not among them.
func growthOf(totals map[int][]float64) Growth {
	counts := slices.Sorted(maps.Keys(totals))
	if len(counts) < 2 {
		return Growth{}
	}
	g := Growth{Last: counts[len(counts)-1]}
	for i, from := range counts[:len(counts)-1] {
		to := counts[i+1]
		switch step := growthFrom(totals, from, to); {
		case step == grows, later(totals, from, counts[i+1:]):
		case step == stops, step == falls:
			return Growth{Last: g.Last, StopsAt: from, Falls: growthFrom(totals, from, g.Last) == falls}
		case g.To > 0:
		default:
			g.From, g.To = from, to
			if step == tooFew {
				g.Repeats = [2]int{len(totals[from]), len(totals[to])}
			}
		}
	}
	return g
}

// later reports whether some greater number of hosts has more than from: then the total
// had not stopped growing there.
func later(totals map[int][]float64, from int, counts []int) bool {
	return slices.ContainsFunc(counts, func(k int) bool { return growthFrom(totals, from, k) == grows })
}
