package stats

import (
	"testing"

	"pgregory.net/rapid"
)

// The number is the least that is enough: with all but one of those repeats added,
// one more is still needed.
func TestMoreIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Comparison{spread: rapid.Float64Range(0, .5).Draw(t, "spread")}
		c.Base.N, c.Other.N = rapid.IntRange(0, 40).Draw(t, "base"), rapid.IntRange(0, 40).Draw(t, "other")
		c.wide.center = rapid.Float64Range(-.3, .3).Draw(t, "center")
		asked := rapid.IntRange(1, 100).Draw(t, "asked")
		const band = .03
		more := c.more(band, asked)
		with := func(extra int) int {
			d := c
			d.Base.N, d.Other.N = c.Base.N+extra, c.Other.N+extra
			return d.more(band, asked)
		}
		switch {
		case more == 0:
			// Nothing up to MostMore is enough; so after one more repeat nothing is
			// either, unless it lies beyond that limit.
			if next := with(1); next != 0 && next != MostMore {
				t.Fatalf("0, but %d after one more", next)
			}
		case more == 1:
		case with(more-1) != 1 || with(more-2) != 2:
			t.Fatalf("%d, but %d after %d more", more, with(more-1), more-1)
		}
	})
}

// The cost does not grow with how far it looks.
func BenchmarkMore(b *testing.B) {
	c := Comparison{Base: Summary{N: 8}, Other: Summary{N: 8}, spread: .3}
	for b.Loop() {
		if c.more(.03, 25) != 0 {
			b.Fatal("so few cannot be enough")
		}
	}
}
