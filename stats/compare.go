package stats

import (
	"fmt"
	"math"
	"slices"
)

// What a comparison goes by.
const (
	Alpha            = .05 // the most that the corrected p of a difference may be
	EquivalenceLevel = .90 // of the interval that must lie within the margin
	Margin           = .03 // differences up to this share matter to nobody
)

// Verdict is what a comparison comes to. Whether more is better is a question of
// the metric, and so is "faster".
type Verdict string

// The three verdicts.
const (
	Different    Verdict = "different"
	Equivalent   Verdict = "equivalent"
	Undetermined Verdict = "undetermined"
)

// Comparison is what two samples of repeats say about each other. No field is
// ever NaN or infinite.
type Comparison struct {
	Base, Other Summary // medians; Base.N and Other.N count finite values
	// Ratio is other / base with its interval. HasRatio is false where a value is
	// not above 0; then Ratio is all zeros, and Difference is what is judged.
	Ratio    Interval
	HasRatio bool
	// Difference is other - base with its interval, in the unit of the values.
	Difference Interval
	P          float64 // of the Mann–Whitney test
	PHolm      float64 // P corrected for all comparisons judged together
	Exact      bool    // P is exact
	Verdict    Verdict
	// Likely says that Different rests on a model and not on ranks: there are too few
	// repeats for those, or too many comparisons. PHolm is then the model's, as is
	// LikelyRatio.
	Likely      bool
	LikelyRatio Interval
	// Why says in words why a comparison is undetermined.
	Why string
	// More is how many more repeats each side needs for a verdict, 0 for none and
	// where not even MostMore would do. An estimate: see Judge.
	More     int
	Warnings []string // what was left out

	narrow effect // the same at EquivalenceLevel, in logarithms where there is a ratio
	wide   effect // at Confidence
	spread float64
	model  likely
}

// effect is an interval on the scale on which it is judged.
type effect struct{ center, low, high float64 }

// Compare compares two samples of repeats, each value one independent repeat,
// and judges the result as if it were the only one. Values that are not finite
// are left out with a warning. Judge judges it anew, together with others.
func Compare(base, other []float64) Comparison {
	base, other = slices.Clone(base), slices.Clone(other)
	c := Comparison{Base: Summarise(base), Other: Summarise(other), P: 1}
	for _, side := range []struct {
		name   string
		values *[]float64
	}{{"base", &base}, {"other", &other}} {
		all := len(*side.values)
		*side.values = slices.DeleteFunc(*side.values, func(v float64) bool { return !Finite(v) })
		if out := all - len(*side.values); out > 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %d of %d values are not finite and were left out", side.name, out, all))
		}
	}
	if t, ok := MannWhitney(base, other); ok {
		c.P, c.Exact = t.P, t.Exact
	}
	c.model = likelyOf(base, other)
	c.measure(base, other)
	family := []Comparison{c}
	Judge(family, Margin)
	return family[0]
}

// measure fills in the intervals.
func (c *Comparison) measure(base, other []float64) {
	difference, ok := Shift(base, other, Confidence)
	if !ok {
		return
	}
	c.Difference = difference
	if c.Ratio, c.HasRatio = Ratio(base, other, Confidence); c.HasRatio {
		base, _ = logs(base)
		other, _ = logs(other)
	} else {
		c.Ratio = Interval{}
	}
	wide, _ := Shift(base, other, Confidence)
	narrow, _ := Shift(base, other, EquivalenceLevel)
	c.wide = effect{wide.Center, wide.Low, wide.High}
	c.narrow = effect{narrow.Center, narrow.Low, narrow.High}
	c.spread = pooledDeviation(base, other)
}

// pooledDeviation is the standard deviation of two samples about their own
// means; 0 where there are too few values to tell.
func pooledDeviation(xs, ys []float64) float64 {
	sum := 0.
	for _, side := range [][]float64{xs, ys} {
		mean := Mean(side)
		for _, x := range side {
			sum += (x - mean) * (x - mean)
		}
	}
	if deviation := math.Sqrt(sum / float64(len(xs)+len(ys)-2)); Finite(deviation) {
		return deviation
	}
	return 0
}

