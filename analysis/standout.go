package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/stats"
)

// sample is one figure as the rule below sees it: its owners, and the range of
// its repeats.
type sample struct {
	keys           []string // the hosts it describes
	low, mid, high float64
	repeats        []float64
	single         bool    // one reading has no spread
	few            bool    // too few repeats for an interval
	disturbed      bool    // something else ran or may have run meanwhile
	warmUp         float64 // the uncounted first repeat; 0 if there was none
}

func sampleOf(f Figure, keys ...string) sample {
	s := sample{keys: keys, low: f.Low, mid: f.Value, high: f.High, repeats: f.Repeats, single: f.N < 2}
	if f.Level == 0 && len(f.Repeats) > 0 {
		// Too few repeats for an interval: take their full range.
		s.low, s.high, s.few = slices.Min(f.Repeats), slices.Max(f.Repeats), true
	}
	return s
}

// odd is a key that differs from the others.
type odd struct {
	key      string
	ratio    float64 // to the others' median, or its inverse: at least 1
	below    bool
	mid      float64 // its own median
	typical  float64 // the others' median
	from, to float64 // least and greatest median of the others
	least    float64 // interval of the ratio
	most     float64
	single   bool      // some of its figures were read once
	repeats  []float64 // of all its figures, except for paths
}

// Thresholds for being odd. Drives of one model, cores under one power limit and links of
// one kind differ by a tenth or two; a quarter is more than that. With too few repeats for
// an interval, the ratio must exceed that of their greatest to their least. A single
// reading has no spread to weigh against it and must be off by half; if something else ran
// meanwhile on any of the hosts, or it is of one path between two hosts and nothing else
// confirms it, it must be off three times; with too few repeats for an interval, twice.
// Twice also suffices for a single reading if the warm-ups, which are not counted, differ
// three times in the same direction.
const (
	oddRatio          = 1.25
	oddRatioSingle    = 1.5
	oddRatioDisturbed = 3
	oddRatioFew       = 2
)

// leastDifference keeps ratios of small numbers from counting: 2 °C against 3
// °C, and round trips that differ by less than a wake-up takes.
var leastDifference = map[string]float64{"thermal.rise": 5, "net.rtt.median": 100e-6}

// side is the side of the others to look at.
type side int

const (
	eitherSide side = iota
	belowOnly
	aboveOnly
)

// standOut finds the keys that stand apart from the others: the others are a
// majority of at least two, every figure of an odd key lies wholly outside all
// of theirs, and its ratio to their median exceeds both oddRatio and twice
// their own spread, as ratios go. So if two of four hosts are slow, none is
// odd: nobody can tell which two are as they should be.
//
// Figures not above zero cannot be compared as ratios: then none is odd. wanted
// selects the sides to look at.
func standOut(samples []sample, least float64, wanted side) []odd {
	keys := keysOf(samples)
	n := len(keys)
	if n < 3 || slices.ContainsFunc(samples, func(s sample) bool { return !(s.low > 0) || math.IsInf(s.high, 0) }) {
		return nil
	}
	r := rank(samples, keys)
	below, above := r.gapsBelow(n), r.gapsAbove(n)
	// Try the largest set first: with two slow hosts, the second would make the
	// rest look scattered. Only the ends of the order can be apart.
	for size := (n - 1) / 2; size > 0; size-- {
		for under := range size + 1 {
			if wanted == belowOnly && under < size || wanted == aboveOnly && under > 0 {
				continue
			}
			if !below[under] || !above[size-under] {
				continue
			}
			if found := r.apart(keys, under, size-under, least); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// keysOf returns the keys sorted by the median of their figures.
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
	medians := make(map[string]float64, len(keys))
	for _, k := range keys {
		medians[k] = stats.Median(mids[k])
	}
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(medians[a], medians[b]) })
	return keys
}

// ranked holds samples with the ranks of their keys among all keys. With a thousand
// links every set of odd ones is tried, so a try must not compare names.
type ranked struct {
	samples     []sample
	first, last []int   // least and greatest rank of each sample's keys
	of          [][]int // samples of each key, by its rank
	disturbed   bool    // something else ran during a single reading
	few         bool    // or during too few repeats for an interval
}

