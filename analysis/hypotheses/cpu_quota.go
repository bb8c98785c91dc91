package hypotheses

// cpuQuota is a cgroup CPU quota: everything that needs the CPU is slow, but flushes
// and round trips hardly are.
var cpuQuota = Hypothesis{
	ID: "cpu-quota", Layer: "cpu", Name: "a CPU quota", Usual: 5, Standing: true, Slower: true,
	Slows: slows(.9, AllThreads).and(.6, OneThread).and(.6, RandomReads, RandomWrites, DeviceReads).and(.4, LargeReads, LargeWrites, SyncWrites).
		and(.5, rates...).and(.5, memory...).and(.5, OnEveryNetwork).and(.2, RoundTrips).and(.4, Unsteady),
	Clues: []Clue{
		{Ask: hasSetting("CPU quota", not("none")), If: .9, Else: .001, Proves: true, Says: "its CPU quota is {own}, theirs {theirs}"},
		{Ask: counts(func(c Counted) float64 { return c.Throttled }, .05, percent), If: .9, Else: .002, Proves: true, Says: "it used up its quota in {own} of the periods"},
		gotLess.silent(), worksAll,
	},
	Decides: "cat cpu.stat of its control group during a repeat",
	Remedy:  "Raise the CPU quota of {host} (cpu.max, the unit's CPUQuota=, the pod's CPU limit)",
}
