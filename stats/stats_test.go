package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tolerance)
	}
}

func TestMedianRanks(t *testing.T) {
	for _, c := range []struct {
		n         int
		low, high float64
		level     float64
	}{
		{6, 1, 6, .96875}, {8, 1, 8, .99219}, {10, 2, 9, .97852},
		{20, 6, 15, .95861}, {30, 10, 21, .95723}, {100, 40, 61, .96480},
	} {
		values := make([]float64, c.n)
		for i := range values {
			values[i] = float64(c.n - i) // falling: Summarise must sort, but not in place
		}
		got := Summarise(values)
		if got.Low != c.low || got.High != c.high || got.N != c.n || len(got.Warnings) != 0 {
			t.Errorf("n=%d: ranks (%v, %v) n=%d %v, want (%v, %v)", c.n, got.Low, got.High, got.N, got.Warnings, c.low, c.high)
		}
		near(t, "level", got.Level, c.level, 5e-6)
		if values[0] != float64(c.n) {
			t.Error("Summarise sorted its caller's values")
		}
	}
}

func TestSummariseVectors(t *testing.T) {
	got := Summarise([]float64{-10, 2, 3, 4, 5, 6})
	if got.Center != 3.5 || got.Low != -10 || got.High != 6 {
		t.Errorf("got %v [%v, %v], want 3.5 [-10, 6]", got.Center, got.Low, got.High)
	}
	few := Summarise([]float64{1, 2, 3, 4, 9})
	if few.Center != 3 || few.Low != 3 || few.High != 3 || few.Level != 0 || len(few.Warnings) != 1 {
		t.Errorf("five values have no interval, got %+v", few)
	}
	if none := Summarise(nil); none.N != 0 || len(none.Warnings) != 1 {
		t.Errorf("no values: %+v", none)
	}
	odd := Summarise([]float64{math.NaN(), 7, math.Inf(1)})
	if odd.Center != 7 || odd.N != 1 || len(odd.Warnings) != 2 {
		t.Errorf("values that are not finite must be left out with a warning, got %+v", odd)
	}
}

func TestSteadyState(t *testing.T) {
	for _, c := range []struct {
		name        string
		values      []float64
		mean        float64
		spread      float64
		slope, line float64
		steady      bool
	}{
		{"settling within both limits", []float64{228.90, 240.21, 240.60, 240.71, 240.71}, 238.226, .04957, 2.412, .04050, true},
		{"a line too steep", []float64{94, 97, 100, 103, 106}, 100, .12, 3, .12, false},
		{"both", []float64{111, 104, 100, 96, 89}, 100, .22, -5.2, .208, false},
	} {
		got, ok := SteadyState(c.values)
		if !ok || got.Steady != c.steady {
			t.Errorf("%s: steady %v (ok %v), want %v", c.name, got.Steady, ok, c.steady)
		}
		near(t, c.name+": mean", got.Mean, c.mean, 5e-4)
		near(t, c.name+": range", got.Range, c.spread, 5e-6)
		near(t, c.name+": slope", got.Slope, c.slope, 5e-4)
		near(t, c.name+": line", got.Line, c.line, 5e-6)
	}
	if got, ok := SteadyState([]float64{0, 100, 100, 100, 100, 100}); !ok || got.Range != 0 {
		t.Errorf("six values: the oldest is left out, got %+v", got)
	}
	for _, bad := range [][]float64{nil, {1, 2, 3, 4}, {0, 0, 0, 0, 0}, {1, 2, math.NaN(), 4, 5}, {1, 1, 1, 1, math.Inf(1)}} {
		if got, ok := SteadyState(bad); ok {
			t.Errorf("SteadyState(%v) = %+v, want not ok", bad, got)
		}
	}
}

// Every interval is symmetric and keeps its level.
func TestMedianRanksHoldTheirLevel(t *testing.T) {
	for n := LeastForInterval; n <= 200; n++ {
		low, high, level := medianRanks(n)
		if low < 1 || low+high != n+1 || level < Confidence || level >= 1 {
			t.Errorf("n=%d: ranks (%d, %d) level %v", n, low, high, level)
		}
	}
}

