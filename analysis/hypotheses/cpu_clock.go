package hypotheses

// cpuClock is a CPU that is built or set to run slower.
var cpuClock = Hypothesis{
	ID: "cpu-clock", Layer: "cpu", Name: "a lower maximum clock", Usual: 5, Slower: true,
	Slows:   slows(.85, cpu...).and(.3, RandomReads, SyncWrites).and(.2, rates...).and(.2, memory...),
	Clues:   []Clue{{Ask: hasLess("highest clock"), If: .97, Else: .005, Proves: true, Says: "its CPU runs at {own} at most, theirs at {theirs}"}, gotAll, workLess},
	Decides: "its clock under load",
	Remedy:  "Raise the limit of {host} if there is one (cpupower frequency-info), or keep work that needs one fast core off it",
}
