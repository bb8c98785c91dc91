package trend

import (
	"cmp"
	"math"
	"slices"

	"assay/internal/order"
	"assay/stats"
)

// search is one search of one history.
type search struct {
	values []float64
	o      Options
	memory float64   // autocorrelation of the noise
	worth  float64   // how much memory inflates the variance of a mean
	null   []float64 // greatest statistics of random orders, rising
	found  []int     // change points, rising
}

// split is the best place to cut an interval.
type split struct {
	at               int     // first index of the right part
	statistic        float64 // squared standardised Mann–Whitney, corrected for memory
	earliest, latest int     // range of at that is about as good
}

func (s *search) run() {
	if len(s.values) < 2*s.o.Least || constant(s.values) {
		return
	}
	ranks := centredRanks(s.values)
	layers := seeds(len(ranks), s.o.Least)
	candidates := candidatesOf(ranks, layers)
	if !s.holdAgainst(ranks, layers, candidates[0].best.statistic) {
		return
	}
	s.worth = 1
	s.choose(candidates)
	// The cuts found show how much memory the rest has; then weigh everything
	// again.
	if s.memory = s.memoryOf(); s.memory > 0 {
		s.worth = (1 + s.memory) / (1 - s.memory)
		s.choose(candidates)
	}
}

// candidate is an interval with its best split.
type candidate struct {
	from, to int
	best     split
}

// candidatesOf returns the best split of every interval, greatest statistic
// first.
func candidatesOf(ranks []float64, layers []layer) []candidate {
	sums := newSums(ranks)
	var all []candidate
	for _, l := range layers {
		for _, from := range l.starts {
			at, statistic := sums.best(from, l)
			all = append(all, candidate{from, from + l.length, split{at: at, statistic: statistic}})
		}
	}
	order.Stable(all, func(a, b candidate) int { return cmp.Compare(b.best.statistic, a.best.statistic) })
	return all
}

// choose takes the best candidate, skips those whose interval contains it, and
// repeats with the rest while they are significant. Then it settles what it
// found.
func (s *search) choose(candidates []candidate) {
	s.found = nil
	for _, c := range candidates {
		if s.p(c.best.statistic/s.worthAt(c.from, c.best.at, c.to)) > s.o.Level {
			continue
		}
		if !slices.ContainsFunc(s.found, func(at int) bool {
			return c.from < at && at < c.to || abs(at-c.best.at) < s.o.Least
		}) {
			s.found = append(s.found, c.best.at)
		}
	}
	s.settle()
}

// settle places each change point again between its neighbours and drops the
// weakest, as long as one is not significant against its neighbours alone.
func (s *search) settle() {
	slices.Sort(s.found)
	for len(s.found) > 0 {
		s.place()
		weakest, least := 0, math.Inf(1)
		for i := range s.found {
			if t := s.around(i).statistic; t < least {
				weakest, least = i, t
			}
		}
		if s.p(least) <= s.o.Level {
			return
		}
		s.found = slices.Delete(s.found, weakest, weakest+1)
	}
}

// place moves change points to their best places until none moves; a few rounds
// are enough, and more would go in circles.
func (s *search) place() {
	for range 5 {
		moved := false
		for i := range s.found {
			if at := s.around(i).at; at != s.found[i] {
				s.found[i], moved = at, true
			}
		}
		if !moved {
			return
		}
	}
}

// around returns the best split of the two segments that meet at change point i:
// its statistic from ranks, its place from values. Ranks alone pull the place of
// a large step towards the middle: once they tell all values apart, they do not
// say how far.
func (s *search) around(i int) split {
	from, to := s.start(i), s.end(i+1)
	l := newLayer(to-from, s.o.Least)
	ranks := centredRanks(s.values[from:to])
	best := newSums(ranks).within(l, s.worth)
	if between := betweenLevels(s.values[from:s.found[i]], s.values[s.found[i]:to]); between != nil {
		statistic := best.statistic
		best = newSums(between).within(l, s.worth)
		best.statistic = statistic
	}
	return split{from + best.at, best.statistic / s.worthAt(from, from+best.at, to), from + best.earliest, from + best.latest}
}

// betweenLevels returns where each value lies between the medians of two segments,
// -1/2 at one and 1/2 at the other, clamped: an outlier counts no more than a
// value of the other level. nil if the medians leave no range.
func betweenLevels(before, after []float64) []float64 {
	low, high := stats.Median(before), stats.Median(after)
	if !(math.Abs(high-low) > 0) || math.IsInf(high-low, 0) {
		return nil
	}
	var all []float64
	for _, side := range [][]float64{before, after} {
		for _, v := range side {
			all = append(all, min(max((v-low)/(high-low), 0), 1)-.5)
		}
	}
	return all
}

// start and end bound segment i.
func (s *search) start(i int) int {
	if i == 0 {
		return 0
	}
	return s.found[i-1]
}

func (s *search) end(i int) int {
	if i >= len(s.found) {
		return len(s.values)
	}
	return s.found[i]
}

func constant(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

func abs(n int) int { return max(n, -n) }