// autoregressive returns a series that anyone can rebuild: a decaying start
// plus AR(1) noise from a linear congruential generator.
func autoregressive() []float64 {
	z, a := uint64(12345), 0.0
	xs := make([]float64, 300)
	for i := range xs {
		z = (1103515245*z + 12345) % (1 << 31)
		a = .6*a + 8*(float64(z)/(1<<31)-.5)
		xs[i] = 100 + 30*math.Pow(.9, float64(i)) + a
	}
	return xs
}

func TestAutocorrelationOfTheKnownSeries(t *testing.T) {
	xs := autoregressive()
	near(t, "x0", xs[0], 131.241232, 5e-7)
	w, ok := FindWarmup(xs)
	if !ok || w.Batches != 5 || w.Bound != 30 || !w.Settled || w.Samples() != 25 {
		t.Fatalf("warm-up %+v, want 5 batches of at most 30", w)
	}
	rest := xs[w.Samples():]
	near(t, "mean", Mean(rest), 99.985474, 5e-7)
	a, ok := Autocorrelation(rest)
	if !ok || a.N != 275 {
		t.Fatalf("autocorrelation of %d values, ok %v", a.N, ok)
	}
	near(t, "r", a.R, .567609, 5e-7)
	near(t, "rho", a.Rho, .577438, 5e-7)
	near(t, "tau", a.Tau, 3.73303, 5e-6)
	near(t, "effective", a.Effective, 275/3.73303, 1e-4)
}

func TestAutocorrelationBounds(t *testing.T) {
	up := make([]float64, 50)
	for i := range up {
		up[i] = float64(i)
	}
	if a, ok := Autocorrelation(up); !ok || a.Rho != .99 {
		t.Errorf("a ramp must be clamped to .99, got %+v", a)
	}
	zigzag := []float64{1, -1, 1, -1, 1, -1, 1, -1}
	if a, ok := Autocorrelation(zigzag); !ok || a.Rho != 0 || a.Effective != 8 {
		t.Errorf("a zigzag must be clamped to 0, got %+v", a)
	}
	for _, bad := range [][]float64{nil, {1, 2}, {3, 3, 3}, {1, math.NaN(), 2}} {
		if _, ok := Autocorrelation(bad); ok {
			t.Errorf("Autocorrelation(%v) must not be ok", bad)
		}
	}
}

func TestWarmupAtItsBound(t *testing.T) {
	ramp := make([]float64, 100)
	for i := range ramp {
		ramp[i] = 100 + .5*float64(i)
	}
	step := append(slices.Repeat([]float64{100}, 60), slices.Repeat([]float64{50}, 60)...)
	for _, c := range []struct {
		name  string
		xs    []float64
		bound int
	}{{"ramp", ramp, 10}, {"step", step, 12}} {
		w, ok := FindWarmup(c.xs)
		if !ok || w.Batches != c.bound || w.Bound != c.bound || w.Settled {
			t.Errorf("%s: %+v, want d at its bound %d", c.name, w, c.bound)
		}
	}
	if _, ok := FindWarmup(make([]float64, 9)); ok {
		t.Error("nine samples are not two batches")
	}
}

func TestCoV(t *testing.T) {
	near(t, "cov", CoV([]float64{90, 100, 110}), .1, 1e-12)
	for _, bad := range [][]float64{nil, {1}, {0, 0}, {-1, -2}} {
		if v := CoV(bad); !math.IsNaN(v) {
			t.Errorf("CoV(%v) = %v, want NaN", bad, v)
		}
	}
}

// No input makes anything panic, and results marked ok are finite.
func TestTotal(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.OneOf(rapid.Float64(), rapid.SampledFrom(odd)), 0, 60).Draw(t, "xs")
		if s := Summarise(xs); s.Level > 0 && !(s.Low <= s.Center && s.Center <= s.High) {
			t.Fatalf("the median lies outside its interval: %+v", s)
		}
		if s, ok := SteadyState(xs); ok && !(Finite(s.Range) && Finite(s.Line)) {
			t.Fatalf("steady state is ok and not finite: %+v", s)
		}
		if a, ok := Autocorrelation(xs); ok && !(a.Rho >= 0 && a.Rho <= maxRho && a.Effective <= float64(a.N)) {
			t.Fatalf("autocorrelation out of bounds: %+v", a)
		}
		if w, ok := FindWarmup(xs); ok && (w.Batches > w.Bound || w.Samples() > len(xs)) {
			t.Fatalf("warm-up out of bounds: %+v", w)
		}
		Median(xs)
		CoV(xs)
	})
}
