package hypotheses

import "maps"

// cpuUnseen is a CPU limit that the host cannot see: that of the cgroup around its
// container, or of its hypervisor. CPU time is left over, but a thread does not get it.
var cpuUnseen = Hypothesis{
	ID: "cpu-limit-unseen", Layer: "cpu", Name: "a CPU limit that the host can't see", Usual: 4,
	Slows: maps.Clone(cpuQuota.Slows),
	Clues: []Clue{
		gotLess, worksAll, idleLeft,
		{Ask: counts(func(c Counted) float64 { return c.Steal }, .02, percent), If: .05, Else: .1},
		{Ask: counts(func(c Counted) float64 { return c.Throttled }, .05, percent), If: .01, Else: .1},
	},
	Decides: "one sysbench CPU thread on the idle host: compare its CPU time with the elapsed time",
	Remedy:  "Look for a CPU limit of {host} where it runs: cpulimit of its VM or container, cpu.max of the groups above it",
}
