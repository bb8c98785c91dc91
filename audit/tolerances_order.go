package audit

import (
	"time"

	"assay/stats"
)

// The order of the repeats: rule 53.
const (
	// orderLevel is the level of all order tests of a run together: the usual one.
	orderLevel = .05
	// orderNotable is from where on an effect is worth a footnote: what compare
	// calls no difference is none here.
	orderNotable = 1 + stats.Margin
	// orderApart is how long after another trial a repeat may begin and still be
	// said to follow it: chosen. A drive's idle work and a CPU's heat sink are
	// done with most of it by then.
	orderApart = time.Minute
	// orderOverlap is by how much a clock that is set meanwhile may make two
	// repeats seem to overlap.
	orderOverlap = time.Second
	// orderSeed is of the draws of the tests: any will do, as long as it is one.
	orderSeed = 1
)
