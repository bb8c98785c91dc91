package stats

import (
	"fmt"
	"math"
	"slices"
)

// Thresholds of a comparison.
const (
	Alpha            = .05 // upper bound of a difference's corrected p
	EquivalenceLevel = .90 // level of the interval that must lie within the margin
	Margin           = .03 // differences up to this share do not matter
)

// Verdict is the outcome of a comparison. Whether more is better, or "faster",
// depends on the metric.
type Verdict string

// The three verdicts.
const (
	Different    Verdict = "different"
	Equivalent   Verdict = "equivalent"
	Undetermined Verdict = "undetermined"
)

// Comparison compares two samples of repeats. No field is ever NaN or infinite.
type Comparison struct {
	Base, Other Summary // medians; Base.N and Other.N count finite values
	// Ratio is other / base with its interval. HasRatio is false if a value is
	// not above 0; then Ratio is all zeros, and Difference is judged instead.
	Ratio    Interval
	HasRatio bool
	// Difference is other - base with its interval, in the unit of the values.
	Difference Interval
	P          float64 // of the Mann–Whitney test
	PHolm      float64 // P corrected for all comparisons judged together
	Exact      bool    // P is exact
	Verdict    Verdict
	// Likely reports that Different rests on a model rather than on ranks: there are
	// too few repeats for ranks, or too many comparisons. PHolm and LikelyRatio are
	// then the model's.
	Likely      bool
	LikelyRatio Interval
	// Why explains why a comparison is undetermined.
	Why string
	// More is how many more repeats each side needs for a verdict; 0 if none, or
	// if not even MostMore would do. An estimate: see Judge.
	More     int
	Warnings []string // what was left out

	narrow effect // the same at EquivalenceLevel, in logarithms if there is a ratio
	wide   effect // at Confidence
	spread float64
	model  likely
}

// effect is an interval on the scale of the judgement.
type effect struct{ center, low, high float64 }

// Compare compares two samples of repeats, each value one independent repeat,
// and judges the result as if it were the only one. Non-finite values are
// dropped with a warning. Judge judges it again, together with others.
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

// measure computes the intervals.
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

// pooledDeviation returns the standard deviation of two samples about their own
// means; 0 if there are too few values.
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

// Judge sets the verdict of each comparison in a report, and corrects p for their
// number. Comparisons with too few repeats for any interval are not tests and do not
// count. margin is the share below which a difference does not matter, such as
// Margin; at 0 every difference matters, and only samples without any are
// equivalent.
//
// Different: PHolm is below Alpha and the whole interval lies outside the margin.
// Equivalent: the whole interval at EquivalenceLevel lies within it, which amounts
// to two one-sided tests at Alpha each. The margin runs from 1/(1+margin) to
// 1+margin, so that it does not matter which side is the base. If there is no ratio,
// the difference is compared with the same share of the greater median.
//
// Different and Likely: the repeats are too few for ranks, or p is corrected for too
// many comparisons, but a model of their spread leaves no doubt; see LikelyAlpha.
//
// More assumes that the ratio is as estimated and that values keep their spread: it
// is the least number for which the verdict would then be reached in four of five
// cases, at the level Alpha over the size of the family.
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

// judgeLikely applies the model's verdict to comparisons that ranks leave
// undetermined, if it is certain enough with p corrected for all comparisons that
// the model covers.
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

// judge sets the verdict; PHolm must be set.
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

// band returns the margin on the scale of the judgement.
func (c *Comparison) band(margin float64) float64 {
	if c.HasRatio {
		return math.Log1p(max(0, margin))
	}
	return max(0, margin) * max(math.Abs(c.Base.Center), math.Abs(c.Other.Center))
}
