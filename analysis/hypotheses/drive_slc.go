package hypotheses

// driveSLC is a drive that writes fast until its cache is full, or a shingled one.
var driveSLC = Hypothesis{
	ID: "drive-slc", Layer: "storage", Name: "a full SLC cache, missing TRIM or a shingled drive", Usual: 6,
	Slows:   slows(.85, LargeWrites, RandomWrites).and(.4, SyncWrites),
	Clues:   []Clue{{Ask: audited("slc-cliff"), If: .6, Else: .02, Proves: true, Says: "its writes start fast and fall"}},
	Decides: "a long write after an idle hour: a cache comes back",
	Remedy:  "Trim the file system of {host} and leave space free: fstrim -v DIRECTORY",
}
