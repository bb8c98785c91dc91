package stats

import (
	"math"
	"testing"
)

func TestTrend(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, 2, 3, 4, 5}, 2. / 120},             // one order of 120, and its mirror
		{[]float64{106, 103, 100, 97, 94}, 2. / 120},     // falling is a trend too
		{[]float64{1, 2, 3, 4, 6, 5}, 2 * 6. / 720},      // one inversion: 1 + 5 orders
		{[]float64{1, 2, 3, 5, 4, 6}, 2 * 6. / 720},      //
		{[]float64{3, 1, 2}, 1},                          // S = -1 of 3: as likely as not
		{[]float64{5, 5, 5, 5}, 1},                       // ties are no trend
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8}, 2. / 40320},  //
		{[]float64{1, 2}, math.NaN()},                    //
		{[]float64{1, 2, math.NaN(), 4, 5}, math.NaN()},  //
		{[]float64{1, math.Inf(1), 3, 4, 5}, math.NaN()}, //
	} {
		if got := Trend(c.values); !(math.Abs(got-c.want) < 1e-12) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Trend(%v) = %v, want %v", c.values, got, c.want)
		}
	}
	var long []float64
	for i := range 60 {
		long = append(long, float64(i%7))
	}
	if p := Trend(long); p < .2 || p > 1 {
		t.Errorf("sixty values that go in circles: p %v", p)
	}
	for i := range long {
		long[i] = float64(i)
	}
	if p := Trend(long); p > 1e-12 {
		t.Errorf("sixty rising values: p %v", p)
	}
}
