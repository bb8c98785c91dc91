package main

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"assay/stats"
)

// True mean of the simulated series, and their standard deviation, 5 % of it.
const (
	trueMean  = 100.
	deviation = 5.
)

// longest is the length at which a simulated series is abandoned.
const longest = 50_000

// cell is one row of the table: the autocorrelation of neighbouring samples, and
// the wanted precision of the mean.
type cell struct{ phi, precision float64 }

// cells are the rows, in order.
func cells() []cell {
	var all []cell
	for _, precision := range []float64{.01, .02} {
		for _, phi := range []float64{0, .5, .8, .9} {
			all = append(all, cell{phi, precision})
		}
	}
	return all
}

// outcome is the result of one series.
type outcome struct {
	samples int
	covered bool // the true mean lies in the interval
	naive   bool // and in the interval that assumes independent samples
	stopped bool // before the cap
}

// row is a cell with the results of its series.
type row struct {
	cell
	coverage, naive float64 // shares of all series
	median, p95     int     // samples until the end
	given           float64 // share of series that were abandoned
}

// simulate runs trials series of a cell. Each series has its own stream of the
// seed, so it is the same regardless of what runs in parallel.
func simulate(c cell, first, trials int, seed uint64) row {
	outcomes := make([]outcome, trials)
	var wait sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < trials; i += workers {
				outcomes[i] = follow(c, first, rand.New(rand.NewPCG(seed, uint64(i)))) //nolint:gosec // reproducible from the seed, on purpose
			}
		})
	}
	wait.Wait()
	return summarise(c, outcomes)
}

// follow feeds one AR(1) series to a stopper until it ends. The series starts in
// its stationary state: the rule's warm-up cut has nothing to find, and must do
// no harm.
func follow(c cell, first int, random *rand.Rand) outcome {
	s := stats.NewStopper(stats.StopRule{Precision: c.precision, First: first, Cap: longest})
	noise := deviation * math.Sqrt(1-c.phi*c.phi)
	away := deviation * random.NormFloat64()
	var xs []float64
	for {
		xs = append(xs, trueMean+away)
		look, _ := s.Add(trueMean + away)
		if look.State != stats.GoOn {
			b := look.Batches
			naive := 1.96 * stats.StdDev(xs) / math.Sqrt(float64(len(xs)))
			return outcome{
				samples: look.N,
				covered: math.Abs(b.Mean-trueMean) <= b.Half,
				naive:   math.Abs(stats.Mean(xs)-trueMean) <= naive,
				stopped: look.State == stats.Converged,
			}
		}
		away = c.phi*away + noise*random.NormFloat64()
	}
}

// summarise aggregates outcomes.
func summarise(c cell, outcomes []outcome) row {
	r := row{cell: c}
	samples := make([]int, len(outcomes))
	one := 1 / float64(len(outcomes))
	for i, o := range outcomes {
		samples[i] = o.samples
		for _, count := range []struct {
			holds bool
			share *float64
		}{{o.covered, &r.coverage}, {o.naive, &r.naive}, {!o.stopped, &r.given}} {
			if count.holds {
				*count.share += one
			}
		}
	}
	slices.Sort(samples)
	r.median, r.p95 = samples[len(samples)/2], samples[len(samples)*95/100]
	return r
}
