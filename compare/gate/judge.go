package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assay/stats"
)

// held is a figure with the inputs of its test.
type held struct {
	*Figure
	base, other []float64
	higher      bool    // more is better
	ratio       bool    // judged by ratio; else by difference
	border      float64 // the ratio or difference that the limit allows
	low, high   float64 // interval of the ratio or difference
}

// judge sets the verdicts of the figures, and returns how many were tested.
func judge(figures []Figure) int {
	var tested []held
	var ps []float64
	for i := range figures {
		if h := hold(&figures[i]); h.testable(len(figures)) {
			h.P = h.pWorse()
			tested, ps = append(tested, h), append(ps, h.P)
		}
	}
	corrected := stats.Holm(ps)
	for i, h := range tested {
		h.Holm = corrected[i]
		h.decide(len(tested))
	}
	return len(tested)
}

func hold(f *Figure) held {
	base, other := f.Cells[0], f.Cells[1]
	a := other.Against
	h := held{Figure: f, base: base.Values, other: other.Values, higher: f.Better == "higher", ratio: a.Difference == nil}
	sign := 1.
	if h.higher {
		sign = -1
	}
	h.border, h.low, h.high = 1+sign*f.Limit, a.Low, a.High
	if !h.ratio {
		h.border, h.low, h.high = sign*f.Limit*math.Abs(base.Median), a.Difference.Low, a.Difference.High
	}
	return h
}

// testable reports whether there are enough repeats for an interval; if not, it
// sets the verdict, and More for the number of tests there would be then.
func (h held) testable(figures int) bool {
	level := h.Cells[1].Against.Level
	if !h.ratio {
		level = h.Cells[1].Against.Difference.Level
	}
	if level > 0 {
		return true
	}
	h.Verdict, h.Why = TooFew, fmt.Sprintf("%d and %d are too few for an interval", len(h.base), len(h.other))
	h.More = h.more(figures)
	return false
}

// decide sets the verdict; Holm must be set.
func (h held) decide(tests int) {
	beyond, within := h.low > h.border, h.high <= h.border
	if h.higher {
		beyond, within = h.high < h.border, h.low >= h.border
	}
	switch {
	case beyond && h.Holm < stats.Alpha:
		h.Verdict = Regressed
		return
	case within:
		h.Verdict = Passed
		return
	case leastP(len(h.base), len(h.other))*float64(tests) >= stats.Alpha:
		h.Verdict = TooFew
		h.Why = fmt.Sprintf("%d and %d can never give p below %v over %d figures", len(h.base), len(h.other), stats.Alpha, tests)
	case beyond:
		h.Verdict, h.Why = Undecided, fmt.Sprintf("p is %.2g after correction for %d figures", h.Holm, tests)
	default:
		h.Verdict, h.Why = Undecided, "the interval includes the limit"
	}
	h.More = h.more(tests)
}

// pWorse returns the p of the new side being worse by no more than the limit: the
// one-sided Mann–Whitney test against the base shifted by the limit.
//
// The distribution of U is symmetric, so one tail is half of both, except for
// sides of different size with ties: there the two-sided p is used as an upper
// bound.
func (h held) pWorse() float64 {
	moved := make([]float64, len(h.base))
	for i, v := range h.base {
		if moved[i] = v + h.border; h.ratio {
			moved[i] = v * h.border
		}
	}
	t, ok := stats.MannWhitney(h.other, moved)
	if !ok {
		return 1
	}
	mean := float64(len(h.base)) * float64(len(h.other)) / 2
	worse := t.U > mean
	if h.higher {
		worse = t.U < mean
	}
	symmetric := len(h.base) == len(h.other) || !tied(h.other, moved)
	switch {
	case !worse && t.U != mean:
		return max(.5, 1-t.P/2)
	case symmetric:
		return t.P / 2
	}
	return t.P
}

// tied reports whether any two values are equal.
func tied(xs, ys []float64) bool {
	all := slices.Sorted(slices.Values(slices.Concat(xs, ys)))
	return len(slices.CompactFunc(all, func(a, b float64) bool { return cmp.Compare(a, b) == 0 })) < len(xs)+len(ys)
}

// leastP returns the least p of a one-sided test of samples of these sizes.
func leastP(n1, n2 int) float64 {
	ways := 1.
	for i := 1; i <= min(n1, n2); i++ {
		ways *= float64(max(n1, n2)+i) / float64(i)
	}
	return 1 / ways
}
