package trend

import "math"

// layer is all intervals of one length, tested alike.
type layer struct {
	length  int
	least   int
	starts  []int
	weights []float64 // n / (k (n-k)) of the places least..length-least
}

func newLayer(length, least int) layer {
	l := layer{length: length, least: least}
	for k := least; k <= length-least; k++ {
		l.weights = append(l.weights, float64(length)/(float64(k)*float64(length-k)))
	}
	return l
}

// seeds returns the seeded intervals of a history: the whole, then layers each
// shorter than the previous one by the square root of two, whose intervals overlap
// by half or more.
func seeds(n, least int) []layer {
	var all []layer
	for length := float64(n); ; length /= math.Sqrt2 {
		whole := int(math.Round(length))
		if whole < 2*least {
			return all
		}
		l := newLayer(whole, least)
		count := int(math.Ceil(2*float64(n)/length)) - 1
		for i := range count {
			start := 0
			if count > 1 {
				start = int(math.Round(float64(i) * float64(n-whole) / float64(count-1)))
			}
			l.starts = append(l.starts, start)
		}
		all = append(all, l)
	}
}
