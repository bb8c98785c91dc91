package hypotheses

import "assay"

// driveFlush is a drive that must program flash before it can acknowledge a write as
// safe.
var driveFlush = Hypothesis{
	ID: "drive-flush", Layer: "storage", Name: "a drive without power-loss protection", Usual: 15, Slower: true,
	Slows: slows(always, SyncWrites).and(seldom, RandomWrites),
	Clues: []Clue{
		{
			Ask: alone(measured(func(b assay.BlockDevice) string { return yesNo(b.PLP) }), func(t string) bool { return t == "no" }),
			If:  .95, Else: .01, Proves: true, Says: "its drive has no power-loss protection, theirs have",
		},
		flushCosts,
	},
	Decides: "repeat the write without a flush (fio --fsync=0)",
	Remedy:  "Give {host} a drive with power-loss protection",
}
