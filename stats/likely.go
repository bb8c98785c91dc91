package stats

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// What the model of few repeats supposes: that their logarithms are normal, and that a
// standard deviation below UsualSpread is in part luck: the usual one counts for as
// much as usualWeight differences between repeats. Repeats of a quiet machine spread
// by a few per cent, those of a busy one by a third: UsualSpread lies between. A
// greater one counts as it is seen.
const (
	UsualSpread = .15
	usualWeight = 4.
	// LikelyAlpha is the most that the corrected p of the model may be. It is stricter
	// than Alpha, since the model may be wrong.
	LikelyAlpha = .01
	// LikelyMargin is the share by which the truth must differ for the model to say so:
	// what repeats of one moment have in common, other work or a warm cache, moves all
	// of them alike, and no model of their spread sees it.
	LikelyMargin = .25
	// LeastForLikely is how many repeats each side must have.
	LeastForLikely = 3
)

// likely is what the model says of two samples. The zero value says nothing.
type likely struct {
	effect, se, freedom float64 // of the logarithms, other - base
	apart               bool    // no value of one lies among those of the other
}

// likelyOf compares two samples of few repeats, by which a test by ranks can prove
// nothing: with three on each side its p is never below .1, though they may lie a
// factor of a hundred apart. It is Student's test of the logarithms with the pooled
// variance, to which the usual one is added as a prior where it is greater (a scaled
// inverse χ²: Gelman et al., Bayesian Data Analysis, 3rd ed., 3.3). It says nothing where a side has fewer
// than LeastForLikely values, or one that is not above zero.
//
// doc/statistics.md has its rates of error, by simulation.
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

// p is how probable as great an effect is where the truth differs by LikelyMargin,
// two-sided; 1 where the samples overlap.
func (l likely) p() float64 {
	if !l.apart {
		return 1
	}
	t := stats.TDist{V: l.freedom}
	return min(1, 2*t.CDF(-max(0, math.Abs(l.effect)-math.Log1p(LikelyMargin))/l.se))
}

// ratio is that of other to base, with its interval at Confidence; ok is false where
// it is no number.
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
