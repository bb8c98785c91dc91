package hypotheses

// memoryChannels is modules in too few channels.
var memoryChannels = Hypothesis{
	ID: "memory-channels", Layer: "memory", Name: "too few memory channels in use", Usual: 6, Slower: true,
	Slows: slows(.95, memory...).and(seldom, AllThreads),
	Clues: []Clue{
		{Ask: hasLess("memory channels"), If: .97, Else: .003, Proves: true, Says: "its DIMMs populate {own} memory channels, theirs {theirs}"},
		{Ask: about(1.6, 2.4, memory...), If: .7, Else: .35},
	},
	Decides: "dmidecode -t memory on that host",
	Remedy:  "Spread the DIMMs of {host} over all channels, or add a matching one: dmidecode -t memory",
}
