package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestBatchOfTheKnownSeries(t *testing.T) {
	rest := autoregressive()[25:]
	b, ok := Batch(rest)
	if !ok || b.K != 10 || b.M != 27 || !b.Long {
		t.Fatalf("%+v (ok %v), want 10 batches of 27 that are long enough", b, ok)
	}
	near(t, "tau", b.Tau, 3.73303, 5e-6)
	near(t, "mean", b.Mean, 99.949403, 5e-7)
	near(t, "s_B", b.StdDev, .873126, 5e-7)
	near(t, "r_B", b.R, -.03639, 5e-6)
	near(t, "half", b.Half, .624597, 5e-7)
	near(t, "relative", b.Relative(), .00625, 5e-6)
	if b, _ := Batch(rest[:180]); b.M != 18 || b.Long {
		t.Errorf("batches of 18 are shorter than 5 x %v", b.Tau)
	}
}

// Drift leaves the batches correlated, so the interval must be wider.
func TestBatchWidensForCorrelatedBatches(t *testing.T) {
	var drift []float64
	for i := range 200 {
		drift = append(drift, 100+math.Sin(float64(i)/60))
	}
	b, ok := Batch(drift)
	if plain := batchT * b.StdDev / math.Sqrt(10); !ok || b.R < .3 || b.Half < 1.3*plain {
		t.Errorf("half %v, r %v, ok %v: not wider than %v", b.Half, b.R, ok, plain)
	}
}

func TestBatchBounds(t *testing.T) {
	if b, ok := Batch([]float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}); !ok || b.Mean != 7 || b.Half != 0 || b.Tau != 1 || b.M != 1 {
		t.Errorf("what never varies is known exactly, got %+v", b)
	}
	for _, bad := range [][]float64{nil, make([]float64, 9), {1, 2, 3, 4, math.NaN(), 6, 7, 8, 9, 10}} {
		if b, ok := Batch(bad); ok {
			t.Errorf("Batch(%v) = %+v, want not ok", bad, b)
		}
	}
	if b, _ := Batch(make([]float64, 20)); !math.IsInf(b.Relative(), 1) {
		t.Errorf("a mean of 0 has no relative width, got %v", b.Relative())
	}
}

// feed passes all samples to a stopper and returns its looks.
func feed(s *Stopper, xs []float64) []Look {
	var looks []Look
	for _, x := range xs {
		if look, looked := s.Add(x); looked {
			looks = append(looks, look)
		}
	}
	return looks
}

func TestStopperOnTheKnownSeries(t *testing.T) {
	looks := feed(NewStopper(StopRule{Growth: 1.25}), autoregressive())
	var at []int
	for _, l := range looks {
		at = append(at, l.N)
	}
	if len(looks) < 2 || at[0] != 120 || at[1] != 150 {
		t.Fatalf("looks at %v, want 120, 150 …", at)
	}
	last := looks[len(looks)-1]
	if last.State != Converged || last.Why != "" || !last.Valid || !last.Batches.Long || !last.Warmup.Settled || last.Batches.Relative() > Precision {
		t.Errorf("after %v: %+v, want it converged", at, last)
	}
	for _, l := range looks[:len(looks)-1] {
		if l.State != GoOn || l.Why == "" {
			t.Errorf("at %d: %q, %q", l.N, l.State, l.Why)
		}
	}

	s := NewStopper(StopRule{Precision: .001, Cap: 300})
	feed(s, autoregressive())
	end := s.last
	if end.State != NotConverged || end.N != 300 || end.Warmup.Batches != 5 || end.Batches.M != 27 || end.Why != "± 0.62 % is wider than ± 0.1 %" {
		t.Errorf("at the end: %+v", end)
	}
	near(t, "half", end.Batches.Half, .624597, 5e-7)
	if again, looked := s.Add(1); looked || again != end {
		t.Errorf("a sample after the end says otherwise: %+v", again)
	}
}

