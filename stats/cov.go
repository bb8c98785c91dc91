package stats

import "math"

// CoV is the coefficient of variation: the sample standard deviation as a share
// of the mean. It is NaN for fewer than two values and if the mean is not
// positive, where a share is meaningless.
func CoV(xs []float64) float64 {
	mean := Mean(xs)
	if !(mean > 0) {
		return math.NaN()
	}
	return StdDev(xs) / mean
}
