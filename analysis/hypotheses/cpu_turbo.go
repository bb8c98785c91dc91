package hypotheses

// cpuTurbo is disabled turbo.
var cpuTurbo = Hypothesis{
	ID: "cpu-turbo", Layer: "cpu", Name: "disabled turbo", Usual: 4, Slower: true,
	Slows:   slows(.9, OneThread).and(.5, AllThreads).and(seldom, memory...).and(seldom, RandomReads, SyncWrites),
	Clues:   []Clue{{Ask: hasSetting("turbo", func(t string) bool { return t == "off" }), If: .97, Else: .003, Proves: true, Says: "its turbo is {own}, theirs {theirs}"}, gotAll, workLess},
	Decides: "its clock under one thread of load",
	Remedy:  "Enable turbo on {host}, in its firmware or in /sys/devices/system/cpu/intel_pstate/no_turbo",
}
