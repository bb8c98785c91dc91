package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPairedMedian(t *testing.T) {
	if m, ok := PairedMedian([]float64{3, 1, 2}, .95, 1); !ok || m.Center != 2 || m.Level != 0 || m.Low != 2 || m.High != 2 {
		t.Errorf("three pairs: %+v, %v", m, ok)
	}
	for _, none := range [][]float64{nil, {1, math.NaN()}, {math.Inf(1)}} {
		if _, ok := PairedMedian(none, .95, 1); ok {
			t.Errorf("%v has a median difference", none)
		}
	}
	ten := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	m, _ := PairedMedian(ten, .95, 1)
	if again, _ := PairedMedian(ten, .95, 1); again != m || m.Center != 5.5 || m.Low < 1 || m.Low > 4 || m.High < 7 || m.High > 10 || m.Level != .95 {
		t.Errorf("%+v, again %+v", m, again)
	}
}

// The interval contains the median about as often as it claims.
func TestPairedMedianCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	const tries = 400
	held := 0
	for i := range tries {
		differences := make([]float64, 12)
		for j := range differences {
			differences[j] = 5 + random.NormFloat64()
		}
		if m, _ := PairedMedian(differences, .95, uint64(i)); m.Low <= 5 && 5 <= m.High {
			held++
		}
	}
	if share := float64(held) / tries; share < .9 {
		t.Errorf("the interval holds the median in %.1f %% of %d cases", 100*share, tries)
	}
}
