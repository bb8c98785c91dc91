package stats

import (
	"math/rand/v2"
	"slices"
)

const (
	// leastPairs is how many pairs an interval needs: with fewer, even the extremes are
	// not the ends of a 95 % one.
	leastPairs = 6
	// resamples is how often pairs are drawn anew.
	resamples = 2000
)

// PairedMedian is the median of differences of pairs with its percentile bootstrap
// interval of that level (0..1): the pairs are drawn anew, with replacement. The seed
// makes it the same each time. With fewer than six pairs there is no interval. ok is false
// where there is no pair, or a difference is not finite.
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
	random := rand.New(rand.NewPCG(seed, uint64(len(differences)))) // #nosec G404 -- it is reproducible on purpose
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
