package trend

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Every rank of the differences matches that from sorting all of them.
func TestDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-100, 100), rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) }))
		b, a := rapid.SliceOfN(value, 1, 12).Draw(t, "before"), rapid.SliceOfN(value, 1, 12).Draw(t, "after")
		slices.Sort(b)
		slices.Sort(a)
		var all []float64
		for _, x := range b {
			for _, y := range a {
				all = append(all, y-x)
			}
		}
		slices.Sort(all)
		for k, want := range all {
			if got := difference(b, a, k+1); math.Abs(got-want) > 1e-12 {
				t.Fatalf("difference %d = %v, want %v", k+1, got, want)
			}
		}
	})
}

func TestShiftByHand(t *testing.T) {
	// 16 differences from 7 to 13; 8 - 1.96 sqrt(12) = 1.2, so the ends are the
	// first and the last.
	got := shiftOf([]float64{4, 1, 3, 2}, []float64{12, 11, 14, 13})
	if got.Value != 10 || got.Low != 7 || got.High != 13 || got.Level != .95 {
		t.Errorf("%+v", got)
	}
	if got := shiftOf([]float64{1, 2}, []float64{3, 4}); got != (Effect{Value: 2, Low: 2, High: 2}) {
		t.Errorf("two against two have no interval: %+v", got)
	}
	if got := ratioOf([]float64{1, 2, 0, 4}, []float64{2, 4, 6, 8}); got != (Effect{}) {
		t.Errorf("a ratio to 0: %+v", got)
	}
	if got := ratioOf([]float64{1, 10, 100, 1000}, []float64{2, 20, 200, 2000}); math.Abs(got.Value-2) > 1e-9 {
		t.Errorf("twice: %+v", got)
	}
}
