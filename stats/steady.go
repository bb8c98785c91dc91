package stats

import "math"

// Limits of the steady-state criterion, as shares of the mean. SNIA Solid State
// Storage Performance Test Specification: over a window of five rounds, the
// range stays within 20 % of the mean and the least-squares line rises or falls
// by at most 10 % of it.
const (
	SteadyRounds = 5
	SteadyRange  = .20
	SteadyLine   = .10
)

// Steady is how a series compares with the steady-state criterion, with the
// deciding numbers.
type Steady struct {
	Rounds [SteadyRounds]float64 // mean of each of the five equal windows, in order
	Mean   float64               // of the rounds
	Range  float64               // (largest round - smallest round), as a share of the mean
	Slope  float64               // of the least-squares line, in units of the series per round
	Line   float64               // |4 x slope|: what the line rises or falls from the first round to the last, as a share of the mean
	Steady bool
}

// SteadyState cuts xs into five equal windows and compares their means with the
// criterion. If the number of values is not a multiple of five, the oldest are
// dropped. ok is false for fewer than five values, and if the mean is not a
// positive number.
func SteadyState(xs []float64) (s Steady, ok bool) {
	width := len(xs) / SteadyRounds
	if width == 0 {
		return s, false
	}
	xs = xs[len(xs)-width*SteadyRounds:]
	index := make([]float64, SteadyRounds)
	least, most := math.Inf(1), math.Inf(-1)
	for i := range s.Rounds {
		s.Rounds[i] = Mean(xs[i*width : (i+1)*width])
		least, most = math.Min(least, s.Rounds[i]), math.Max(most, s.Rounds[i])
		index[i] = float64(i)
	}
	s.Mean = Mean(s.Rounds[:])
	if !(s.Mean > 0) || !Finite(s.Mean) {
		return s, false
	}
	s.Range = (most - least) / s.Mean
	s.Slope = Slope(index, s.Rounds[:])
	s.Line = math.Abs((SteadyRounds-1)*s.Slope) / s.Mean
	s.Steady = s.Range <= SteadyRange && s.Line <= SteadyLine
	return s, Finite(s.Range) && Finite(s.Line)
}
