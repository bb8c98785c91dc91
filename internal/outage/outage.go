// Package outage finds the gaps between the times of answers.
package outage

import (
	"cmp"
	"slices"

	"assay"
	"assay/stats"
)

// Gap is the time between two answers, both in s of one clock.
type Gap struct{ From, To float64 }

// Seconds returns the length of the gap.
func (g Gap) Seconds() float64 { return g.To - g.From }

// gaps returns the times between answers, which are sorted.
func gaps(at []float64) []Gap {
	var all []Gap
	for i := 1; i < len(at); i++ {
		all = append(all, Gap{at[i-1], at[i]})
	}
	return all
}

// Longest returns the longest gap that ends after one moment and begins before another, the
// first of equals. ok is false if there is none. Answers are sorted.
func Longest(at []float64, after, before float64) (longest Gap, ok bool) {
	for _, g := range gaps(at) {
		if g.To > after && g.From < before && (!ok || g.Seconds() > longest.Seconds()) {
			longest, ok = g, true
		}
	}
	return longest, ok
}

// Interval returns the median time between two answers, in s. Answers are
// sorted.
func Interval(at []float64) float64 {
	var between []float64
	for _, g := range gaps(at) {
		between = append(between, g.Seconds())
	}
	return stats.Median(between)
}

// Which gaps a time line shows: those beyond the jitter of a busy host, and no more than
// one can read.
const (
	telling     = .1 // s
	tellingOf   = 10 // intervals
	mostTelling = 8
)

// Telling returns the few longest gaps that end after a moment and are long compared with
// the interval, in order. Answers are sorted.
func Telling(at []float64, after float64) []Gap { return Longer(gaps(at), after, Interval(at)) }

// Longer is Telling for known gaps between answers at that interval.
func Longer(all []Gap, after, interval float64) []Gap {
	least := max(telling, tellingOf*interval)
	all = slices.DeleteFunc(slices.Clone(all), func(g Gap) bool { return g.To <= after || g.Seconds() < least })
	slices.SortStableFunc(all, func(a, b Gap) int { return cmp.Compare(b.Seconds(), a.Seconds()) })
	all = all[:min(len(all), mostTelling)]
	slices.SortFunc(all, func(a, b Gap) int { return cmp.Compare(a.From, b.From) })
	return all
}

// Moments returns the ends of gaps as a host saw them, by a clock that is that far ahead of
// the others' and may be off.
func Moments(by string, all []Gap, ahead, off float64) (moments []assay.Moment) {
	for _, g := range all {
		moments = append(moments,
			assay.Moment{What: assay.LastAnswer, By: by, At: g.From - ahead, Error: off},
			assay.Moment{What: assay.Answer, By: by, At: g.To - ahead, Error: off})
	}
	return moments
}
