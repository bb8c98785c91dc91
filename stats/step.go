package stats

import "math"

// Step returns the index at which positive values change level: the least-squares split of
// their logarithms. ok is false if the Bayesian information criterion prefers one level to
// two, or if a side would have fewer than least values. A step is found anywhere, even near
// the start; a momentary outlier, such as a stall of one second, is none.
func Step(values []float64, least int) (at int, ok bool) {
	n := len(values)
	least = max(least, 1)
	if n < 2*least {
		return 0, false
	}
	// A stall of 0 has no logarithm, and should weigh no more than a slow second.
	floor := Median(values) / 10
	if !(floor > 0) {
		return 0, false
	}
	logs, sum, squares := make([]float64, n), 0., 0.
	for i, v := range values {
		if !Finite(v) {
			return 0, false
		}
		logs[i] = math.Log(max(v, floor))
		sum += logs[i]
		squares += logs[i] * logs[i]
	}
	one := squares - sum*sum/float64(n)
	best, before := math.Inf(1), 0.
	for i := 1; i < n; i++ {
		before += logs[i-1]
		if i < least || n-i < least {
			continue
		}
		after := sum - before
		if two := squares - before*before/float64(i) - after*after/float64(n-i); two < best {
			best, at = two, i
		}
	}
	// Two more parameters: the level and where it begins. Constant values leave nothing
	// to explain.
	const tiny = 1e-9
	size := float64(n)
	if one <= tiny*size || size*math.Log(one/max(best, tiny*size)) <= 2*math.Log(size) {
		return 0, false
	}
	return at, true
}