// Judge returns each comparison of a report its verdict, and corrects p for how
// many there are. Those with too few repeats for any interval ask nothing and do
// not count. margin is the share below which a difference does not matter, such
// as Margin; 0 means that every difference does, and only what does not differ at
// all is equivalent.
//
// Different: PHolm is below Alpha and the whole interval lies outside the margin.
// Equivalent: the whole interval at EquivalenceLevel lies within it, which is two
// one-sided tests at Alpha each. The margin reaches from 1/(1+margin) to
// 1+margin, so that it does not matter which side is the base. Where there is no
// ratio, the difference is held against the same share of the greater median.
//
// Different and Likely: the repeats are too few for the ranks, or p is corrected for
// too many comparisons, but a model of their spread has no doubt; see LikelyAlpha.
//
// More supposes that the ratio is what it seems and that values go on to spread
// as they do now: it is the least number for which the verdict would then fall
// in four of five cases, at the level Alpha over the size of the family.
func Judge(family []Comparison, margin float64) {
	var asked []int
	var ps []float64
	for i, c := range family {
		if c.Difference.Level > 0 {
			asked, ps = append(asked, i), append(ps, c.P)
		}
		family[i].PHolm = c.P
	}
	for i, p := range Holm(ps) {
		family[asked[i]].PHolm = p
	}
	for i := range family {
		family[i].judge(margin, max(1, len(asked)))
	}
	judgeLikely(family)
}

// judgeLikely returns what ranks leave undetermined the verdict of the model, where
// that is sure enough with p corrected for all that it could be asked of.
func judgeLikely(family []Comparison) {
	var asked []int
	var ps []float64
	for i, c := range family {
		if c.model.freedom > 0 {
			asked, ps = append(asked, i), append(ps, c.model.p())
		}
	}
	for i, p := range Holm(ps) {
		c := &family[asked[i]]
		ratio, ok := c.model.ratio()
		if c.Verdict != Undetermined || p >= LikelyAlpha || !ok {
			continue
		}
		c.Verdict, c.Likely, c.Why, c.More = Different, true, "", 0
		c.PHolm, c.LikelyRatio = p, ratio
	}
}

// judge returns the verdict; PHolm is there.
func (c *Comparison) judge(margin float64, asked int) {
	band := c.band(margin)
	c.Verdict, c.Why, c.More = Undetermined, "", 0
	c.Likely, c.LikelyRatio = false, Interval{}
	outside := c.wide.low > band || c.wide.high < -band
	switch {
	case c.Base.N == 0 || c.Other.N == 0:
		c.Why = fmt.Sprintf("no values to compare: %d and %d", c.Base.N, c.Other.N)
	case c.Difference.Level == 0 && leastP(c.Base.N, c.Other.N) <= 1-Confidence:
		c.Why = "the values are too far apart to compute their difference"
		return
	case c.Difference.Level == 0:
		c.Why = fmt.Sprintf("%d and %d repeats are too few for an interval at level %v", c.Base.N, c.Other.N, Confidence)
	case outside && c.PHolm < Alpha:
		c.Verdict = Different
		return
	case c.narrow.low >= -band && c.narrow.high <= band:
		c.Verdict = Equivalent
		return
	case outside:
		c.Why = fmt.Sprintf("p is %.2g after correction for %d comparisons", c.PHolm, asked)
	default:
		c.Why = fmt.Sprintf("the interval lies neither inside nor outside ± %.3g %%", 100*margin)
	}
	c.More = c.more(band, asked)
}

// band is the margin on the scale on which the effect is judged.
func (c *Comparison) band(margin float64) float64 {
	if c.HasRatio {
		return math.Log1p(max(0, margin))
	}
	return max(0, margin) * max(math.Abs(c.Base.Center), math.Abs(c.Other.Center))
}
