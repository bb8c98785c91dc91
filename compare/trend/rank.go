package trend

import (
	"math"
	"slices"
)

// centredRanks returns the rank of each value minus the mean rank; ties share
// their mean rank.
func centredRanks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(values))
	middle := float64(len(values)-1) / 2
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = float64(i+j-1)/2 - middle
		}
		i = j
	}
	return ranks
}

// sums are running sums of ranks and their squares.
type sums struct{ ranks, squares []float64 }

func newSums(ranks []float64) sums {
	s := sums{make([]float64, len(ranks)+1), make([]float64, len(ranks)+1)}
	s.fill(ranks)
	return s
}

func (s sums) fill(ranks []float64) {
	for i, r := range ranks {
		s.ranks[i+1] = s.ranks[i] + r
		s.squares[i+1] = s.squares[i] + r*r
	}
}

// variance returns the mean and sample variance of the ranks of an interval.
func (s sums) variance(from, to int) (mean, variance float64) {
	n := float64(to - from)
	mean = (s.ranks[to] - s.ranks[from]) / n
	return mean, (s.squares[to] - s.squares[from] - n*mean*mean) / (n - 1)
}

// best returns the best place to cut the layer's interval that begins at from,
// and the squared standardised difference of the mean ranks of its two parts:
// (S_k - k mean)^2 n / (k (n-k)) / variance, which is the squared z of the
// Mann–Whitney test corrected for ties. 0 if the ranks do not vary.
func (s sums) best(from int, l layer) (at int, statistic float64) {
	mean, variance := s.variance(from, from+l.length)
	if !(variance > 1e-9) {
		return from + l.least, 0
	}
	base, left := s.ranks[from], s.ranks[from+l.least:from+l.length-l.least+1]
	expected := float64(l.least) * mean
	greatest := -1.
	for i, sum := range left {
		d := sum - base - expected
		if t := d * d * l.weights[i]; t > greatest {
			greatest, at = t, from+l.least+i
		}
		expected += mean
	}
	return at, greatest / variance
}

// widest bounds the deviance of the possible places of a change point:
// (1-exp(-c/2))^2 = .99 (Hansen: Sample splitting and threshold estimation, 2000).
// It uses .99 so that .95 holds: values clamped to the two levels spread less than
// the noise does.
const widest = 10.6

// within returns the best place to cut an interval as long as the layer, and the
// range of places whose deviance -n log(1 - T/(n-1)) is close to the least. worth
// is how many values count as one.
func (s sums) within(l layer, worth float64) split {
	at, statistic := s.best(0, l)
	best := split{at: at, statistic: statistic, earliest: at, latest: at}
	mean, variance := s.variance(0, l.length)
	if !(variance > 1e-9) {
		return best
	}
	n := float64(l.length)
	deviance := func(t float64) float64 { return -n * math.Log(math.Max(1-t/(n-1), 1e-9)) }
	least := deviance(statistic) - widest*worth
	for i, w := range l.weights {
		k := l.least + i
		d := s.ranks[k] - float64(k)*mean
		if deviance(d*d*w/variance) >= least {
			best.earliest, best.latest = min(best.earliest, k), max(best.latest, k)
		}
	}
	return best
}
