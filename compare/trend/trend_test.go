package trend

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func mustFind(t testing.TB, values []float64, o Options) Trend {
	t.Helper()
	got, err := Find(history(values), o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A temporary level, among noise and outliers.
func TestALevelThatWentAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := step(step(withOutliers(r, 120, 1), 50, .9), 70, 1/.9)
	got := mustFind(t, values, Options{Seed: 1})
	if len(got.Changes) != 2 || len(got.Segments) != 3 {
		t.Fatalf("%d changes: %+v", len(got.Changes), got.Changes)
	}
	for i, want := range []int{50, 70} {
		c := got.Changes[i]
		if abs(c.At-want) > 1 || c.Earliest > want || c.Latest < want || c.P > .005 {
			t.Errorf("change %d: %+v, want at %d", i, c, want)
		}
	}
	down, up := got.Changes[0].Ratio, got.Changes[1].Ratio
	if !(down.Low <= .9 && .9 <= down.High && down.High < .93 && up.Low <= 1/.9 && 1/.9 <= up.High) {
		t.Errorf("ratios %+v and %+v", down, up)
	}
	if s := got.Changes[0].Shift; !(s.Low <= -10 && -10 <= s.High && s.Level == .95) {
		t.Errorf("shift %+v, want -10", s)
	}
}

func TestWhatHasNoAnswer(t *testing.T) {
	constant := slices.Repeat([]float64{7}, 50)
	for name, values := range map[string][]float64{
		"none": nil, "one": {5}, "three": {5, 6, 7}, "nine in two steps": {1, 1.1, 1.2, 1.3, 9, 9.1, 9.2, 9.3, 9.4}, "constant": constant,
	} {
		got := mustFind(t, values, Options{})
		if len(got.Changes) != 0 || len(got.Segments) != min(len(values), 1) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		values := slices.Clone(constant)
		values[20] = bad
		if _, err := Find(history(values), Options{}); err == nil || !strings.Contains(err.Error(), "run r20") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	for _, o := range []Options{{Least: 1}, {Least: -4}, {Level: 1}, {Level: -1}, {Level: math.NaN()}} {
		if _, err := Find(history(constant), o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// An integer metric, mostly 0, such as errors: ties, and no ratio.
func TestTies(t *testing.T) {
	values := make([]float64, 60)
	for i := range values {
		values[i] = float64(i % 7 / 6)
		if i >= 30 {
			values[i] = float64(1 + i%2)
		}
	}
	got := mustFind(t, values, Options{})
	if len(got.Changes) != 1 || abs(got.Changes[0].At-30) > 1 {
		t.Fatalf("%+v", got.Changes)
	}
	c := got.Changes[0]
	if c.Ratio != (Effect{}) || c.Shift.Value != 1 {
		t.Errorf("ratio %+v, shift %+v", c.Ratio, c.Shift)
	}
}

// Neither other units nor another zero changes a place or p; nor does reversing
// the history.
func TestUnitsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		whole := rapid.SliceOfN(rapid.IntRange(0, 40), 10, 80).Draw(rt, "values")
		at, by := rapid.IntRange(0, len(whole)).Draw(rt, "at"), rapid.IntRange(0, 60).Draw(rt, "by")
		scale, shift := rapid.SampledFrom([]float64{.25, 2, 1024}).Draw(rt, "scale"), float64(rapid.IntRange(0, 5000).Draw(rt, "shift"))
		values, other := make([]float64, len(whole)), make([]float64, len(whole))
		for i, v := range whole {
			if values[i] = float64(v); i >= at {
				values[i] += float64(by)
			}
			other[i] = scale*values[i] + shift
		}
		a, b := mustFind(t, values, Options{Seed: 5}), mustFind(t, other, Options{Seed: 5})
		if diff := cmp.Diff(places(a), places(b)); diff != "" {
			rt.Fatal(diff)
		}
		if again := mustFind(t, values, Options{Seed: 5}); !cmp.Equal(a, again) {
			rt.Fatal("the same history and seed gave another answer")
		}
		for i, c := range a.Changes {
			if want := scale * c.Shift.Value; math.Abs(b.Changes[i].Shift.Value-want) > 1e-9*scale*100 {
				rt.Fatalf("shift %v, want %v", b.Changes[i].Shift.Value, want)
			}
		}
	})
}

func places(t Trend) (all []string) {
	for _, c := range t.Changes {
		all = append(all, fmt.Sprintf("%d [%d, %d] %v", c.At, c.Earliest, c.Latest, c.P))
	}
	return all
}

// The order within a level is chance: another order gives the same change.
func TestOrderInsideALevelDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	values := step(normal(r, 60, .5), 25, 1.05)
	more := 0
	for range 200 {
		for _, level := range [][]float64{values[:25], values[25:]} {
			r.Shuffle(len(level), func(i, j int) { level[i], level[j] = level[j], level[i] })
		}
		got := mustFind(t, values, Options{})
		if !slices.ContainsFunc(got.Changes, func(c Change) bool { return c.At == 25 }) {
			t.Fatalf("the change at 25 is not in %v", places(got))
		}
		if len(got.Changes) > 1 {
			more++
		}
	}
	if more > 10 {
		t.Errorf("%d of 200 orders show a change inside a level", more)
	}
}

// Whatever the input, the segments cover the history, and all promises hold.
func TestTotal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(1, 2), rapid.SampledFrom([]float64{0, 1, -1, math.MaxFloat64, -math.MaxFloat64, 5e-324}))
		values := rapid.SliceOfN(value, 0, 60).Draw(rt, "values")
		least := rapid.IntRange(2, 9).Draw(rt, "least")
		got := mustFind(t, values, Options{Least: least, Level: .2})
		from := 0
		for _, s := range got.Segments {
			if s.From != from || s.To <= s.From || (s.To-s.From < least && len(got.Changes) > 0) || s.Level.N != s.To-s.From {
				rt.Fatalf("segment %+v after %d", s, from)
			}
			from = s.To
		}
		if from != len(values) || len(got.Segments) != len(got.Changes)+min(1, len(values)) {
			rt.Fatalf("%d segments to %d with %d changes for %d values", len(got.Segments), from, len(got.Changes), len(values))
		}
		for i, c := range got.Changes {
			if c.At != got.Segments[i].To || c.Earliest > c.At || c.Latest < c.At || !(c.P > 0 && c.P <= .2) || math.IsNaN(c.Shift.Value) {
				rt.Fatalf("change %+v", c)
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{20, 100, 1000, 10_000} {
		for _, steps := range []int{0, 1, 9} {
			b.Run(fmt.Sprintf("runs=%d/steps=%d", n, steps), func(b *testing.B) {
				values := normal(rand.New(rand.NewPCG(1, 1)), n, 1)
				for i := 1; i <= steps; i++ {
					step(values, i*n/(steps+1), 1.1)
				}
				for b.Loop() {
					mustFind(b, values, Options{})
				}
			})
		}
	}
}
