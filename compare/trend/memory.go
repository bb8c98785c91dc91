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

// mostMemory bounds what is allowed for: beyond it no history is long enough.
const mostMemory = .9
