package stats

import "math"

// Step returns the index from which on positive values are at another level: the split
// that least squares over their logarithms finds. ok is false where the Bayesian
// information criterion finds two levels no better than one, or where a side would have
// fewer than least values. A step is found wherever it is, also near the begin; a value far
// off for a moment, such as a stall of one second, makes none.
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
	// Two more parameters: the level and where it begins. Values that do not vary at all
	// leave nothing to explain.
	const tiny = 1e-9
	size := float64(n)
	if one <= tiny*size || size*math.Log(one/max(best, tiny*size)) <= 2*math.Log(size) {
		return 0, false
	}
	return at, true
}
