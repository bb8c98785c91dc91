package stats

import (
	"math"
	"slices"
)

// Interval is an estimate with the interval in which the true value lies.
type Interval struct {
	Center    float64
	Low, High float64 // both Center if Level is 0
	// Level is the interval's actual confidence: at least the requested one,
	// and mostly more. 0: there are too few values for an interval.
	Level float64
}

// Shift returns how far the values of to lie above those of from: the median of
// all pairwise differences, in the unit of the values, with the interval of at
// least the level (0..1) that the Mann–Whitney test does not reject. With ties
// it is wider than necessary, never narrower. ok is false if a side is empty, or
// a difference is not finite.
//
// Hodges and Lehmann, Estimates of Location Based on Rank Tests, 1963.
func Shift(from, to []float64, level float64) (s Interval, ok bool) {
	if len(from) == 0 || len(to) == 0 || !allFinite(from) || !allFinite(to) {
		return s, false
	}
	d := differences{slices.Sorted(slices.Values(to)), slices.Sorted(slices.Values(from))}
	pairs := d.count()
	s.Center = d.ranked((pairs+1)/2)/2 + d.ranked(pairs/2+1)/2
	s.Low, s.High = s.Center, s.Center
	if c, reached := rejected(len(from), len(to), level); c > 0 {
		s.Low, s.High, s.Level = d.ranked(c), d.ranked(pairs+1-c), reached
	}
	return s, Finite(s.Center) && Finite(s.Low) && Finite(s.High)
}

// Ratio returns how many times as large the values of to are: exp of the Shift
// of the logarithms. ok is false as for Shift, and if a value is not above 0.
func Ratio(from, to []float64, level float64) (r Interval, ok bool) {
	lf, okFrom := logs(from)
	lt, okTo := logs(to)
	if !okFrom || !okTo {
		return r, false
	}
	s, ok := Shift(lf, lt, level)
	if !ok {
		return r, false
	}
	r = Interval{math.Exp(s.Center), math.Exp(s.Low), math.Exp(s.High), s.Level}
	return r, r.Low > 0 && Finite(r.High)
}

// logs returns the logarithms of values; false unless all are above 0.
func logs(values []float64) ([]float64, bool) {
	out := make([]float64, len(values))
	for i, v := range values {
		if !(v > 0) {
			return nil, false
		}
		out[i] = math.Log(v)
	}
	return out, true
}

// rejected returns the rank c, from 1, of the smallest difference inside the
// interval: c-1 is the greatest U that a one-sided test at half of what the
// level leaves rejects. c is 0 if there is none. reached is the actual level.
func rejected(n1, n2 int, level float64) (c int, reached float64) {
	tail := (1 - level) / 2
	if small := min(n1, n2); (n1+n2)*small <= exactRanks {
		below := 0.
		for u, share := range doubledU(singles(n1+n2), small) {
			if below+share > tail+1e-12 {
				return u / 2, 1 - 2*below
			}
			below += share
		}
		return 0, 0
	}
	mean := float64(n1) * float64(n2) / 2
	sigma := math.Sqrt(mean * float64(n1+n2+1) / 6)
	c = int(mean - .5 + sigma*normalQuantile(tail) + 1)
	if c <= 0 {
		return 0, 0
	}
	return c, 1 - 2*normalBelow((float64(c)-.5-mean)/sigma)
}

// differences are all a - b of two sorted samples. They are never materialised:
// for ten thousand values each they would number a hundred million.
type differences struct{ a, b []float64 }

func (d differences) count() int { return len(d.a) * len(d.b) }

// ranked returns the k-th smallest difference, from 1.
func (d differences) ranked(k int) float64 {
	// Ordered floats map to ordered integers: bisection needs at most 64 steps
	// and ends at an actual difference rather than near one.
	low, high := ordinal(math.Inf(-1)), ordinal(math.Inf(1))
	for low < high {
		middle := low + (high-low)/2
		if d.upTo(fromOrdinal(middle)) >= k {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return fromOrdinal(low) + 0 // -0 is 0
}

// upTo counts the differences that do not exceed v.
func (d differences) upTo(v float64) int {
	count, j := 0, 0
	for _, a := range d.a {
		// The greater a is, the fewer of b are large enough.
		for j < len(d.b) && a-d.b[j] > v {
			j++
		}
		count += len(d.b) - j
	}
	return count
}

// ordinal maps floats to unsigned integers in the same order.
func ordinal(v float64) uint64 {
	bits := math.Float64bits(v)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

func fromOrdinal(o uint64) float64 {
	if o>>63 == 1 {
		return math.Float64frombits(o &^ (1 << 63))
	}
	return math.Float64frombits(^o)
}
