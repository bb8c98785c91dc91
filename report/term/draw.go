package term

import (
	"math"
	"strings"
)

const (
	eighths = "▏▎▍▌▋▊▉█"
	levels  = "▁▂▃▄▅▆▇█"
)

// bar draws a share of n columns in eighths of a column. More than the whole
// ends in an arrow: the percentage beside it says how much more.
func bar(share float64, n int) string {
	switch {
	case n <= 0 || math.IsNaN(share) || share <= 0:
		return ""
	case share > 1:
		return strings.Repeat("█", n-1) + "▶"
	}
	// A share above zero is never drawn as nothing.
	parts := max(int(math.Round(share*float64(n)*8)), 1)
	s := strings.Repeat("█", parts/8)
	if rest := parts % 8; rest > 0 {
		s += string([]rune(eighths)[rest-1])
	}
	return s
}

// spark draws values as a line of levels between low and high, with gaps for
// values that are not numbers.
func spark(values []float64, low, high float64) string {
	var b strings.Builder
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b.WriteByte(' ')
			continue
		}
		level := 0
		if high > low {
			level = int((v - low) / (high - low) * 8)
		}
		b.WriteRune([]rune(levels)[min(max(level, 0), 7)])
	}
	return b.String()
}

// sparkRepeats draws repeats around their middle. Its height is at least a
// tenth of the middle value, so that a quiet series looks quiet.
func sparkRepeats(values []float64) string {
	low, high := extent(values)
	middle := (low + high) / 2
	half := math.Max((high-low)/2, math.Abs(middle)*.05)
	if half == 0 || math.IsInf(half, 0) || math.IsNaN(half) {
		half = 1
	}
	return spark(values, middle-half, middle+half)
}

// extent returns the least and the greatest of the values that are numbers; 0,
// 0 if none are.
func extent(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if low > high {
		return 0, 0
	}
	return low, high
}

// resample returns n means over equal stretches of time, or fewer if there are
// fewer points; a stretch without a point is a gap.
func resample(points [][2]float64, n int) []float64 {
	if len(points) == 0 || n <= 0 {
		return nil
	}
	n = min(n, len(points))
	times := make([]float64, len(points))
	for i, p := range points {
		times[i] = p[0]
	}
	from, to := extent(times)
	sums, counts := make([]float64, n), make([]float64, n)
	for _, p := range points {
		i := 0
		if to > from {
			i = int((p[0] - from) / (to - from) * float64(n))
		}
		i = min(max(i, 0), n-1)
		sums[i] += p[1]
		counts[i]++
	}
	for i := range sums {
		sums[i] /= counts[i] // 0/0 is the gap
	}
	return sums
}
