package hypotheses

import "assay/internal/quantity"

// cpuCapped is a power limit: the clock is low under load although the CPU is cool.
var cpuCapped = Hypothesis{
	ID: "cpu-capped", Layer: "cpu", Name: "a power limit", Usual: 5,
	Slows: slows(.9, AllThreads).and(.4, OneThread).and(.2, memory...).and(.2, RandomReads),
	Clues: []Clue{
		{Ask: below(.85, func(c Counted) float64 { return c.Clock }, func(v float64) string { return quantity.Of("cpu.clock", v) }),
			If: .9, Else: .02, Says: "its clock under load is {own}, theirs at least {theirs}"},
		{Ask: counts(func(c Counted) float64 { return c.Throttles }, 1, integer), If: .05, Else: .2},
		gotAll, workLess.so(.6, .1),
	},
	Decides: "turbostat on that host under load, to compare its clock with the package's power",
	Remedy:  "Raise the power limit of {host} in its firmware (PL1, cTDP), or give it an adequate power supply",
}
