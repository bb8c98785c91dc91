package stats

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Confidence is the level that an interval of the median must at least have.
const Confidence = .95

// LeastForInterval is the first n whose least and greatest value enclose the
// median with Confidence: 1 - 2/2^6 = .96875.
const LeastForInterval = 6

// Summary is the median of repeats and where it lies.
type Summary struct {
	Center    float64 // the median
	Low, High float64 // interval of the median; both Center where Level is 0
	// Level is the confidence that the interval really has: at least Confidence,
	// and mostly a little more, for ranks are whole numbers. 0 where there is no
	// interval.
	Level    float64
	N        int      // values that were finite
	Warnings []string // why there is no interval, what was left out
}

// Summarise returns the median of values with its distribution-free interval.
// Nothing is assumed of how the values are distributed, only that they are
// independent: give it one value a repeat, never samples from inside a repeat.
// Values that are not finite are left out, with a warning. No values at all
// give N 0, and a Center of 0 that means nothing.
func Summarise(values []float64) Summary {
	finite := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !Finite(v) })
	s := Summary{N: len(finite)}
	if out := len(values) - len(finite); out > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of %d values are not finite and were left out", out, len(values)))
	}
	if s.N == 0 {
		s.Warnings = append(s.Warnings, "no values")
		return s
	}
	if s.N < LeastForInterval {
		s.Center = Median(finite)
		s.Low, s.High = s.Center, s.Center
		s.Warnings = append(s.Warnings, fmt.Sprintf("need >= %d values for a confidence interval at level %v, have %d", LeastForInterval, Confidence, s.N))
		return s
	}
	slices.Sort(finite)
	s.Center = Median(finite)
	low, high, level := medianRanks(s.N)
	s.Low, s.High, s.Level = finite[low-1], finite[high-1], level
	return s
}

// medianRanks returns the ranks, from 1, of the values that enclose the median of
// n >= LeastForInterval values, and with what confidence.
//
// The interval that benchmath finds may lean to one side: ranks 1 and 7 of 8,
// where 2 and 8 would do as well. Which side must not be chance, so a leaning
// interval is widened to the symmetric one, and its level with it.
func medianRanks(n int) (low, high int, level float64) {
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	b := benchmath.AssumeNothing.Summary(benchmath.NewSample(ranks, &benchmath.DefaultThresholds), Confidence)
	if math.IsInf(b.Lo, 0) || math.IsInf(b.Hi, 0) {
		return 1, n, 1 - 2*math.Pow(.5, float64(n))
	}
	low = max(1, min(int(b.Lo), n+1-int(b.Hi)))
	return low, n + 1 - low, 1 - 2*binomialBelow(n, low)
}

// binomialBelow is the probability of fewer than k heads in n throws.
func binomialBelow(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	sum := 0.0
	for i := range k {
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(all - a - b - float64(n)*math.Ln2)
	}
	return sum
}
