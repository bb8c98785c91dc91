package stats

import (
	"math"
	"slices"
)

// Finite reports whether v is a number: neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Mean is the arithmetic mean; NaN if there are no values.
func Mean(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// Median is the middle value, or the mean of the two middle ones; NaN if there
// are no values or one is NaN. xs is not modified.
func Median(xs []float64) float64 {
	n := len(xs)
	if n == 0 || slices.ContainsFunc(xs, math.IsNaN) {
		return math.NaN()
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	low, high := sorted[n/2-1], sorted[n/2]
	if low == high {
		return low // half of the smallest float would be 0
	}
	// Halve first: the sum of two huge values must not overflow.
	return low/2 + high/2
}

// StdDev is the sample standard deviation (n-1); NaN for fewer than two values.
func StdDev(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	mean, sum := Mean(xs), 0.0
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(xs)-1))
}
