package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/stats"
)

// sample is one figure as the rule below sees it: whose it is, and from where
// to where its repeats lie.
type sample struct {
	keys           []string // the hosts that it is about
	low, mid, high float64
	single         bool // one reading has no spread of its own
	disturbed      bool // something else ran meanwhile
}

func sampleOf(f Figure, keys ...string) sample {
	s := sample{keys: keys, low: f.Low, mid: f.Value, high: f.High, single: f.N < 2}
	if f.Level == 0 && len(f.Repeats) > 0 {
		// Too few repeats for an interval: all of them count.
		s.low, s.high = slices.Min(f.Repeats), slices.Max(f.Repeats)
	}
	return s
}

// odd is a key that is not like the others.
type odd struct {
	key      string
	ratio    float64 // to the median of the others or its inverse: at least 1
	below    bool
	mid      float64 // its own median
	typical  float64 // the others' median
	from, to float64 // the least and the greatest median of the others
	single   bool    // some of its figures were read once
}

// How far off is odd. Drives of one model, cores under one power limit and
// links of one kind differ by a tenth or two among themselves; a quarter is more
// than that. What was read once has no spread to hold against it and must be
// half again as much; where something else ran meanwhile on any of the hosts, a
// single reading may be off by what that took: three times as much.
const (
	oddRatio          = 1.25
	oddRatioSingle    = 1.5
	oddRatioDisturbed = 3
)

// leastDifference keeps ratios of small numbers from meaning something: 2 °C
// against 3 °C, and round trips that differ by less than a wake-up takes.
var leastDifference = map[string]float64{"thermal.rise": 5, "net.rtt.median": 100e-6}

// side says on which side of the others to look.
type side int

const (
	eitherSide side = iota
	belowOnly
	aboveOnly
)

// standOut finds the keys that lie apart from the others: the others are a
// majority of at least two, every figure of an odd key lies wholly outside all
// of theirs, and it is farther from their median than oddRatio and than twice
// what they differ among themselves, as ratios go. So of four hosts of which
// two are slow none is odd: nobody can say which two are as they should be.
//
// Figures that are not above zero cannot be compared as ratios: none is odd
// then. wanted says which sides to look at.
func standOut(samples []sample, least float64, wanted side) []odd {
	keys := keysOf(samples)
	n := len(keys)
	if n < 3 || slices.ContainsFunc(samples, func(s sample) bool { return !(s.low > 0) || math.IsInf(s.high, 0) }) {
		return nil
	}
	// The largest set first: with two slow hosts, the second would make the rest
	// look scattered. Only the ends of the order can be apart.
	for size := (n - 1) / 2; size > 0; size-- {
		for under := range size + 1 {
			if wanted == belowOnly && under < size || wanted == aboveOnly && under > 0 {
				continue
			}
			if found := apart(samples, keys[:under], keys[n-(size-under):], least); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// keysOf gives the keys by the median of their figures.
func keysOf(samples []sample) []string {
	mids := map[string][]float64{}
	var keys []string
	for _, s := range samples {
		for _, k := range s.keys {
			if mids[k] == nil {
				keys = append(keys, k)
			}
			mids[k] = append(mids[k], s.mid)
		}
	}
	slices.SortStableFunc(keys, func(a, b string) int {
		return cmp.Compare(stats.Median(mids[a]), stats.Median(mids[b]))
	})
	return keys
}

// apart says how far below and above the others these keys are; nil where not
// all of them are clearly so.
func apart(samples []sample, below, above []string, least float64) []odd {
	touches := func(s sample, keys []string) bool {
		return slices.ContainsFunc(s.keys, func(k string) bool { return slices.Contains(keys, k) })
	}
	var mids []float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range samples {
		if !touches(s, below) && !touches(s, above) {
			mids, low, high = append(mids, s.mid), min(low, s.low), max(high, s.high)
		}
	}
	if len(mids) < 2 {
		return nil
	}
	typical := stats.Median(mids)
	disturbed := slices.ContainsFunc(samples, func(s sample) bool { return s.single && s.disturbed })
	among := slices.Max(mids) / slices.Min(mids)
	var out []odd
	for _, side := range []struct {
		keys  []string
		below bool
	}{{below, true}, {above, false}} {
		for _, key := range side.keys {
			o := odd{key: key, below: side.below, typical: typical, from: slices.Min(mids), to: slices.Max(mids)}
			var own []float64
			for _, s := range samples {
				if !slices.Contains(s.keys, key) {
					continue
				}
				own, o.single = append(own, s.mid), o.single || s.single
				bar, ratio := oddRatio, s.mid/typical
				switch {
				case s.single && disturbed:
					bar = oddRatioDisturbed
				case s.single:
					bar = oddRatioSingle
				}
				if side.below {
					ratio = 1 / ratio
				}
				outside := side.below && s.high < low || !side.below && s.low > high
				if !outside || ratio <= max(bar, among*among) || math.Abs(s.mid-typical) < least {
					return nil
				}
			}
			o.mid = stats.Median(own)
			o.ratio = max(o.mid/typical, typical/o.mid)
			out = append(out, o)
		}
	}
	return out
}
