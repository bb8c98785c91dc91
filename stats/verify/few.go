package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"assay/stats"
)

// mostWrong is how often the model for few repeats may find a difference where
// there is none, whatever the spread.
const mostWrong = .02

// errWrong reports that the model for few repeats breaks its promise.
var errWrong = errors.New("too often wrong")

// noise is a distribution of repeats.
type noise struct {
	name string
	draw func(*rand.Rand) float64 // a factor about 1
}

// noises are the effects of storage and networks on repeats: a quiet machine, busy
// ones, and one where other work comes and goes, so that repeats are bimodal.
func noises() []noise {
	spread := func(share float64) func(*rand.Rand) float64 {
		return func(dice *rand.Rand) float64 { return math.Exp(share * dice.NormFloat64()) }
	}
	return []noise{
		{"log-normal, 2 %", spread(.02)},
		{"log-normal, 10 %", spread(.1)},
		{"log-normal, 30 %", spread(.3)},
		{"log-normal, 80 %", spread(.8)},
		{"10 %, one in five three times slower", func(dice *rand.Rand) float64 {
			factor := spread(.1)(dice)
			if dice.Float64() < .2 {
				factor /= 3
			}
			return factor
		}},
		{"10 %, with a tail of slow repeats", func(dice *rand.Rand) float64 { return math.Exp(.1*dice.NormFloat64() - .2*dice.ExpFloat64()) }},
	}
}

// fewSizes are the numbers of repeats on each side.
var fewSizes = []int{3, 4, 5}

// fewRow is one row of the table: how often two samples are called different, by
// true ratio.
type fewRow struct {
	noise   string
	repeats int
	found   map[float64]float64 // share of comparisons, by ratio
}

// fewRatios are the true ratios: none, and those to be detected.
var fewRatios = []float64{1, 2, 4, 10}

// atOnce is how many comparisons of a report are judged together if there is a
// difference to find.
const atOnce = 20

// few simulates comparisons. Equals are judged alone, where the model is most often
// wrong; differences are judged among others, where ranks find nothing.
func few(trials int, seed uint64) []fewRow {
	var rows []fewRow
	for _, n := range noises() {
		for _, size := range fewSizes {
			r := fewRow{noise: n.name, repeats: size, found: map[float64]float64{}}
			for _, ratio := range fewRatios {
				together := atOnce
				if ratio == 1 {
					together = 1
				}
				r.found[ratio] = likelyShare(n, size, ratio, together, trials, seed)
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// likelyShare returns the share of comparisons that the model calls different.
func likelyShare(n noise, size int, ratio float64, together, trials int, seed uint64) float64 {
	found, made := 0, 0
	for i := 0; made < trials; i++ {
		dice := rand.New(rand.NewPCG(seed, uint64(i))) //nolint:gosec // reproducible from the seed, on purpose
		all := make([]stats.Comparison, together)
		for j := range all {
			all[j] = stats.Compare(drawn(n, dice, size, 1), drawn(n, dice, size, ratio))
		}
		stats.Judge(all, stats.Margin)
		for _, c := range all {
			made++
			if c.Likely {
				found++
			}
		}
	}
	return float64(found) / float64(made)
}

func drawn(n noise, dice *rand.Rand, size int, factor float64) []float64 {
	values := make([]float64, size)
	for i := range values {
		values[i] = trueMean * factor * n.draw(dice)
	}
	return values
}

// judgeFew returns an error for the first row that is wrong too often.
func judgeFew(rows []fewRow) error {
	for _, r := range rows {
		if r.found[1] > mostWrong {
			return fmt.Errorf("%w: %.4f of comparisons of equals with %d repeats, %s", errWrong, r.found[1], r.repeats, r.noise)
		}
	}
	return nil
}

func fewTable(rows []fewRow, w wish) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nCalled different by the model of few repeats, %d comparisons a row and ratio, seed %d. Equals are compared\none by one, the others %d at once:\n\n", w.trials, w.seed, atOnce)
	b.WriteString("| repeats spread | repeats each | equal | twice | four times | ten times |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %d |", r.noise, r.repeats)
		for _, ratio := range fewRatios {
			fmt.Fprintf(&b, " %.2f %% |", 100*r.found[ratio])
		}
		b.WriteString("\n")
	}
	return b.String()
}
