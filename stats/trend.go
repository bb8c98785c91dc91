package stats

import "math"

// Trend is the two-sided p of the Mann–Kendall test: the probability that
// values without a trend are ordered at least this strictly. Ties count for
// neither side, which makes p too large, never too small. NaN for fewer than
// three values, and if any are not finite.
//
// The distribution of the statistic is exact (the number of permutations with a
// given number of inversions) up to 50 values and normal beyond.
//
// Mann, Nonparametric Tests Against Trend, Econometrica 1945; Kendall, Rank
// Correlation Methods, 1948.
func Trend(values []float64) float64 {
	n := len(values)
	if n < 3 {
		return math.NaN()
	}
	s := 0
	for i, a := range values {
		if !Finite(a) {
			return math.NaN()
		}
		for _, b := range values[i+1:] {
			switch {
			case b > a:
				s++
			case b < a:
				s--
			}
		}
	}
	s = max(s, -s)
	if n > 50 {
		sigma := math.Sqrt(float64(n*(n-1)*(2*n+5)) / 18)
		return math.Min(1, math.Erfc(float64(max(s-1, 0))/sigma/math.Sqrt2))
	}
	pairs := n * (n - 1) / 2
	// S >= s means at most (pairs-s)/2 inversions.
	return math.Min(1, 2*inversionsAtMost(n, (pairs-s)/2))
}

// inversionsAtMost is the share of permutations of n things with at most k
// inversions.
func inversionsAtMost(n, k int) float64 {
	share := []float64{1} // by number of inversions, for permutations so far
	for m := 2; m <= n; m++ {
		next := make([]float64, len(share)+m-1)
		for i, p := range share {
			for j := range m {
				next[i+j] += p / float64(m)
			}
		}
		share = next
	}
	sum := 0.
	for i := 0; i <= k && i < len(share); i++ {
		sum += share[i]
	}
	return sum
}
