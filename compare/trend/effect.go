package trend

import (
	"math"
	"slices"

	"assay/stats"
)

// Effect is how much a level differs from the previous one, with its interval.
type Effect struct {
	Value, Low, High float64
	// Level is the confidence of the interval, about .95; 0 if there is none, because
	// segments are too short (three runs against three) or Value means nothing.
	Level float64
}

// shiftOf returns the Hodges–Lehmann estimate: the median of all differences
// between a value after and one before, with the interval from the Mann–Whitney
// test. The ranks of its ends come from the normal approximation.
func shiftOf(before, after []float64) Effect {
	b, a := slices.Clone(before), slices.Clone(after)
	slices.Sort(b)
	slices.Sort(a)
	m, n := float64(len(b)), float64(len(a))
	pairs := len(b) * len(a)
	const z = 1.959964
	cut := int(math.Floor(m*n/2 - z*math.Sqrt(m*n*(m+n+1)/12)))
	middle := difference(b, a, (pairs+1)/2)
	if pairs%2 == 0 {
		middle = middle/2 + difference(b, a, pairs/2+1)/2
	}
	if cut < 1 {
		return Effect{Value: middle, Low: middle, High: middle}
	}
	return Effect{Value: middle, Low: difference(b, a, cut), High: difference(b, a, pairs+1-cut), Level: stats.Confidence}
}

// ratioOf is shiftOf on the logarithms; empty if a value is not positive.
func ratioOf(before, after []float64) Effect {
	logs := func(values []float64) []float64 {
		out := make([]float64, 0, len(values))
		for _, v := range values {
			if v > 0 {
				out = append(out, math.Log(v))
			}
		}
		return out
	}
	b, a := logs(before), logs(after)
	if len(b) < len(before) || len(a) < len(after) {
		return Effect{}
	}
	e := shiftOf(b, a)
	return Effect{math.Exp(e.Value), math.Exp(e.Low), math.Exp(e.High), e.Level}
}

// difference returns the k-th smallest (from 1) of all differences a - b of two
// sorted samples. It bisects the range of the differences until no number lies
// between, a hundred times at most, so the pairs need no memory: two segments
// of thousands of runs have millions.
func difference(b, a []float64, k int) float64 {
	low, high := a[0]-b[len(b)-1], a[len(a)-1]-b[0]
	if atMost(b, a, low) >= k {
		return low
	}
	for range 100 {
		middle := low/2 + high/2
		if middle <= low || middle >= high {
			break
		}
		if atMost(b, a, middle) >= k {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// atMost counts the differences a - b <= d.
func atMost(b, a []float64, d float64) int {
	count, j := 0, 0
	for _, v := range a {
		for j < len(b) && v-b[j] > d { // b[j:] are within d; j only grows
			j++
		}
		count += len(b) - j
	}
	return count
}
