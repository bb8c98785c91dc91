package hypotheses

import "slices"

// labelOdd is what the user knows about a host and put into a label.
var labelOdd = Hypothesis{
	ID: "label", Layer: "system", Name: "what its label says", Usual: 20, Slower: true,
	Slows:   slows(.6, storage...).and(.6, cpu...).and(.6, memory...).and(.6, rates...).and(.2, RoundTrips, OnEveryNetwork),
	Clues:   []Clue{{Ask: unknownAsNo(labelled(func(name string) bool { return !slices.Contains(coolingLabels, name) })), If: .98, Else: .002, Says: "it alone has the label {own}"}},
	Decides: "repeat the test without what the label names",
	Remedy:  "Check what the label of {host} names",
}
