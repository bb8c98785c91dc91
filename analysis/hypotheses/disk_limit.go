package hypotheses

import "assay/inventory/traits"

// diskLimit is a cgroup I/O limit.
var diskLimit = Hypothesis{
	ID: "disk-limit", Layer: "storage", Name: "an I/O limit of its control group", Usual: 4, Standing: true, Slower: true,
	Slows: slows(.75, storage...),
	Clues: []Clue{
		{Ask: limitedIO, If: .9, Else: .001, Proves: true, Says: "its control group limits I/O ({own}), theirs: {theirs}"},
	},
	Decides: "cat /sys/fs/cgroup/**/io.max on that host",
	Remedy:  "Raise the limit of {host} (io.max, or the unit's IOReadBandwidthMax= and IOWriteIOPSMax=)",
}

// limitedIO asks whether the host has another I/O limit than the others, and returns
// what differs.
func limitedIO(s *Suspect) Answer {
	a := hasSetting("I/O limit", not("none"))(s)
	if a.Is == Yes {
		a.Own, a.Theirs = traits.IOLimitsApart(s.own(), s.Facts[s.Others[0]])
	}
	return a
}
