package hypotheses

// diskLimit is a limit of the control group.
var diskLimit = Hypothesis{
	ID: "disk-limit", Layer: "storage", Name: "an I/O limit of its control group", Usual: 4, Standing: true, Slower: true,
	Slows: slows(.75, storage...),
	Clues: []Clue{
		{Ask: hasSetting("I/O limit", not("none")), If: .9, Else: .001, Proves: true, Says: "its control group has an I/O limit ({own}), theirs {theirs}"},
	},
	Decides: "cat /sys/fs/cgroup/**/io.max on it",
	Remedy:  "Raise the limit of {host} (io.max, or the unit's IOReadBandwidthMax= and IOWriteIOPSMax=)",
}
