package hypotheses

// memorySpeed is slow modules, or a profile that is off.
var memorySpeed = Hypothesis{
	ID: "memory-speed", Layer: "memory", Name: "slower DIMMs", Usual: 6, Slower: true,
	Slows:   slows(.85, memory...).and(seldom, AllThreads),
	Clues:   []Clue{{Ask: hasLess("memory speed"), If: .97, Else: .005, Proves: true, Says: "its DIMMs run at {own}, theirs at {theirs}"}},
	Decides: "dmidecode -t memory on that host",
	Remedy:  "Set the memory profile (XMP, EXPO) of {host}, or give it DIMMs like the others'",
}
