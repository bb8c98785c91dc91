package analysis

import (
	"maps"
	"slices"

	"assay/stats"
)

// growth is how one total compares with another.
type growth int

const (
	unclear growth = iota // the interval allows both
	tooFew                // too few repeats for an interval
	grows
	stops
	falls
)

// growthFrom reports whether b hosts have a higher total than a hosts. They do if the
// whole interval of the ratio lies above 1. They do not if the interval reaches down
// to 1 and excludes half the gain of hosts that do not disturb each other; if it does
// not exclude that, the result is unclear.
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

// Growth is how a total grows with the number of hosts measuring at once. All
// values are host counts; 0 means none.
type Growth struct {
	Last    int  // the most with a trusted total; 0 if fewer than two have one
	StopsAt int  // where it stops growing
	Falls   bool // lower at Last than there
	// From and To are the first step whose growth is unclear; Repeats are their
	// repeat counts if those are too few to tell.
	From, To int
	Repeats  [2]int
}

// growthOf finds where the total stops growing. totals holds the repeats by number
// of hosts, without rejected ones.
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

// later reports whether any larger number of hosts has a higher total than from: then
// growth had not stopped there.
func later(totals map[int][]float64, from int, counts []int) bool {
	return slices.ContainsFunc(counts, func(k int) bool { return growthFrom(totals, from, k) == grows })
}
