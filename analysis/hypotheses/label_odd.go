package hypotheses

import "slices"

// labelOdd is what the user knows about a host and put into a label.
var labelOdd = Hypothesis{
	ID: "label", Layer: "system", Name: "what its label says", Usual: 20, Slower: true,
	Slows:   slows(.6, storage...).and(.6, cpu...).and(.6, memory...).and(.6, rates...).and(.2, RoundTrips, OnEveryNetwork),
	Clues:   []Clue{{Ask: unknownAsNo(labelled(mayExplain)), If: .98, Else: .002, Says: "it alone has the label {own}"}},
	Decides: "repeat the test without what the label names",
	Remedy:  "Check what the label of {host} names",
}

// mayExplain reports whether a label may name what slows a host.
func mayExplain(label string) bool {
	return !slices.Contains(coolingLabels, label) && !slices.Contains(placeLabels, label)
}

// placeLabels say where a host is. That slows its network at most, by which racks are judged.
var placeLabels = []string{"rack", "switch", "row", "room", "site", "zone", "location"}
