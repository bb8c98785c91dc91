package audit

import (
	"time"

	"assay/stats"
)

// The order of the repeats: rule 53.
const (
	// orderLevel is the joint significance level of all order tests of a run: the
	// usual one.
	orderLevel = .05
	// orderNotable is the smallest effect worth a footnote: what compare calls
	// no difference is none here either.
	orderNotable = 1 + stats.Margin
	// orderApart is how long after another trial a repeat may begin and still
	// count as following it: chosen. A drive's idle work and a CPU's heat sink
	// have mostly settled by then.
	orderApart = time.Minute
	// orderOverlap is how much a clock adjustment may make two repeats seem to
	// overlap.
	orderOverlap = time.Second
	// orderSeed seeds the tests' random draws: any fixed value will do.
	orderSeed = 1
)
