package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Parameters of a permutation test.
const (
	// mostOrders is the most distinct orders that are enumerated: eight
	// different things have 40,320.
	mostOrders = 50_000
	// orderDraws is how many are drawn if there are more, and orderHits how
	// many at least as extreme end the drawing early: a large p needs no more
	// digits.
	orderDraws = 20_000
	orderHits  = 20
)

// dealtAnew returns the p of a permutation test: the probability that the things,
// shuffled, stand in an order at least as extreme as the given one. extreme
// returns greater values for more extreme orders; it must not retain its argument.
// least is the smallest possible p.
//
// p is exact if all distinct orders can be enumerated. Otherwise orders are drawn
// from the seed, and p is never too small on average, whatever their number.
//
// Besag and Clifford, Sequential Monte Carlo p-Values, 1991.
func dealtAnew(things []int, extreme func([]int) float64, seed uint64) (p, least float64) {
	// Sums of floats differ in their last digits if the order differs.
	observed := extreme(things) * (1 - 1e-9)
	order := slices.Sorted(slices.Values(things))
	if ordersOf(order) > mostOrders {
		//nolint:gosec // reproducible from the seed, on purpose
		return drawn(order, extreme, observed, rand.New(rand.NewPCG(seed, 0))), 1. / (orderDraws + 1)
	}
	all, hits, top, atTop := 0, 0, -1., 0
	for more := true; more; more = nextOrder(order) {
		all++
		e := extreme(order)
		if e >= observed {
			hits++
		}
		switch {
		case e > top*(1+1e-9):
			top, atTop = e, 1
		case e >= top*(1-1e-9):
			atTop++
		}
	}
	return float64(hits) / float64(all), float64(atTop) / float64(all)
}

func drawn(things []int, extreme func([]int) float64, observed float64, random *rand.Rand) float64 {
	hits := 0
	for draws := 1; draws <= orderDraws; draws++ {
		random.Shuffle(len(things), func(i, j int) { things[i], things[j] = things[j], things[i] })
		if extreme(things) < observed {
			continue
		}
		if hits++; hits == orderHits {
			return float64(hits) / float64(draws)
		}
	}
	return float64(hits+1) / (orderDraws + 1)
}

// ordersOf returns the number of distinct orders of sorted things.
func ordersOf(sorted []int) float64 {
	log, _ := math.Lgamma(float64(len(sorted) + 1))
	alike := 0
	for i := range sorted {
		if alike++; i+1 == len(sorted) || sorted[i+1] != sorted[i] {
			same, _ := math.Lgamma(float64(alike + 1))
			log -= same
			alike = 0
		}
	}
	return math.Exp(log)
}

// nextOrder permutes things into the next order lexicographically; false after
// the last.
func nextOrder(things []int) bool {
	i := len(things) - 2
	for i >= 0 && things[i] >= things[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(things) - 1
	for things[j] <= things[i] {
		j--
	}
	things[i], things[j] = things[j], things[i]
	slices.Reverse(things[i+1:])
	return true
}
