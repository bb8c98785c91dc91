package outage

import (
	"math"
	"slices"
	"testing"

	"assay"
)

// answers returns one answer every 10 ms for 10 s, except those within gaps.
func answers(without ...Gap) (at []float64) {
	for i := range 1000 {
		t := float64(i) / 100
		if !slices.ContainsFunc(without, func(g Gap) bool { return t > g.From+.001 && t < g.To-.001 }) {
			at = append(at, t)
		}
	}
	return at
}

func TestLongest(t *testing.T) {
	at := answers(Gap{2, 5}, Gap{7, 7.5})
	for _, c := range []struct{ after, before, from, to float64 }{{0, 10, 2, 5}, {5.5, 10, 7, 7.5}, {0, 1, .0, .01}} {
		if g, ok := Longest(at, c.after, c.before); !ok || math.Abs(g.Seconds()-(c.to-c.from)) > 1e-9 {
			t.Errorf("from %v to %v: %v", c.after, c.before, g)
		}
	}
	if g, ok := Longest(at, 20, 30); ok {
		t.Errorf("there is none, and %v", g)
	}
	if i := Interval(at); math.Abs(i-.01) > 1e-9 {
		t.Errorf("the interval is %v", i)
	}
	if i := Interval(nil); !math.IsNaN(i) && i != 0 {
		t.Errorf("the interval of none is %v", i)
	}
}

// Jitter is not reported, and of many gaps the few longest are, in their order.
func TestTelling(t *testing.T) {
	if got := Telling(answers(Gap{1, 1.05}, Gap{2, 5}, Gap{7, 7.5}), 0); len(got) != 2 || got[0].From != 2 || got[1].From != 7 {
		t.Errorf("%v", got)
	}
	if got := Telling(answers(Gap{2, 5}, Gap{7, 7.5}), 6); len(got) != 1 || got[0].From != 7 {
		t.Errorf("%v", got)
	}
	var many []Gap
	for i := range 20 {
		many = append(many, Gap{float64(i) / 4, float64(i)/4 + .1 + float64(i)/200})
	}
	got := Telling(answers(many...), 0)
	if len(got) != mostTelling || got[0].From < 2.7 || !slices.IsSortedFunc(got, func(a, b Gap) int { return int(100 * (a.From - b.From)) }) {
		t.Errorf("%v", got)
	}
	if got := Telling(nil, 0); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestMoments(t *testing.T) {
	got := Moments("c", []Gap{{3602, 3605}}, 3600, .5)
	want := []assay.Moment{{What: assay.LastAnswer, By: "c", At: 2, Error: .5}, {What: assay.Answer, By: "c", At: 5, Error: .5}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
