package hypotheses

// memorySwaps is a host that is short of memory.
var memorySwaps = Hypothesis{
	ID: "memory-swaps", Layer: "memory", Name: "swapping", Usual: 4,
	Slows: slows(.6, memory...).and(.5, storage...).and(.3, cpu...).and(.3, rates...).and(.3, RoundTrips, OnEveryNetwork),
	Clues: []Clue{
		{Ask: counts(func(c Counted) float64 { return c.Swapped }, 4<<20, bytesOf), If: .9, Else: .002, Proves: true, Says: "it swapped {own} in a repeat, the others {theirs}"},
		{Ask: audited("memory-short"), If: .8, Else: .01},
	},
	Decides: "vmstat 1 on that host: the columns si and so",
	Remedy:  "Stop what fills the memory of {host} (ps -eo rss,comm --sort -rss | head), or add memory",
}
