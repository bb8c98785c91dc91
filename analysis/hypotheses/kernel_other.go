package hypotheses

// kernelOther is a different kernel.
var kernelOther = Hypothesis{
	ID: "kernel-other", Layer: "system", Name: "another kernel", Usual: 15, Slower: true,
	Slows:   slows(.2, storage...).and(.25, rates...).and(.15, cpu...).and(.1, memory...).and(.2, RoundTrips, OnEveryNetwork),
	Clues:   []Clue{{Ask: hasAnother("kernel"), If: .97, Else: .05, Says: "its kernel is {own}, theirs {theirs}"}},
	Decides: "boot the others' kernel on that host",
	Remedy:  "Boot {host} with the others' kernel",
}

// biosOther is different machine firmware.
var biosOther = Hypothesis{
	ID: "bios-other", Layer: "system", Name: "other firmware", Usual: 5, Slower: true,
	Slows:   slows(.25, cpu...).and(.3, memory...).and(.1, storage...).and(.15, Warmth),
	Clues:   []Clue{{Ask: hasAnother("BIOS"), If: .97, Else: .05, Says: "its BIOS is {own}, theirs {theirs}"}},
	Decides: "update its firmware and measure again",
	Remedy:  "Give {host} the others' firmware and settings",
}
