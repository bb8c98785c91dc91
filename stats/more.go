package stats

import (
	"math"
	"sort"
)

// MostMore bounds the search of More: if more repeats than this are needed,
// measure another way.
const MostMore = 1000

// power is the probability with which the repeats that More names are to be
// enough.
const power = .8

// more returns how many more repeats each side needs for a verdict.
//
// The deviation of a Hodges–Lehmann estimate from normal values of standard
// deviation s is s x sqrt(pi/3 x (1/n1 + 1/n2)); an interval is decided once it
// is as many of these away from the edge of the band as level and power require.
// Both this and the smallest possible p only fall with more repeats, so bisection
// finds the least number.
func (c *Comparison) more(band float64, asked int) int {
	away, level := math.Abs(c.wide.center)-band, Alpha/float64(asked)
	if away == 0 {
		return 0 // no number is enough
	}
	tail := level / 2
	if away < 0 {
		level = 1 - EquivalenceLevel
		tail = level / 2
	}
	reach := normalQuantile(1-tail) + normalQuantile(power)
	k := 1 + sort.Search(MostMore, func(k int) bool {
		n1, n2 := c.Base.N+k+1, c.Other.N+k+1
		deviation := c.spread * math.Sqrt(math.Pi/3*(1/float64(n1)+1/float64(n2)))
		return math.Abs(away) >= reach*deviation && leastP(n1, n2) <= min(level, 1-Confidence)
	})
	if k > MostMore {
		return 0
	}
	return k
}

// leastP returns the smallest two-sided p possible for samples of these sizes.
func leastP(n1, n2 int) float64 { return 2 / choose(n1+n2, n1) }
