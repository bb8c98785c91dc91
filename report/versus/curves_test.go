package versus

import (
	"math"
	"testing"
)

func TestThinCurvesKeepTheirShape(t *testing.T) {
	var steps [][2]float64
	for i := 1; i < 20000; i++ {
		steps = append(steps, [2]float64{100 * float64(i) / 20000, 1e-4 * (1 + float64(i)/1e4)})
		if i > 10000 {
			steps[i-1][1] *= 50 // a jump in the middle
		}
	}
	kept := thin(steps)
	if len(kept) > 600 || kept[0] != steps[0] || kept[len(kept)-1] != steps[len(steps)-1] {
		t.Fatalf("%d points from %v to %v", len(kept), kept[0], kept[len(kept)-1])
	}
	i := 0
	for _, s := range steps {
		for i+1 < len(kept) && kept[i+1][0] <= s[0] {
			i++
		}
		if nines(s[0])-nines(kept[i][0]) > nearNines || math.Log10(s[1]/kept[i][1]) > nearDecades {
			t.Fatalf("%v was dropped; the nearest is %v", s, kept[i])
		}
	}
}
