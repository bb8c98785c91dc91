package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/stats"
)

// mostRepeats is the number of repeats at which a simulated figure is
// abandoned.
const mostRepeats = 400

// figure is one row of the second table: by spread of the repeats, as a share.
type figure struct {
	spread   float64
	coverage float64
	median   int // repeats until the end
	p95      int
}

// repeats simulates figures to which repeats are added until stats.Precise is
// satisfied, at the default precision. Half of the repeats' spread is Gaussian,
// half exponential: storage has slow minutes, but no fast ones.
func repeats(trials int, seed uint64) []figure {
	var rows []figure
	for _, spread := range []float64{.01, .02, .03, .05} {
		r := figure{spread: spread}
		var counts []int
		for i := range trials {
			dice := rand.New(rand.NewPCG(seed, uint64(i))) //nolint:gosec // reproducible from the seed, on purpose
			var values []float64
			for len(values) < mostRepeats && !stats.Precise(values, stats.Precision) {
				values = append(values, trueMean*(1+spread*lopsided(dice)))
			}
			if s := stats.Summarise(values); s.Low <= trueMean && trueMean <= s.High {
				r.coverage += 1 / float64(trials)
			}
			counts = append(counts, len(values))
		}
		slices.Sort(counts)
		r.median, r.p95 = counts[len(counts)/2], counts[len(counts)*95/100]
		rows = append(rows, r)
	}
	return rows
}

// lopsidedMedian is the median of a normal value less an exponential one, each
// divided by the square root of 2, to four digits by simulation.
const lopsidedMedian = -.6194

// lopsided draws a value with a median of 0 and a standard deviation of 1.
func lopsided(dice *rand.Rand) float64 {
	const half = .7071067811865476
	return half*(dice.NormFloat64()-dice.ExpFloat64()) - lopsidedMedian
}

func repeatTable(rows []figure, w wish) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nRepeats added until the median is known to ± %v %%, %d figures a row, seed %d:\n\n", 100*stats.Precision, w.trials, w.seed)
	b.WriteString("| repeats spread by | coverage | repeats, median | repeats, p95 |\n| ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %v %% | %.2f %% | %d | %d |\n", 100*r.spread, 100*r.coverage, r.median, r.p95)
	}
	return b.String()
}
