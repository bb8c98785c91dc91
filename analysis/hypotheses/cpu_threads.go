package hypotheses

// cpuThreads is fewer cores: offline, isolated or absent.
var cpuThreads = Hypothesis{
	ID: "cpu-threads", Layer: "cpu", Name: "fewer CPU threads", Usual: 6, Slower: true,
	Slows:   slows(.95, AllThreads).and(.2, memory...).and(.2, RandomReads),
	Clues:   []Clue{{Ask: hasLess("CPU threads"), If: .97, Else: .005, Proves: true, Says: "it has {own} CPU threads, the others {theirs}"}},
	Decides: "lscpu -e on that host",
	Remedy:  "Bring the cores of {host} online if they are there (lscpu -e; chcpu -e LIST), or give it less parallel work",
}

// cpuSMT is disabled simultaneous multithreading.
var cpuSMT = Hypothesis{
	ID: "cpu-smt", Layer: "cpu", Name: "disabled SMT", Usual: 3, Slower: true,
	Slows:   slows(.8, AllThreads).and(seldom, RandomReads),
	Clues:   []Clue{{Ask: alone(smtOf, func(t string) bool { return t == "off" }), If: .97, Else: .002, Proves: true, Says: "its SMT is off, theirs is on"}},
	Decides: "cat /sys/devices/system/cpu/smt/control on that host",
	Remedy:  "Enable SMT on {host} if its CPU's vulnerabilities allow: echo on > /sys/devices/system/cpu/smt/control",
}
