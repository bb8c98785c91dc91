package hypotheses

// cpuGovernor is a governor that keeps the clock low.
var cpuGovernor = Hypothesis{
	ID: "cpu-governor", Layer: "cpu", Name: "its frequency governor", Usual: 8, Slower: true,
	Slows:   slows(.8, cpu...).and(.4, RandomReads, SyncWrites, DeviceReads, RandomWrites).and(.3, rates...).and(.3, RoundTrips, OnEveryNetwork).and(.2, memory...),
	Clues:   []Clue{{Ask: hasSetting("governor", not("performance")), If: .97, Else: .003, Proves: true, Says: "its governor is {own}, theirs {theirs}"}, gotAll, workLess},
	Decides: "cpupower frequency-info on that host under load",
	Remedy:  "Set the governor of {host}: cpupower frequency-set -g performance",
}
