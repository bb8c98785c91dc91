package html

import (
	"testing"

	"assay/report/block"

	"pgregory.net/rapid"
)

func TestSegmentsBelongToTheirRepeats(t *testing.T) {
	got := segments(
		[][2]float64{{9.5, 1}, {11, 2}, {14, 3}, {15.2, 4}, {30, 5}, {31, 6}},
		[]block.Span{{From: 10, To: 15, Title: "warm-up", Warmup: true}, {From: 20, To: 25}, {From: 29, To: 35, Title: "repeat 2"}}, 100)
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
		var points [][2]float64
		var spans []block.Span
		at := 0.
		for range rapid.IntRange(1, 20).Draw(t, "spans") {
			at += rapid.Float64Range(.1, 5).Draw(t, "gap")
			from := at
			at += rapid.Float64Range(.1, 5).Draw(t, "length")
			spans = append(spans, block.Span{From: block.Number(from), To: block.Number(at)})
		}
		for i := range rapid.IntRange(0, 300).Draw(t, "points") {
			points = append(points, [2]float64{float64(i) * at / 250, float64(i)})
		}
		total := 0
		for _, seg := range segments(points, spans, 1000) {
			total += len(seg.Points)
			for _, p := range seg.Points {
				if p[0] < seg.From || p[0] > seg.To {
					t.Fatalf("point %v outside of its segment [%v, %v]", p, seg.From, seg.To)
				}
			}
		}
		if total != len(points) {
			t.Fatalf("%d of %d points in segments", total, len(points))
		}
	})
}
