package trend

import (
	"math"
	"strings"

	"assay/stats"
)

const levels = "▁▂▃▄▅▆▇█"

// Plot draws a history as one line of at most columns characters, from its lowest
// to its highest value, with a bar at each change point. Where there are more runs
// than room, a character is the median of neighbours of one segment, which always
// has one.
func Plot(points []Point, t Trend, columns int) string {
	room := max(columns-len(t.Changes), len(t.Segments))
	per := max(1, (len(points)+room-1)/room)
	for drawn(t, per) > room && per < len(points) {
		per++
	}
	parts := make([][]float64, len(t.Segments))
	low, high := math.Inf(1), math.Inf(-1)
	for i, s := range t.Segments {
		for from := s.From; from < s.To; from += per {
			var values []float64
			for _, p := range points[from:min(from+per, s.To)] {
				values = append(values, p.Value)
			}
			m := stats.Median(values)
			parts[i] = append(parts[i], m)
			low, high = math.Min(low, m), math.Max(high, m)
		}
	}
	var b strings.Builder
	for i, part := range parts {
		if i > 0 {
			b.WriteString("│")
		}
		for _, v := range part {
			level := 3 // what never changes lies in the middle
			if high > low {
				level = min(int(share(v, low, high)*8), 7)
			}
			b.WriteRune([]rune(levels)[level])
		}
	}
	return b.String()
}

// drawn is how many characters the segments take at so many runs a character.
func drawn(t Trend, per int) (n int) {
	for _, s := range t.Segments {
		n += (s.To - s.From + per - 1) / per
	}
	return n
}

// share returns where v lies between low and high, 0 to 1. Halving keeps the
// difference of the largest numbers finite, and would lose that of the smallest.
func share(v, low, high float64) float64 {
	if width := high - low; !math.IsInf(width, 0) {
		return (v - low) / width
	}
	return (v/2 - low/2) / (high/2 - low/2)
}
