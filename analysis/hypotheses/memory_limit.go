package hypotheses

// memoryLimit is a cgroup memory limit.
var memoryLimit = Hypothesis{
	ID: "memory-limit", Layer: "memory", Name: "a cgroup memory limit", Usual: 3, Standing: true,
	Slows:   slows(.5, memory...).and(.3, storage...).and(seldom, cpu...).and(seldom, rates...),
	Clues:   []Clue{{Ask: hasSetting("memory limit", not("none")), If: .95, Else: .003, Proves: true, Says: "its memory limit is {own}, theirs {theirs}"}},
	Decides: "cat memory.events in its cgroup",
	Remedy:  "Raise memory.high and memory.max of {host}'s control group (MemoryMax= of the unit)",
}
