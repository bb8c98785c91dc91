package term

import (
	"math"
	"slices"
	"strings"
)

// history draws values as one line of at most columns characters, from the lowest
// to the highest, with a bar before each break. If there are more values than
// room, a character is the median of neighbours between two breaks; there is
// always at least one.
func history(values []float64, breaks []int, columns int) string {
	parts := parted(values, breaks)
	room := max(columns-len(parts)+1, len(parts))
	per := max(1, (len(values)+room-1)/room)
	for charactersOf(parts, per) > room && per < len(values) {
		per++
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i, part := range parts {
		var medians []float64
		for few := range slices.Chunk(part, per) {
			m := median(few)
			medians = append(medians, m)
			low, high = math.Min(low, m), math.Max(high, m)
		}
		parts[i] = medians
	}
	var b strings.Builder
	for i, part := range parts {
		if i > 0 {
			b.WriteString("│")
		}
		for _, v := range part {
			level := 3 // constant values lie in the middle
			if high > low {
				level = min(int(within01(v, low, high)*8), 7)
			}
			b.WriteRune([]rune(levels)[level])
		}
	}
	return b.String()
}

// parted returns the values between breaks, ignoring invalid breaks.
func parted(values []float64, breaks []int) (parts [][]float64) {
	from := 0
	for _, at := range breaks {
		if at > from && at < len(values) {
			parts, from = append(parts, values[from:at]), at
		}
	}
	return append(parts, values[from:])
}

// charactersOf returns how many characters the parts take at per values each.
func charactersOf(parts [][]float64, per int) (n int) {
	for _, part := range parts {
		n += (len(part) + per - 1) / per
	}
	return n
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return sorted[n/2-1]/2 + sorted[n/2]/2
}

// within01 returns the position of v between low and high, from 0 to 1. Halving
// keeps the difference of the largest numbers finite, but would lose that of the
// smallest.
func within01(v, low, high float64) float64 {
	if width := high - low; !math.IsInf(width, 0) {
		return (v - low) / width
	}
	return (v/2 - low/2) / (high/2 - low/2)
}
