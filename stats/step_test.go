package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// levels returns samples around each level in turn, with a relative spread.
func levels(r *rand.Rand, spread float64, of ...[2]float64) (all []float64) {
	for _, l := range of {
		for range int(l[0]) {
			all = append(all, l[1]*math.Exp(spread*r.NormFloat64()))
		}
	}
	return all
}

func TestStep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	stall := levels(r, .05, [2]float64{60, 500})
	stall[30] = 0
	for name, c := range map[string]struct {
		values []float64
		at     int // -1: none
	}{
		"in the middle":    {levels(r, .1, [2]float64{30, 2500}, [2]float64{30, 600}), 30},
		"near the begin":   {levels(r, .1, [2]float64{4, 2500}, [2]float64{236, 600}), 4},
		"near the end":     {levels(r, .1, [2]float64{290, 2500}, [2]float64{10, 600}), 290},
		"upwards":          {levels(r, .1, [2]float64{20, 600}, [2]float64{40, 2500}), 20},
		"without spread":   {levels(r, 0, [2]float64{20, 600}, [2]float64{40, 400}), 20},
		"level":            {levels(r, 0, [2]float64{60, 600}), -1},
		"too few":          {levels(r, 0, [2]float64{2, 600}, [2]float64{3, 100}), -1},
		"nothing":          {nil, -1},
		"a dead device":    {make([]float64, 60), -1},
		"not a number":     {append(levels(r, 0, [2]float64{30, 600}), math.NaN()), -1},
		"a stalled second": {stall, -1},
	} {
		at, ok := Step(c.values, 3)
		if ok != (c.at >= 0) || ok && at != c.at {
			t.Errorf("%s: %d, %v, want %d", name, at, ok, c.at)
		}
	}
}

// Noise has no step, except in a few of a hundred.
func TestNoiseHasNoStep(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 1000 {
		if _, ok := Step(levels(r, .2, [2]float64{120, 100}), 3); ok {
			found++
		}
	}
	if found > 150 {
		t.Errorf("a step in %d of 1000 series of noise", found)
	}
}
