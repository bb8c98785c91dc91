package analysis

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What standOut finds does not depend on its search order: a key is apart only if
// each of its figures lies beyond all figures of all keys that are not.
func TestWhoStandsOutIsWhollyApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 9).Draw(t, "hosts")
		slow := rapid.IntRange(0, n-1).Draw(t, "slow")
		var samples []sample
		for from := range n {
			for to := range n {
				if from == to {
					continue
				}
				mid := rapid.Float64Range(90, 110).Draw(t, "mid")
				if to < slow {
					mid /= rapid.SampledFrom([]float64{1.1, 2, 10}).Draw(t, "slower")
				}
				width := rapid.Float64Range(0, 10).Draw(t, "width")
				samples = append(samples, sample{keys: []string{string(rune('a' + to))}, low: mid - width/2, mid: mid, high: mid + width/2})
			}
		}
		wanted := rapid.SampledFrom([]side{eitherSide, belowOnly}).Draw(t, "side")
		got := standOut(samples, 0, wanted)
		if expect := apartByEachPair(samples, n, wanted); !slices.Equal(namesOf(got), expect) {
			t.Fatalf("%v, want %v", namesOf(got), expect)
		}
	})
}

func namesOf(all []odd) (names []string) {
	for _, o := range all {
		names = append(names, o.key)
	}
	return names
}

// apartByEachPair implements the same rule literally: it tries every set of the lowest
// and highest keys, largest first, comparing each figure with each other figure.
func apartByEachPair(samples []sample, n int, wanted side) []string {
	keys := keysOf(samples)
	for size := (n - 1) / 2; size > 0; size-- {
		for under := range size + 1 {
			if wanted == belowOnly && under < size {
				continue
			}
			below, above := keys[:under], keys[n-(size-under):]
			var others, mids []float64
			var rest []sample
			for _, s := range samples {
				if !slices.Contains(below, s.keys[0]) && !slices.Contains(above, s.keys[0]) {
					others, mids, rest = append(others, s.low, s.high), append(mids, s.mid), append(rest, s)
				}
			}
			slices.Sort(mids)
			typical := (mids[len(mids)/2] + mids[(len(mids)-1)/2]) / 2
			among := mids[len(mids)-1] / mids[0]
			all := true
			for _, s := range samples {
				switch {
				case slices.Contains(below, s.keys[0]):
					all = all && s.high < slices.Min(others) && typical/s.mid > max(oddRatio, among*among)
				case slices.Contains(above, s.keys[0]):
					all = all && s.low > slices.Max(others) && s.mid/typical > max(oddRatio, among*among)
				}
			}
			if all && len(rest) >= 2 {
				return slices.Concat(below, above)
			}
		}
	}
	return nil
}
