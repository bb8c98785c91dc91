package html

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestDownsampleKeepsWhatMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Rapid prefers short slices, which need no downsampling: only the
		// length is drawn, and a seed gives the values.
		length := rapid.IntRange(1, 5000).Draw(t, "length")
		random := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		values := make([]float64, length)
		for i := range values {
			values[i] = 1e12 * random.NormFloat64()
		}
		most := rapid.IntRange(4, 1200).Draw(t, "most")
		points := make([][2]float64, len(values))
		for i, v := range values {
			points[i] = [2]float64{float64(i), v}
		}
		kept := downsample(points, most)
		if len(kept) > max(most, 4) {
			t.Fatalf("%d of %d points kept, want at most %d", len(kept), len(points), most)
		}
		if kept[0] != points[0] || kept[len(kept)-1] != points[len(points)-1] {
			t.Fatal("the first or the last point is lost")
		}
		if !slices.IsSortedFunc(kept, func(a, b [2]float64) int { return int(math.Copysign(1, a[0]-b[0])) }) {
			t.Fatal("the points are out of order")
		}
		low, high := extremes(points)
		gotLow, gotHigh := extremes(kept)
		if gotLow != low || gotHigh != high {
			t.Fatalf("extremes [%v, %v] became [%v, %v]", low, high, gotLow, gotHigh)
		}
	})
}

func extremes(points [][2]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = min(low, p[1]), max(high, p[1])
	}
	return low, high
}

func TestAStallOfOneSampleSurvives(t *testing.T) {
	var points [][2]float64
	for i := range 100_000 {
		points = append(points, [2]float64{float64(i) / 100, 400e3})
	}
	points[61_234][1] = 7
	kept := downsample(points, mostPerSeries)
	if !slices.Contains(kept, points[61_234]) {
		t.Error("the stall is gone")
	}
}
