package stats

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Confidence is the minimum level of an interval of the median.
const Confidence = .95

// LeastForInterval is the smallest n whose extreme values enclose the median
// with Confidence: 1 - 2/2^6 = .96875.
const LeastForInterval = 6

// Summary is the median of repeats with its interval.
type Summary struct {
	Center    float64 // the median
	Low, High float64 // interval of the median; both Center if Level is 0
	// Level is the interval's actual confidence: at least Confidence, and mostly
	// a little more, since ranks are whole numbers. 0 if there is no interval.
	Level    float64
	N        int      // finite values
	Warnings []string // why there is no interval, what was dropped
}

// Summarise returns the median of values with its distribution-free interval.
// It assumes nothing about the distribution of the values, only that they are
// independent: pass one value per repeat, never samples from inside a repeat.
// Non-finite values are dropped, with a warning. Without any values, N is 0,
// and a Center of 0 is meaningless.
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
// n >= LeastForInterval values, and their confidence.
//
// benchmath's interval may be asymmetric: ranks 1 and 7 of 8, where 2 and 8 would
// do as well. The choice of side must not be arbitrary, so such an interval is
// widened to the symmetric one, and its level with it.
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
