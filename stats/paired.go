package stats

import (
	"math/rand/v2"
	"slices"
)

const (
	// leastPairs is the minimum number of pairs for an interval: with fewer, not even
	// the extremes bound a 95 % one.
	leastPairs = 6
	// resamples is the number of bootstrap resamples.
	resamples = 2000
)

// PairedMedian is the median of the differences of pairs with its percentile bootstrap
// interval of that level (0..1): pairs are resampled with replacement. The seed makes it
// reproducible. With fewer than six pairs there is no interval. ok is false if there are
// no pairs, or a difference is not finite.
//
// Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
func PairedMedian(differences []float64, level float64, seed uint64) (m Interval, ok bool) {
	if len(differences) == 0 || !allFinite(differences) {
		return m, false
	}
	m.Center = Median(differences)
	m.Low, m.High = m.Center, m.Center
	if len(differences) < leastPairs {
		return m, true
	}
	random := rand.New(rand.NewPCG(seed, uint64(len(differences)))) // #nosec G404 -- reproducible on purpose
	medians, drawn := make([]float64, resamples), make([]float64, len(differences))
	for i := range medians {
		for j := range drawn {
			drawn[j] = differences[random.IntN(len(differences))]
		}
		medians[i] = Median(drawn)
	}
	slices.Sort(medians)
	tail := int((1 - level) / 2 * resamples)
	m.Low, m.High, m.Level = medians[tail], medians[resamples-1-tail], level
	return m, true
}
