package hypotheses

import "slices"

// cooling is a host that sheds less heat than the others.
var cooling = Hypothesis{
	ID: "cooling", Layer: "thermal", Name: "poor cooling", Usual: 60,
	Slows:   slows(.97, Warmth).and(.2, AllThreads).and(seldom, OneThread),
	Clues:   []Clue{{Ask: labelled(func(name string) bool { return slices.Contains(coolingLabels, name) }), If: .5, Else: .02, Says: "it alone has the label {own}"}},
	Decides: "repeat the load with the case open, or with another fan",
	Remedy:  "Check the fan, thermal paste and airflow of {host}",
}

// coolingLabels are labels that concern heat and nothing else.
var coolingLabels = []string{"cooling", "cooler", "fan", "fans", "case", "airflow", "heatsink"}
