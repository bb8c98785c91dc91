package html

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"assay/report"

	"pgregory.net/rapid"
)

func TestDownsampleKeepsWhatMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Rapid prefers short slices, which need no downsampling: the length is
		// drawn, and the values come from a seed.
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
		low, high := extent(points)
		gotLow, gotHigh := extent(kept)
		if gotLow != low || gotHigh != high {
			t.Fatalf("extremes [%v, %v] became [%v, %v]", low, high, gotLow, gotHigh)
		}
	})
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

func TestSegmentsBelongToTheirRepeats(t *testing.T) {
	got := segments(report.Series{
		Points: [][2]float64{{9.5, 1}, {11, 2}, {14, 3}, {15.2, 4}, {30, 5}, {31, 6}},
		Spans:  []report.Span{{From: 10, To: 15, Title: "warm-up", Warmup: true}, {From: 20, To: 25}, {From: 29, To: 35, Title: "repeat 2"}},
	}, 100)
	if len(got) != 2 {
		t.Fatalf("%d segments, want 2: the repeat without samples has none", len(got))
	}
	if !got[0].Warmup || got[0].From != 9.5 || got[0].To != 15.2 || len(got[0].Points) != 4 {
		t.Errorf("warm-up = %+v", got[0])
	}
	if got[1].Warmup || got[1].Title != "repeat 2" || len(got[1].Points) != 2 {
		t.Errorf("repeat = %+v", got[1])
	}
}

func TestNoPointIsLostBetweenSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s report.Series
		at := 0.
		for range rapid.IntRange(1, 20).Draw(t, "spans") {
			at += rapid.Float64Range(.1, 5).Draw(t, "gap")
			from := at
			at += rapid.Float64Range(.1, 5).Draw(t, "length")
			s.Spans = append(s.Spans, report.Span{From: from, To: at})
		}
		for i := range rapid.IntRange(0, 300).Draw(t, "points") {
			s.Points = append(s.Points, [2]float64{float64(i) * at / 250, float64(i)})
		}
		total := 0
		for _, seg := range segments(s, 1000) {
			total += len(seg.Points)
			for _, p := range seg.Points {
				if p[0] < seg.From || p[0] > seg.To {
					t.Fatalf("point %v outside of its segment [%v, %v]", p, seg.From, seg.To)
				}
			}
		}
		if total != len(s.Points) {
			t.Fatalf("%d of %d points in segments", total, len(s.Points))
		}
	})
}
