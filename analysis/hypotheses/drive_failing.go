package hypotheses

import "assay/internal/quantity"

// driveFailing is a drive that retries and remaps.
var driveFailing = Hypothesis{
	ID: "drive-failing", Layer: "storage", Name: "a drive that is failing", Usual: 10,
	Slows: slows(.6, storage...),
	Clues: []Clue{
		{Ask: hasMediaErrors, If: .6, Else: .003, Proves: true, Says: "its drive has {own}, theirs have {theirs}"},
		{Ask: steady, If: .1, Else: .4},
		slowAtTimes,
	},
	Decides: "smartctl -x DISK and dmesg on that host, then a read of the whole device",
	Remedy:  "Back up and replace the drive of {host}: smartctl -x DISK",
}

// hasMediaErrors asks whether the drive has media errors, and five times as many as any
// of the others'.
func hasMediaErrors(s *Suspect) Answer {
	errors := func(h string) float64 { return s.counted(h).MediaErrors }
	a := s.exceeds(errors, 1, func(v float64) string { return quantity.Of("smart.media_errors", v) })
	switch a.Own {
	case "":
	case "1":
		a.Own += " media error"
	default:
		a.Own += " media errors"
	}
	switch a.Theirs {
	case "":
	case "0":
		a.Theirs = "none"
	default:
		a.Theirs = "at most " + a.Theirs
	}
	return a
}
