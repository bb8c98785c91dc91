package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"
)

// Ten values against five without ties; SciPy's mannwhitneyu gives the same U and
// p.
var (
	exampleX = []float64{.80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46}
	exampleY = []float64{1.15, .88, .90, .74, 1.21}
)

func TestMannWhitney(t *testing.T) {
	for _, c := range []struct {
		name   string
		xs, ys []float64
		u, p   float64
	}{
		{"3 v 3, apart", repeated(-1, 3), repeated(1, 3), 0, .1},
		{"4 v 4, apart", repeated(-1, 4), repeated(1, 4), 0, .0285714},
		{"4 v 4, ties", []float64{1, -1, -1, -1}, []float64{-1, 1, 1, 1}, 4, .4857143},
		{"5 v 5, apart", []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 0, .0079365},
		{"10 v 5", exampleX, exampleY, 35, .2544123},
		{"all the same", repeated(3, 5), repeated(3, 7), 17.5, 1},
		// benchmath gives .303 for this one and .679 for its reverse.
		{"8 v 3, ties", []float64{0, 1, 3, 0, 0, 0, 1, 0}, repeated(0, 3), 16.5, .4909091},
		{"5 v 3, ties", []float64{1, 1, 1, 2, 3}, []float64{1, 2, 4}, 5, .5714286},
	} {
		got, ok := MannWhitney(c.xs, c.ys)
		if !ok || !got.Exact || got.U != c.u {
			t.Errorf("%s: %+v (ok %v), want U %v", c.name, got, ok, c.u)
		}
		near(t, c.name, got.P, c.p, 5e-8)
		turned, _ := MannWhitney(c.ys, c.xs)
		near(t, c.name+", turned", turned.P, got.P, 1e-12)
	}
	for _, bad := range [][2][]float64{{nil, {1}}, {{1}, nil}, {{1, math.NaN()}, {1}}, {{1}, {math.Inf(1)}}} {
		if got, ok := MannWhitney(bad[0], bad[1]); ok {
			t.Errorf("MannWhitney(%v) = %+v, want not ok", bad, got)
		}
	}
	if got, _ := MannWhitney(repeated(1, 30), append(repeated(2, 30), 3)); got.Exact || got.P > 1e-9 {
		t.Errorf("thirty ties: %+v, want a normal p next to 0", got)
	}
}

// The exact p equals the one from counting all ways to split the values.
func TestMannWhitneyCountsAllWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n1 := rapid.IntRange(1, 6).Draw(t, "n1")
		n2 := rapid.IntRange(1, 6).Draw(t, "n2")
		value := rapid.Map(rapid.IntRange(0, rapid.SampledFrom([]int{2, 5, 1000}).Draw(t, "values")), func(i int) float64 { return float64(i) })
		all := rapid.SliceOfN(value, n1+n2, n1+n2).Draw(t, "all")
		got, ok := MannWhitney(all[:n1], all[n1:])
		mean := float64(n1*n2) / 2
		far, ways := 0, 0
		for set := range 1 << (n1 + n2) {
			if bits.OnesCount(uint(set)) != n1 {
				continue
			}
			var xs, ys []float64
			for i, v := range all {
				if set>>i&1 == 1 {
					xs = append(xs, v)
				} else {
					ys = append(ys, v)
				}
			}
			ways++
			if math.Abs(pairsWon(xs, ys)-mean) >= math.Abs(got.U-mean) {
				far++
			}
		}
		if want := float64(far) / float64(ways); !ok || got.U != pairsWon(all[:n1], all[n1:]) || math.Abs(got.P-want) > 1e-9 {
			t.Fatalf("%+v, want p %v of %d ways", got, want, ways)
		}
	})
}

// pairsWon is U by its definition.
func pairsWon(xs, ys []float64) float64 {
	u := 0.
	for _, x := range xs {
		for _, y := range ys {
			switch {
			case x > y:
				u++
			case x == y:
				u += .5
			}
		}
	}
	return u
}

// The results match benchstat's output for the same samples.
func TestMannWhitneyIsBenchmaths(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, n := range [][2]int{{3, 9}, {10, 10}, {20, 17}, {50, 50}, {60, 70}} {
		for _, digits := range []float64{1, 1e9} {
			xs, ys := make([]float64, n[0]), make([]float64, n[1])
			for _, side := range [][]float64{xs, ys} {
				for i := range side {
					side[i] = math.Round(digits * 10 * random.Float64())
				}
			}
			got, _ := MannWhitney(xs, ys)
			sample := func(v []float64) *benchmath.Sample {
				return benchmath.NewSample(slices.Clone(v), &benchmath.DefaultThresholds)
			}
			want := benchmath.AssumeNothing.Compare(sample(xs), sample(ys)).P
			if tied := digits == 1; !tied || !got.Exact || n[0] == n[1] {
				near(t, "p", got.P, want, 0)
			}
		}
	}
}

