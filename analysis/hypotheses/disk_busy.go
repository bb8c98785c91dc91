package hypotheses

import "assay/internal/quantity"

// diskBusy is other work on the same drive.
var diskBusy = Hypothesis{
	ID: "disk-busy", Layer: "storage", Name: "other work on its drive", Usual: 10, Standing: true,
	Slows: slows(.65, storage...),
	Clues: []Clue{
		{Ask: counts(func(c Counted) float64 { return c.Foreign }, muchForeign, func(v float64) string { return quantity.Of("storage.read.bandwidth", v) }),
			If: .9, Else: .002, Proves: true, Says: "its drive was busy with other work: {own} besides the tests, theirs {theirs}"},
		{Ask: audited("device-reconcile"), If: .7, Else: .02},
		{Ask: steady, If: .1, Else: .4},
		slowAlone[0], slowAlone[1],
	},
	Decides: "iotop -ao on that host while assay isn't running",
	Remedy:  "Find and stop what uses the drive of {host}: iotop -ao",
}

// muchForeign is how many bytes per second of other work make a drive busy enough to
// report: some thousand small operations, or a backup.
const muchForeign = 5e6
