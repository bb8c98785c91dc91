package stats

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Assumptions of the model for few repeats: their logarithms are normal, and a
// standard deviation below UsualSpread is partly luck: the usual one is weighted as
// usualWeight differences between repeats. Repeats on a quiet machine spread by a few
// per cent, on a busy one by a third: UsualSpread lies between. For a greater deviation
// the usual one has half that weight.
const (
	UsualSpread = .15
	usualWeight = 4.
	// LikelyAlpha is the upper bound of the model's corrected p. It is stricter than
	// Alpha, since the model may be wrong.
	LikelyAlpha = .01
	// LikelyMargin is the share by which the true values must differ for the model's
	// verdict: whatever simultaneous repeats have in common, such as other work or a
	// warm cache, moves them all alike, and no model of their spread sees it.
	LikelyMargin = .25
	// LeastForLikely is the minimum number of repeats on each side.
	LeastForLikely = 3
)

// likely is the model's estimate for two samples. The zero value means no
// estimate.
type likely struct {
	effect, se, freedom float64 // of the logarithms, other - base
	apart               bool    // the samples do not overlap
}

// likelyOf compares two samples too small for a rank test to prove anything: with three on
// each side its p is never below .1, even if they lie a factor of a hundred apart. It is
// Student's test of the logarithms with the pooled variance, to which the usual one is added
// as a prior (a scaled inverse χ²: Gelman et al., Bayesian Data Analysis, 3rd ed., 3.3). It returns the zero value if a side has fewer than LeastForLikely values, or one
// that is not above zero.
//
// Its error rates, by simulation, are in doc/statistics.md.
func likelyOf(base, other []float64) likely {
	x, okX := logs(base)
	y, okY := logs(other)
	if !okX || !okY || len(x) < LeastForLikely || len(y) < LeastForLikely {
		return likely{}
	}
	nx, ny := float64(len(x)), float64(len(y))
	own := pooledDeviation(x, y)
	l := likely{
		effect: Mean(y) - Mean(x), freedom: nx + ny - 2,
		apart: slices.Max(x) < slices.Min(y) || slices.Max(y) < slices.Min(x),
	}
	weight := usualWeight
	if own > UsualSpread {
		weight = usualWeight / 2
	}
	variance := (own*own*l.freedom + UsualSpread*UsualSpread*weight) / (l.freedom + weight)
	l.freedom += weight
	l.se = math.Sqrt(variance * (1/nx + 1/ny))
	return l
}

// p returns the two-sided probability of an effect this large if the true values
// differ by LikelyMargin; 1 if the samples overlap.
func (l likely) p() float64 {
	if !l.apart {
		return 1
	}
	t := stats.TDist{V: l.freedom}
	return min(1, 2*t.CDF(-max(0, math.Abs(l.effect)-math.Log1p(LikelyMargin))/l.se))
}

// ratio returns the ratio of other to base, with its interval at Confidence; ok is
// false if it is not a number.
func (l likely) ratio() (r Interval, ok bool) {
	reach := l.se * -quantile(stats.TDist{V: l.freedom}, (1-Confidence)/2)
	r = Interval{Center: math.Exp(l.effect), Low: math.Exp(l.effect - reach), High: math.Exp(l.effect + reach), Level: Confidence}
	return r, Finite(r.High) && r.Low > 0
}

// quantile inverts the distribution below its median.
func quantile(t stats.TDist, p float64) float64 {
	low, high := -1., 0.
	for t.CDF(low) > p {
		low *= 2
	}
	for range 60 {
		if middle := (low + high) / 2; t.CDF(middle) > p {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}
