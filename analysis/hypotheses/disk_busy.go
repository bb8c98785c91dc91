package hypotheses

// diskBusy is other work on the same drive.
var diskBusy = Hypothesis{
	ID: "disk-busy", Layer: "storage", Name: "other work on its drive", Usual: 10,
	Slows: slows(.65, storage...),
	Clues: []Clue{
		{Ask: audited("device-reconcile"), If: .85, Else: .01, Proves: true, Says: "its drive moved much more data than the test"},
		{Ask: steady, If: .1, Else: .4},
		slowAlone[0], slowAlone[1],
	},
	Decides: "iotop -ao on it while assay isn't running",
	Remedy:  "Find and stop what uses the drive of {host}: iotop -ao",
}
