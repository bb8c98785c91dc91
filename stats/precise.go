package stats

import "math"

// Wide returns how far the summary's interval reaches from its centre on its
// wider side, as a share of the centre; +Inf if there is no interval, or the
// centre is zero.
func (s Summary) Wide() float64 {
	if s.Level == 0 || s.Center == 0 {
		return math.Inf(1)
	}
	return max(s.High-s.Center, s.Center-s.Low) / math.Abs(s.Center)
}

// Precise reports whether repeats, one value each and in chronological order,
// are enough: the median's 95 % interval lies within the precision, a share of
// the median.
//
// It is called after every repeat, and each call raises the chance that an
// interval is narrow by luck. So the first interval possible (LeastForInterval
// values) may settle it, but after that two in a row must. `make verify-stats`
// shows the remaining coverage.
func Precise(values []float64, precision float64) bool {
	narrow := func(n int) bool {
		return n >= LeastForInterval && Summarise(values[:n]).Wide() <= precision
	}
	n := len(values)
	return narrow(n) && (n == LeastForInterval || narrow(n-1))
}

// Lacking estimates how many more repeats Precise will require: the width of
// the interval shrinks with the square root of their number. 0 if it is precise
// already, or has no interval yet to go by.
func Lacking(values []float64, precision float64) int {
	n, wide := len(values), Summarise(values).Wide()
	if Precise(values, precision) || math.IsInf(wide, 0) || !(precision > 0) {
		return 0
	}
	ratio := wide / precision
	return max(1, int(math.Ceil(min(float64(n)*(ratio*ratio-1), math.MaxInt32))))
}
