package html

import "math"

// A screen has about a thousand columns: more points per line are invisible,
// and only make the file large and the page slow.
const (
	mostPerSeries = 1000
	mostOnPage    = 60000
	leastPoints   = 60
)

// pointsEach divides the page's points among its series.
func pointsEach(series int) int {
	return min(max(mostOnPage/max(series, 1), leastPoints), mostPerSeries)
}

// downsample keeps at most about `most` points, including every extreme: it
// cuts the points into stretches of equal count and keeps the lowest and the
// highest value of each, in time order. An average would hide exactly what a
// timeline is read for: the stall and the spike. The first and the last point
// are kept too. Points that are not numbers are dropped first.
func downsample(points [][2]float64, most int) [][2]float64 {
	points = finite(points)
	if len(points) <= most || most < 4 {
		return points
	}
	stretches := (most - 2) / 2
	inner := points[1 : len(points)-1]
	kept := make([][2]float64, 0, most)
	kept = append(kept, points[0])
	for i := range stretches {
		from, to := i*len(inner)/stretches, (i+1)*len(inner)/stretches
		if from == to {
			continue
		}
		least, greatest := from, from
		for j := from + 1; j < to; j++ {
			if inner[j][1] < inner[least][1] {
				least = j
			}
			if inner[j][1] > inner[greatest][1] {
				greatest = j
			}
		}
		first, second := min(least, greatest), max(least, greatest)
		kept = append(kept, inner[first])
		if second != first {
			kept = append(kept, inner[second])
		}
	}
	return append(kept, points[len(points)-1])
}

func finite(points [][2]float64) [][2]float64 {
	for i, p := range points {
		if !isFinite(p) {
			kept := append([][2]float64(nil), points[:i]...)
			for _, q := range points[i:] {
				if isFinite(q) {
					kept = append(kept, q)
				}
			}
			return kept
		}
	}
	return points
}

func isFinite(p [2]float64) bool {
	return !math.IsNaN(p[0]) && !math.IsInf(p[0], 0) && !math.IsNaN(p[1]) && !math.IsInf(p[1], 0)
}
