package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// single is runs of one value each.
func single(values ...float64) [][]Counted {
	var runs [][]Counted
	for _, v := range values {
		runs = append(runs, []Counted{{v, 1}})
	}
	return runs
}

// The wanted intervals are those of SciPy 1.17.1's bootstrap (method BCa, 100,000
// resamples, quantiles by inverted_cdf) on the same values.
func TestQuantileRatioIsScipys(t *testing.T) {
	from := single(10.2, 9.8, 11.5, 10.9, 12.4, 9.1, 10.0, 13.7, 10.6, 11.1, 9.5, 10.4)
	to := single(12.1, 13.9, 12.8, 11.7, 15.2, 12.2, 16.8, 12.9, 11.3, 14.1, 13.3)
	for _, c := range []struct{ q, ratio, low, high float64 }{
		{.5, 1.24038461, 1.10377359, 1.38235294},
		{.75, 1.27027027, 1.03225806, 1.49019608},
		{.9, 1.22580645, .97080292, 1.46086957},
	} {
		got, err := QuantileRatio(from, to, c.q, .95, 1)
		if err != nil || got.Level != .95 {
			t.Fatalf("q %v: %+v, %v", c.q, got, err)
		}
		near(t, "ratio", got.Center, c.ratio, 1e-8)
		// Ten thousand draws may end one value away, and these stand .03 apart.
		near(t, "low", got.Low, c.low, .03)
		near(t, "high", got.High, c.high, .03)
		again, _ := QuantileRatio(from, to, c.q, .95, 1)
		if again != got {
			t.Errorf("the same seed gave %+v and %+v", got, again)
		}
	}
}

// A histogram says the same as the operations it counts.
func TestQuantileRatioOfHistograms(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	side := func(scale float64) (operations, histograms [][]Counted) {
		for range 12 {
			var run []Counted
			bins := map[float64]int64{}
			shift := random.Float64()
			for range 50 {
				v := scale * math.Ceil(10*(random.ExpFloat64()+shift)+1)
				run = append(run, Counted{v, 1})
				bins[v]++
			}
			var histogram []Counted
			for v, n := range bins {
				histogram = append(histogram, Counted{v, n})
			}
			operations, histograms = append(operations, run), append(histograms, append(histogram, Counted{1e9, 0}))
		}
		return operations, histograms
	}
	fromRuns, fromBins := side(1)
	toRuns, toBins := side(2)
	runs, err := QuantileRatio(fromRuns, toRuns, .9, .95, 7)
	if err != nil || runs.Low > 2 || runs.High < 2 || runs.Low < 1.2 || runs.High > 3.5 {
		t.Fatalf("%+v, %v: want an interval about 2", runs, err)
	}
	if bins, err := QuantileRatio(fromBins, toBins, .9, .95, 7); err != nil || bins != runs {
		t.Errorf("histograms %+v (%v), operations %+v", bins, err, runs)
	}
	if same, err := QuantileRatio(single(slices.Repeat([]float64{3}, 10)...), single(slices.Repeat([]float64{3}, 10)...), .99, .95, 1); err != nil || same != (Interval{1, 1, 1, .95}) {
		t.Errorf("what does not vary: %+v, %v", same, err)
	}
}

func TestQuantileRatioRefuses(t *testing.T) {
	good := single(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	with := func(run ...Counted) [][]Counted { return append(slices.Clone(good), run) }
	for _, c := range []struct {
		from, to [][]Counted
		q, level float64
		says     string
	}{
		{good[:9], good, .5, .95, "9 runs"},
		{good, nil, .5, .95, "0 runs"},
		{good, good, 0, .95, "quantile 0"},
		{good, good, math.NaN(), .95, "quantile NaN"},
		{good, good, .5, 1, "level 1"},
		{good, with(), .5, .95, "run 11 counted nothing"},
		{good, with(Counted{0, 1}), .5, .95, "run 11: 0, 1 times"},
		{with(Counted{math.Inf(1), 1}), good, .5, .95, "run 11: +Inf"},
		{with(Counted{1, -1}), good, .5, .95, "-1 times"},
	} {
		if got, err := QuantileRatio(c.from, c.to, c.q, c.level, 1); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v, %v, want an error with %q", got, err, c.says)
		}
	}
}

// The true ratio lies within 95 % intervals about as often as they say; few runs
// of a skewed quantile cost some of it.
func TestQuantileRatioCovers(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred bootstraps")
	}
	random := rand.New(rand.NewPCG(9, 9))
	draw := func(scale float64) [][]Counted {
		var runs [][]Counted
		for range 25 {
			runs = append(runs, []Counted{{scale * math.Exp(.2*random.NormFloat64()), 1}})
		}
		return runs
	}
	held := 0
	for i := range 200 {
		got, err := QuantileRatio(draw(1), draw(1.5), .5, .95, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if got.Low <= 1.5 && 1.5 <= got.High {
			held++
		}
	}
	if held < 180 || held > 199 {
		t.Errorf("%d of 200 intervals hold the true ratio", held)
	}
}
