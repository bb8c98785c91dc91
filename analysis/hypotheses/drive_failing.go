package hypotheses

import "assay/internal/quantity"

// driveFailing is a drive that retries and remaps.
var driveFailing = Hypothesis{
	ID: "drive-failing", Layer: "storage", Name: "a drive that is failing", Usual: 10,
	Slows: slows(.6, storage...),
	Clues: []Clue{
		{Ask: counts(func(c Counted) float64 { return c.MediaErrors }, 1, func(v float64) string { return quantity.Of("smart.media_errors", v) }),
			If: .6, Else: .003, Proves: true, Says: "its drive has {own} media errors, theirs have none"},
		{Ask: steady, If: .1, Else: .4},
		slowAtTimes,
	},
	Decides: "smartctl -x DISK and dmesg on that host, then a read of the whole device",
	Remedy:  "Back up and replace the drive of {host}: smartctl -x DISK",
}
