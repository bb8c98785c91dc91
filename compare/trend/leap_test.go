package trend

import (
	"math/rand/v2"
	"testing"
)

// Anyone can see a link drop to a tenth from one run on. The noise memory estimated from
// its few runs, a third of a per cent, does not hide it.
func TestALeapIsFoundWhateverTheMemory(t *testing.T) {
	const times = 100
	for _, c := range []struct {
		memory float64
		missed int // at most
	}{{0, 3}, {.5, 12}} {
		missed := 0
		for seed := range uint64(times) {
			dice, noise := rand.New(rand.NewPCG(seed, 1)), 0.
			var runs []Point
			for i := range 16 {
				noise = c.memory*noise + dice.NormFloat64()
				level := 11.8e6
				if i >= 6 {
					level = 1.19e6
				}
				runs = append(runs, Point{Value: level * (1 + .003*noise)})
			}
			found, err := Find(runs, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Changes) != 1 || found.Changes[0].At != 6 {
				missed++
			}
		}
		if missed > c.missed {
			t.Errorf("memory %v: missed in %d of %d", c.memory, missed, times)
		}
	}
}
