package hypotheses

// cpuSet is a cpuset or an affinity: the host has the cores, but commands may not use them.
var cpuSet = Hypothesis{
	ID: "cpu-set", Layer: "cpu", Name: "a cpuset", Usual: 3, Standing: true, Slower: true,
	Slows:   slows(.95, AllThreads).and(.2, memory...).and(.3, RandomReads, DeviceReads).and(.2, rates...).and(seldom, OnEveryNetwork),
	Clues:   []Clue{{Ask: confined, If: .97, Else: .001, Proves: true, Says: "it may use only {own}, the others {theirs}"}},
	Decides: "grep Cpus_allowed_list /proc/self/status on that host",
	Remedy:  "Give {host} all its CPUs back: grep Cpus_allowed_list /proc/self/status; cpuset.cpus, AllowedCPUs= of the unit, taskset",
}

// confined asks whether commands may use fewer CPUs than the host has, and fewer than on
// the others.
func confined(s *Suspect) Answer {
	a := hasLess("usable CPUs")(s)
	if cpu := s.own().CPU; a.Is == Yes && cpu.Usable >= cpu.Threads {
		a.Is = No
	}
	a.Own, a.Theirs = cpus(a.Own), cpus(a.Theirs)
	return a
}

func cpus(n string) string {
	if n == "1" {
		return "1 CPU"
	}
	return n + " CPUs"
}
