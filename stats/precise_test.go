package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestWide(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{98, 99, 100, 100, 101, 102}, .02},
		{[]float64{-98, -99, -100, -100, -101, -102}, .02},
		{[]float64{100, 100, 100, 100, 100}, math.Inf(1)}, // five give no interval
		{[]float64{-1, -1, 0, 0, 1, 1}, math.Inf(1)},
		{nil, math.Inf(1)},
	} {
		if got := Summarise(tt.values).Wide(); math.Abs(got-tt.want) > 1e-12 && got != tt.want {
			t.Errorf("%v: %v, want %v", tt.values, got, tt.want)
		}
	}
}

func TestPrecise(t *testing.T) {
	six := []float64{98, 99, 100, 100, 101, 102}
	for _, tt := range []struct {
		name   string
		values []float64
		want   bool
	}{
		{"too few", []float64{100, 100, 100, 100, 100}, false},
		{"the first interval settles it", six, true},
		{"a later one alone does not", []float64{90, 99, 100, 100, 101, 101, 101, 101, 100}, false}, // ranks 2 and 8, after 1 and 8
		{"but two in a row do", []float64{90, 99, 100, 100, 101, 101, 101, 101, 100, 100}, true},
		{"wide", []float64{90, 99, 100, 100, 101, 110}, false},
	} {
		if got := Precise(tt.values, .02); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if Precise(six, .0199) {
		t.Error("half a width of 2 % is not within 1.99 %")
	}
}

func TestLacking(t *testing.T) {
	if got := Lacking([]float64{96, 98, 100, 100, 102, 104}, .02); got != 18 { // ± 4 %: four times as many
		t.Errorf("%d, want 18", got)
	}
	if got := Lacking([]float64{98, 99, 100, 100, 101, 102}, .02); got != 0 {
		t.Errorf("%d, want none", got)
	}
	// Within, but not twice in a row: at least one more.
	if got := Lacking([]float64{90, 99, 100, 100, 101, 101, 101, 101, 100}, .02); got != 1 {
		t.Errorf("%d, want 1", got)
	}
}

// Stopping as soon as the interval is narrow also stops when it is narrow by
// luck: the coverage must still be about the nominal 95 %.
func TestPreciseCovers(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	for _, spread := range []float64{1, 2, 3, 4} {
		held := 0
		const series = 2000
		for range series {
			var values []float64
			for len(values) < 120 && !Precise(values, .02) {
				values = append(values, 100+spread*dice.NormFloat64())
			}
			if s := Summarise(values); s.Low <= 100 && 100 <= s.High {
				held++
			}
		}
		if share := float64(held) / series; share < .93 {
			t.Errorf("values that spread by %v %%: the interval holds the median in %.3f of all", spread, share)
		}
	}
}

func TestMedianOfTheLeastValues(t *testing.T) {
	least := math.SmallestNonzeroFloat64
	if got := Median([]float64{least, least}); got != least {
		t.Errorf("%v, want %v", got, least)
	}
}
