package stats

import "math"

// Wide is how far the summary's interval reaches from its centre, to the side to
// which it reaches farther, as a share of the centre: +Inf where there is no
// interval, or nothing to be a share of.
func (s Summary) Wide() float64 {
	if s.Level == 0 || s.Center == 0 {
		return math.Inf(1)
	}
	return max(s.High-s.Center, s.Center-s.Low) / math.Abs(s.Center)
}

// Precise reports whether repeats, one value each and in the order in which they
// were made, are enough: the median's 95 % interval lies within the precision, a
// share of the median.
//
// It is asked after every repeat, and with each time that it is asked the chance
// grows that an interval is narrow by luck. So the first interval there is
// (LeastForInterval values) may settle it, and after that two in a row must.
// `make verify-stats` shows what coverage is left.
func Precise(values []float64, precision float64) bool {
	narrow := func(n int) bool {
		return n >= LeastForInterval && Summarise(values[:n]).Wide() <= precision
	}
	n := len(values)
	return narrow(n) && (n == LeastForInterval || narrow(n-1))
}

// Lacking is about how many more repeats Precise will want: the width of the
// interval shrinks with the square root of their number. 0 where it wants none
// that can be told: it is precise, or there is no interval yet to go by.
func Lacking(values []float64, precision float64) int {
	n, wide := len(values), Summarise(values).Wide()
	if Precise(values, precision) || math.IsInf(wide, 0) || !(precision > 0) {
		return 0
	}
	ratio := wide / precision
	return max(1, int(math.Ceil(min(float64(n)*(ratio*ratio-1), math.MaxInt32))))
}
