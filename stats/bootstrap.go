package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// What a bootstrap needs and does.
const (
	Resamples         = 10_000
	LeastForBootstrap = 10 // runs on each side
)

// Counted is a value and how often it was seen: an operation's latency, or a bin
// of a histogram with its upper edge.
type Counted struct {
	Value float64
	N     int64
}

// QuantileRatio says how many times as large the quantile q (0..1) of all that
// was counted in the runs of to is, with its BCa bootstrap interval of that
// level. Runs are drawn, never the operations in them, for those depend on each
// other. The same seed gives the same interval.
//
// For medians of one value a run, Ratio says more with fewer runs. Errors: fewer
// than LeastForBootstrap runs on a side, a q or level that is none, a run in
// which nothing was counted, and values that are not above 0 or not finite.
//
// Efron, Better Bootstrap Confidence Intervals, 1987.
func QuantileRatio(from, to [][]Counted, q, level float64, seed uint64) (Interval, error) {
	if !(q > 0 && q < 1) || !(level > 0 && level < 1) {
		return Interval{}, fmt.Errorf("quantile %v and level %v: both must lie between 0 and 1", q, level)
	}
	if least := min(len(from), len(to)); least < LeastForBootstrap {
		return Interval{}, fmt.Errorf("%d runs: a ratio of quantiles needs at least %d on each side", least, LeastForBootstrap)
	}
	a, err := newPool(from)
	if err != nil {
		return Interval{}, err
	}
	b, err := newPool(to)
	if err != nil {
		return Interval{}, err
	}
	logRatio := func(timesA, timesB []int64) float64 {
		return math.Log(b.quantile(q, timesB)) - math.Log(a.quantile(q, timesA))
	}
	onceA, onceB := once(a.runs), once(b.runs)
	estimate := logRatio(onceA, onceB)
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // drawn again from the seed, on purpose
	drawn := make([]float64, Resamples)
	timesA, timesB := make([]int64, a.runs), make([]int64, b.runs)
	for i := range drawn {
		draw(random, timesA)
		draw(random, timesB)
		drawn[i] = logRatio(timesA, timesB)
	}
	slices.Sort(drawn)
	pull := acceleration(
		without(onceA, func(times []int64) float64 { return logRatio(times, onceB) }),
		without(onceB, func(times []int64) float64 { return logRatio(onceA, times) }),
	)
	bias := biasCorrection(drawn, estimate)
	tail := (1 - level) / 2
	return Interval{
		Center: math.Exp(estimate),
		Low:    math.Exp(bca(drawn, bias, pull, tail)),
		High:   math.Exp(bca(drawn, bias, pull, 1-tail)),
		Level:  level,
	}, nil
}

// pool is all that the runs of a side counted, sorted once: a resample then is
// only how often each run counts.
type pool struct {
	values []pooled
	runs   int
}

type pooled struct {
	Counted
	run int
}

func newPool(runs [][]Counted) (pool, error) {
	p := pool{runs: len(runs)}
	for i, run := range runs {
		before := len(p.values)
		for _, c := range run {
			if !(c.Value > 0) || !Finite(c.Value) || c.N < 0 {
				return p, fmt.Errorf("run %d: %v, %d times: has no ratio", i+1, c.Value, c.N)
			}
			if c.N > 0 {
				p.values = append(p.values, pooled{c, i})
			}
		}
		if len(p.values) == before {
			return p, fmt.Errorf("run %d counted nothing", i+1)
		}
	}
	slices.SortFunc(p.values, func(a, b pooled) int { return cmp.Compare(a.Value, b.Value) })
	return p, nil
}

// quantile is the least value that the share q of all is not above, where run i
// counts times[i] times.
func (p pool) quantile(q float64, times []int64) float64 {
	total := int64(0)
	for _, v := range p.values {
		total += v.N * times[v.run]
	}
	wanted := int64(math.Ceil(q*float64(total) - 1e-9))
	seen, last := int64(0), 0.
	for _, v := range p.values {
		if weight := v.N * times[v.run]; weight > 0 {
			seen, last = seen+weight, v.Value
			if seen >= wanted {
				break
			}
		}
	}
	return last
}

// once counts every run once.
func once(runs int) []int64 { return slices.Repeat([]int64{1}, runs) }

// draw draws as many runs as there are, with replacement.
func draw(random *rand.Rand, times []int64) {
	clear(times)
	for range times {
		times[random.IntN(len(times))]++
	}
}

// without is the estimate with each run of one side left out in turn.
func without(times []int64, estimate func([]int64) float64) []float64 {
	out := make([]float64, len(times))
	for i := range times {
		rest := slices.Clone(times)
		rest[i] = 0
		out[i] = estimate(rest)
	}
	return out
}

// acceleration is how fast the spread of the estimate changes with the estimate:
// a sixth of the skewness of what single runs do to it, all sides together.
func acceleration(sides ...[]float64) float64 {
	var squares, cubes float64
	for _, estimates := range sides {
		n, mean := float64(len(estimates)), Mean(estimates)
		for _, e := range estimates {
			influence := (n - 1) * (mean - e) / n
			squares += influence * influence
			cubes += influence * influence * influence
		}
	}
	if squares == 0 {
		return 0
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}

// biasCorrection is how far the estimate lies from the middle of what was drawn,
// as a quantile of the normal distribution. What equals the estimate counts
// half: quantiles of few runs repeat themselves.
func biasCorrection(drawn []float64, estimate float64) float64 {
	below, _ := slices.BinarySearch(drawn, estimate)
	upTo, _ := slices.BinarySearch(drawn, math.Nextafter(estimate, math.Inf(1)))
	n := float64(len(drawn))
	return normalQuantile(min(max(float64(below+upTo)/2/n, .5/n), 1-.5/n))
}

// bca is the value of the sorted draws that ends the interval at that tail.
func bca(drawn []float64, bias, pull, tail float64) float64 {
	z := bias + normalQuantile(tail)
	share := 0.
	switch stretch := 1 - pull*z; {
	case stretch > 0:
		share = normalBelow(bias + z/stretch)
	case z > 0:
		share = 1
	}
	return drawn[min(max(int(share*float64(len(drawn))), 0), len(drawn)-1)]
}