func TestShift(t *testing.T) {
	got, ok := Shift(exampleY, exampleX, .95)
	if !ok {
		t.Fatal("not ok")
	}
	near(t, "shift", got.Center, .305, 1e-12)
	near(t, "low", got.Low, -.15, 1e-12)
	near(t, "high", got.High, .76, 1e-12)
	near(t, "level", got.Level, .96004, 5e-6)
	if s, ok := Shift([]float64{1, 2, 3}, []float64{5, 6, 7}, .95); !ok || s.Center != 4 || s.Level != 0 || s.Low != 4 || s.High != 4 {
		t.Errorf("3 v 3 has no interval at .95, got %+v", s)
	}
	if s, _ := Shift([]float64{1, 2, 3}, []float64{5, 6, 7}, .9); s.Low != 2 || s.High != 6 || s.Level != .9 {
		t.Errorf("3 v 3 at .9: %+v, want [2, 6]", s)
	}
	for _, bad := range [][2][]float64{{nil, {1}}, {{1}, nil}, {{1}, {math.NaN()}}, {{-math.MaxFloat64}, {math.MaxFloat64}}} {
		if s, ok := Shift(bad[0], bad[1], .95); ok {
			t.Errorf("Shift(%v) = %+v, want not ok", bad, s)
		}
	}
}

// Searching finds the same difference as sorting them all.
func TestShiftIsTheMedianOfAllDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) }))
		from := rapid.SliceOfN(value, 1, 25).Draw(t, "from")
		to := rapid.SliceOfN(value, 1, 25).Draw(t, "to")
		var all []float64
		for _, a := range from {
			for _, b := range to {
				all = append(all, b-a)
			}
		}
		slices.Sort(all)
		d := differences{slices.Sorted(slices.Values(to)), slices.Sorted(slices.Values(from))}
		for k := range all {
			if got := d.ranked(k + 1); got != all[k] {
				t.Fatalf("difference %d is %v, want %v", k+1, got, all[k])
			}
		}
		s, ok := Shift(from, to, .95)
		if want := Median(all); !ok || s.Center != want || s.Low > s.Center || s.High < s.Center {
			t.Fatalf("%+v (ok %v), want the median %v inside", s, ok, want)
		}
		turned, _ := Shift(to, from, .95)
		if turned.Low != -s.High || turned.High != -s.Low {
			t.Fatalf("turned round %+v, not the mirror of %+v", turned, s)
		}
		// The interval and the test must agree.
		p, _ := MannWhitney(from, to)
		if s.Level > 0 && len(all) == len(slices.Compact(slices.Clone(all))) && !slices.Contains(all, 0) {
			if outside := s.Low > 0 || s.High < 0; p.Exact && outside != (p.P < .05) {
				t.Fatalf("p %v, but the interval is %+v", p.P, s)
			}
		}
	})
}

// Where the exact distribution ends, the normal one must continue smoothly.
func TestIntervalRanksGoOn(t *testing.T) {
	exact, level := rejected(38, 38, .95)
	normal, normalLevel := rejected(39, 39, .95)
	if grown := normal - exact; grown < 15 || grown > 45 {
		t.Errorf("ranks %d and %d", exact, normal)
	}
	near(t, "exact level", level, .95, .004)
	near(t, "normal level", normalLevel, .95, .004)
	if level < .95 || normalLevel < .95 {
		t.Errorf("levels %v and %v are below what was asked", level, normalLevel)
	}
	for n := 4; n < 20; n++ {
		if c, level := rejected(n, n, .95); c < 1 || level < .95 {
			t.Errorf("%d v %d: rank %d level %v", n, n, c, level)
		}
	}
}

func TestRatio(t *testing.T) {
	got, ok := Ratio([]float64{10, 20, 40, 80}, []float64{30, 60, 120, 240}, .95)
	if !ok {
		t.Fatal("not ok")
	}
	near(t, "ratio", got.Center, 3, 1e-12)
	near(t, "low", got.Low, 3./8, 1e-12)
	near(t, "high", got.High, 24, 1e-12)
	for _, bad := range [][]float64{nil, {0}, {-1}, {math.NaN()}, {math.Inf(1)}} {
		if r, ok := Ratio([]float64{1, 2}, bad, .95); ok {
			t.Errorf("Ratio to %v = %+v, want not ok", bad, r)
		}
	}
}

func TestHolm(t *testing.T) {
	given := []float64{.01, .04, .03, .005}
	for i, want := range []float64{.03, .06, .06, .02} {
		near(t, "holm", Holm(given)[i], want, 1e-15)
	}
	if given[0] != .01 {
		t.Error("Holm changed its caller's p")
	}
	if got := Holm([]float64{.6, math.NaN(), .001}); got[0] != 1 || got[1] != 1 || math.Abs(got[2]-.003) > 1e-15 {
		t.Errorf("got %v", got)
	}
	if got := Holm(nil); len(got) != 0 {
		t.Errorf("Holm of none: %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "ps")
		for i, c := range Holm(ps) {
			if c < ps[i] || c > min(1, ps[i]*float64(len(ps)))+1e-12 {
				t.Fatalf("%v became %v among %d", ps[i], c, len(ps))
			}
			for j, other := range Holm(ps) {
				if ps[i] < ps[j] && c > other {
					t.Fatalf("the order changed: %v", ps)
				}
			}
		}
	})
}
