package trend

import (
	"math"

	"assay/stats"
)

// memoryOf estimates the lag-1 autocorrelation of the noise of a history that
// has been cut: what is left of each value once the median of its segment is
// taken off, by rank, so that outliers do not count. Only what is beyond its own
// uncertainty is believed, one standard error of 1/sqrt(n): chance gives short
// histories without any memory that much, and real steps would be lost to it. What is believed lies in 0..0.9.
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

// leap is how many times as far as any other two neighbours in their segments the two at a
// change must lie apart to be no wander.
const leap = 5

// worthAt is what memory adds to the variance of a mean around a change: nothing where the
// history leaps there. Noise with a memory wanders, by steps that are much alike, and what
// is left beside a plain step says little of its memory where the runs are few.
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

// mostMemory bounds what is allowed for: beyond it no history is long enough.
const mostMemory = .9