func TestStopperWords(t *testing.T) {
	noise := func(phi float64, n int) []float64 {
		r, away := rand.New(rand.NewPCG(1, 2)), 0.
		xs := make([]float64, n)
		for i := range xs {
			away = phi*away + r.NormFloat64()
			xs[i] = 100 + away
		}
		return xs
	}
	ramp := make([]float64, 300)
	for i := range ramp {
		ramp[i] = 100 + float64(i)
	}
	for _, c := range []struct {
		name  string
		rule  StopRule
		xs    []float64
		state StopState
		n     int
		why   string
	}{
		{"steady", StopRule{}, noise(0, 300), Converged, 168, ""},
		{"one value", StopRule{}, repeated(42, 300), Converged, 168, ""},
		{"earlier", StopRule{First: 60, Growth: 1.5}, noise(0, 300), Converged, 90, ""},
		{"no time for a second look", StopRule{Cap: 120}, noise(0, 300), NotConverged, 120, "the next look must agree"},
		{"a ramp", StopRule{Cap: 300}, ramp, NotConverged, 300, "the series never reaches steady state"},
		{"nothing but 0", StopRule{Cap: 200}, repeated(0, 300), NotConverged, 200, "the mean is 0: a relative precision is undefined"},
		{"a short cap", StopRule{Cap: 8}, noise(0, 300), NotConverged, 8, "8 samples are too few"},
		{"after the warm-up", StopRule{Cap: 10}, ramp, NotConverged, 10, "5 samples after the warm-up are too few"},
		{"huge", StopRule{Cap: 200}, append(repeated(1e308, 100), repeated(-1e308, 100)...), NotConverged, 200, "the samples are too large to average"},
		{"strongly correlated", StopRule{Precision: .5, Cap: 120}, noise(.97, 120), NotConverged, 120, "batches of "},
	} {
		s := NewStopper(c.rule)
		feed(s, c.xs)
		got := s.last
		if got.State != c.state || got.N != c.n || len(got.Why) < len(c.why) || got.Why[:len(c.why)] != c.why || (c.why == "") != (got.Why == "") {
			t.Errorf("%s: %q at %d: %q, want %q at %d: %q", c.name, got.State, got.N, got.Why, c.state, c.n, c.why)
		}
	}
	if l, looked := NewStopper(StopRule{Cap: 1}).Add(math.NaN()); looked || l.State != NotConverged || l.N != 0 || l.Valid || l.Why == "" {
		t.Errorf("no samples at all: %+v", l)
	}
}

func repeated(v float64, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = v
	}
	return xs
}

// For any samples in any order: looks get ever farther apart, an end is final,
// and a converged result has the requested precision.
func TestStopperProperties(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), 0, -5, 1e308, -1e308}
	rapid.Check(t, func(t *rapid.T) {
		rule := StopRule{
			Precision: rapid.SampledFrom([]float64{0, -1, math.NaN(), .001, .02, .3}).Draw(t, "precision"),
			First:     rapid.IntRange(-1, 150).Draw(t, "first"),
			Growth:    rapid.SampledFrom([]float64{0, 1, 1.25, 2, 1e300, math.Inf(1)}).Draw(t, "growth"),
			Cap:       rapid.IntRange(0, 400).Draw(t, "cap"),
		}
		n := rapid.IntRange(0, 500).Draw(t, "n")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		spread := rapid.SampledFrom([]float64{0, 1, 10, 200}).Draw(t, "spread")
		oddEvery := rapid.SampledFrom([]int{0, 7, 90}).Draw(t, "odd")
		s := NewStopper(rule)
		ended, seen, looks := Look{State: GoOn}, 0, 0
		for i := range n {
			x := 100 + spread*random.NormFloat64()
			if oddEvery > 0 && i%oddEvery == oddEvery-1 {
				x = odd[random.IntN(len(odd))]
			}
			look, looked := s.Add(x)
			if ended.State != GoOn {
				if looked || look != ended {
					t.Fatalf("it went on after its end: %+v", look)
				}
				continue
			}
			if looked && (look.N <= seen || look.N > i+1) {
				t.Fatalf("looked at %d samples after %d, with %d fed", look.N, seen, i+1)
			}
			if looked {
				seen = look.N
				looks++
			}
			if rule.Cap > 0 && i+1 >= rule.Cap && look.State == GoOn {
				t.Fatalf("%d samples are fed, the cap is %d, and it goes on", i+1, rule.Cap)
			}
			ended = look
		}
		last := s.last
		if (last.Why == "") != (last.State == Converged) {
			t.Fatalf("the end: %+v", last)
		}
		if last.State == Converged {
			b := last.Batches
			wanted := s.rule.Precision
			if !last.Valid || !b.Long || !last.Warmup.Settled || !(b.Relative() <= wanted) || b.M*b.K > last.N {
				t.Fatalf("converged, but %+v", last)
			}
		}
	})
}
