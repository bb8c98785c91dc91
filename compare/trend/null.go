package trend

import (
	"math"
	"math/rand/v2"
	"slices"
)

// The number of random orders: as many as effort, in places searched, permits.
const (
	mostOrders  = 999
	leastOrders = 199
	effort      = 10_000_000
)

// holdAgainst computes the greatest statistics of random orders of the same
// ranks. It stops and returns false once the history's own greatest statistic
// can't be significant.
func (s *search) holdAgainst(ranks []float64, layers []layer, greatest float64) bool {
	places := 0
	for _, l := range layers {
		places += len(l.starts) * len(l.weights)
	}
	orders := min(max(effort/places, leastOrders), mostOrders)
	random := rand.New(rand.NewPCG(s.o.Seed, uint64(len(ranks)))) //nolint:gosec // chance, not secrecy
	shuffled := slices.Clone(ranks)
	running := newSums(shuffled)
	beaten := 0
	null := make([]float64, 0, orders)
	for range orders {
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		running.fill(shuffled)
		most := 0.
		for _, l := range layers {
			for _, from := range l.starts {
				_, t := running.best(from, l)
				most = math.Max(most, t)
			}
		}
		null = append(null, most)
		if most >= greatest-tolerance {
			if beaten++; float64(1+beaten) > s.o.Level*float64(1+orders) {
				return false
			}
		}
	}
	slices.Sort(null)
	s.null = null
	return true
}

// tolerance treats statistics as equal that differ only by rounding.
const tolerance = 1e-9

// p returns the share of random orders, including the history itself, with as
// great a statistic anywhere.
func (s *search) p(statistic float64) float64 {
	below, _ := slices.BinarySearch(s.null, statistic-tolerance)
	return float64(1+len(s.null)-below) / float64(1+len(s.null))
}
