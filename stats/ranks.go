package stats

import (
	"math"
	"slices"
)

// exactRanks bounds the work of an exact distribution of U: total values times
// values of the smaller side. Two sides of 38 are within, and five against any
// number up to 595.
const exactRanks = 3000

// tieGroups returns the number of values at each rank of both samples together.
func tieGroups(xs, ys []float64) (groups []int, ties bool) {
	all := slices.Concat(xs, ys)
	slices.Sort(all)
	for i, v := range all {
		if i > 0 && v == all[i-1] {
			groups[len(groups)-1]++
			ties = true
			continue
		}
		groups = append(groups, 1)
	}
	return groups, ties
}

// singles are the groups of n values without ties.
func singles(n int) []int { return slices.Repeat([]int{1}, n) }

// doubledU returns the permutation distribution of 2U for a sample of n values
// out of all in the groups: the probability of each 2U by chance alone.
// Doubling turns the half ranks of ties into whole numbers.
func doubledU(groups []int, n int) []float64 {
	total := 0
	for _, size := range groups {
		total += size
	}
	// ways[k][s]: ways to pick k values whose doubled ranks sum to s.
	ways := make([][]float64, n+1)
	for k := range ways {
		ways[k] = make([]float64, 2*total*n+1)
	}
	ways[0][0] = 1
	before := 0
	for _, size := range groups {
		rank := 2*before + size + 1
		for k := min(n, before+size); k > 0; k-- {
			for take := 1; take <= min(k, size); take++ {
				addShifted(ways[k], ways[k-take], take*rank, choose(size, take))
			}
		}
		before += size
	}
	least, all := n*(n+1), choose(total, n)
	shares := make([]float64, 2*n*(total-n)+1)
	for u := range shares {
		shares[u] = ways[n][u+least] / all
	}
	return shares
}

// addShifted adds times x from to into, shifted up by places.
func addShifted(into, from []float64, places int, times float64) {
	for s := 0; s+places < len(into); s++ {
		if from[s] != 0 {
			into[s+places] += times * from[s]
		}
	}
}

// choose is the number of ways to take k of n things.
func choose(n, k int) float64 {
	ways := 1.
	for i := 1; i <= min(k, n-k); i++ {
		ways = ways * float64(n-min(k, n-k)+i) / float64(i)
	}
	return math.Round(ways)
}

// normalQuantile is the standard normal quantile of p.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// normalBelow is the probability that a standard normal value is below z.
func normalBelow(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