func rank(samples []sample, keys []string) ranked {
	at := make(map[string]int, len(keys))
	for i, k := range keys {
		at[k] = i
	}
	r := ranked{samples: samples, of: make([][]int, len(keys))}
	for i, s := range samples {
		first, last := len(keys), -1
		for _, k := range s.keys {
			first, last = min(first, at[k]), max(last, at[k])
			r.of[at[k]] = append(r.of[at[k]], i)
		}
		r.first, r.last = append(r.first, first), append(r.last, last)
		r.disturbed = r.disturbed || s.single && s.disturbed
		r.few = r.few || s.few && s.disturbed
	}
	return r
}

// gapsBelow reports, for each k up to half of n, whether all figures of the lowest k
// keys lie below all others.
func (r ranked) gapsBelow(n int) []bool {
	highest, lowest := make([]float64, n+1), make([]float64, n+1) // of samples whose first key has that rank
	for i := range highest {
		highest[i], lowest[i] = math.Inf(-1), math.Inf(1)
	}
	for i, s := range r.samples {
		highest[r.first[i]] = max(highest[r.first[i]], s.high)
		lowest[r.first[i]] = min(lowest[r.first[i]], s.low)
	}
	for i := n - 1; i >= 0; i-- {
		lowest[i] = min(lowest[i], lowest[i+1])
	}
	gaps, high := []bool{true}, math.Inf(-1)
	for k := 1; k <= n/2; k++ {
		high = max(high, highest[k-1])
		gaps = append(gaps, high < lowest[k])
	}
	return gaps
}

// gapsAbove reports the same for the highest keys.
func (r ranked) gapsAbove(n int) []bool {
	mirror := ranked{first: make([]int, len(r.samples)), samples: make([]sample, len(r.samples))}
	for i, s := range r.samples {
		mirror.first[i], mirror.samples[i] = n-1-r.last[i], sample{low: -s.high, high: -s.low}
	}
	return mirror.gapsBelow(n)
}

// apart returns how far the lowest and the highest keys are from the others; nil
// unless all of them are clearly apart.
func (r ranked) apart(keys []string, below, above int, least float64) []odd {
	var mids []float64
	for i, s := range r.samples {
		if r.first[i] >= below && r.last[i] < len(keys)-above {
			mids = append(mids, s.mid)
		}
	}
	if len(mids) < 2 {
		return nil
	}
	slices.Sort(mids)
	others := odd{typical: stats.Median(mids), from: mids[0], to: mids[len(mids)-1]}
	var out []odd
	for at := range keys {
		if at >= below && at < len(keys)-above {
			continue
		}
		o := others
		o.key, o.below = keys[at], at < below
		if !r.measure(&o, r.of[at], least) {
			return nil
		}
		out = append(out, o)
	}
	return out
}

// measure computes how far a key is from the others, and reports whether each of
// its figures is clearly apart.
func (r ranked) measure(o *odd, figures []int, least float64) bool {
	among := o.to / o.from
	var own []float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range figures {
		s := r.samples[i]
		low, high, o.repeats = min(low, s.low), max(high, s.high), s.repeats
		own, o.single = append(own, s.mid), o.single || s.single
		bar, ratio := oddRatio, s.mid/o.typical
		switch {
		case s.single && r.disturbed && r.warmUpsAgree(i, o.below):
			bar = oddRatioFew
		case s.single && r.disturbed:
			bar = oddRatioDisturbed
		case s.few && r.few:
			bar = oddRatioFew
		case s.single:
			bar = oddRatioSingle
		}
		if o.below {
			ratio = 1 / ratio
		}
		if s.few {
			// With two or three repeats, their range is the uncertainty.
			bar = max(bar, s.high/s.low)
		}
		if ratio <= max(bar, among*among) || math.Abs(s.mid-o.typical) < least {
			return false
		}
	}
	o.mid = stats.Median(own)
	o.ratio = max(o.mid/o.typical, o.typical/o.mid)
	o.least, o.most = low/o.to, high/o.from
	if o.below {
		o.least, o.most = o.from/high, o.to/low
	}
	return true
}

// warmUpsAgree reports whether a sample's warm-up is as far from all other samples'
// as a single disturbed reading must be.
func (r ranked) warmUpsAgree(i int, below bool) bool {
	own := r.samples[i].warmUp
	for k, s := range r.samples {
		ratio := own / s.warmUp
		if below {
			ratio = s.warmUp / own
		}
		if k != i && (!(own > 0) || !(s.warmUp > 0) || ratio < oddRatioDisturbed) {
			return false
		}
	}
	return true
}
