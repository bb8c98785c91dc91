package trend

import (
	"math"

	"assay/stats"
)

// memoryOf estimates the lag-1 autocorrelation of the noise of a history that has been cut: of
// the residuals from each segment's median, by rank, so that outliers do not count. Only what
// exceeds its own uncertainty counts, one standard error of 1/sqrt(n): short histories without
// memory show that much by chance, and it would cost real steps. The result is in 0..0.9.
func (s *search) memoryOf() float64 {
	rest := make([]float64, 0, len(s.values))
	for i := 0; i <= len(s.found); i++ {
		segment := s.values[s.start(i):s.end(i)]
		level := stats.Median(segment)
		for _, v := range segment {
			rest = append(rest, v-level)
		}
	}
	a, ok := stats.Autocorrelation(centredRanks(rest))
	if !ok {
		return 0
	}
	return min(max(a.Rho-1/math.Sqrt(float64(a.N)), 0), mostMemory)
}

// leap is how many times farther apart the values at a change must be than other
// neighbours in their segments to be no wander.
const leap = 5

// worthAt returns by how much memory inflates the variance of a mean around a change: not
// at all where the history leaps. Noise with memory wanders, in steps of similar size, and
// the residuals of a plain step say little about memory if runs are few.
func (s *search) worthAt(from, at, to int) float64 {
	if s.worth == 1 {
		return 1
	}
	most := 0.
	for i := from + 1; i < to; i++ {
		if i != at {
			most = max(most, math.Abs(s.values[i]-s.values[i-1]))
		}
	}
	if math.Abs(s.values[at]-s.values[at-1]) > leap*most {
		return 1
	}
	return s.worth
}

// mostMemory caps the memory allowed for: beyond it no history is long enough.
const mostMemory = .9
