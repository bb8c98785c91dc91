package stats

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// RankTest is the outcome of a Mann–Whitney test.
type RankTest struct {
	// U counts the pairs in which the first sample's value is the greater; a
	// tie counts half.
	U float64
	P float64 // two-sided
	// Exact reports that P is from the permutation distribution rather than its
	// normal approximation.
	Exact bool
}

// Sample sizes up to which benchmath's p is exact, without ties and with.
const (
	exactUntied = 50
	exactTied   = 25
)

// MannWhitney returns the probability that two samples of independent values lie
// at least this far apart by chance alone. For identical values p is 1. ok is
// false if a side is empty, or a value is not finite.
//
// p is benchmath's, and so benchstat's, except for samples of different sizes
// with ties: their distribution is skewed, and benchmath doubles the tail of the
// smaller U as if it were not, so that its p depends on which sample comes first
// and can exceed 1. Here it is the probability of a U at least as far from its
// mean, in either direction.
//
// Mann and Whitney, On a Test of Whether one of Two Random Variables is
// Stochastically Larger than the Other, 1947.
func MannWhitney(xs, ys []float64) (t RankTest, ok bool) {
	if len(xs) == 0 || len(ys) == 0 || !allFinite(xs) || !allFinite(ys) {
		return t, false
	}
	t.U = wins(xs, ys)
	groups, ties := tieGroups(xs, ys)
	largest := max(len(xs), len(ys))
	t.Exact = largest <= exactUntied && !ties || largest <= exactTied
	if ties && t.Exact && len(xs) != len(ys) {
		t.P = farFromMean(doubledU(groups, len(xs)), t.U)
		return t, true
	}
	sample := func(values []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	}
	t.P = min(1, benchmath.AssumeNothing.Compare(sample(xs), sample(ys)).P)
	return t, true
}

// wins returns U.
func wins(xs, ys []float64) float64 {
	sorted := slices.Sorted(slices.Values(ys))
	u := 0.
	for _, x := range xs {
		below, _ := slices.BinarySearch(sorted, x)
		upTo, _ := slices.BinarySearch(sorted, math.Nextafter(x, math.Inf(1)))
		u += float64(below+upTo) / 2
	}
	return u
}

// farFromMean returns the probability of a U at least as far from its mean as
// u.
func farFromMean(doubled []float64, u float64) float64 {
	// 2U has mean n1 x n2, half of its maximum.
	mean := (len(doubled) - 1) / 2
	distance := int(math.Abs(2*u - float64(mean)))
	p := 0.
	for i, share := range doubled {
		if i <= mean-distance || i >= mean+distance {
			p += share
		}
	}
	return min(1, p)
}

func allFinite(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return !Finite(x) })
}
