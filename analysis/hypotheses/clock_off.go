package hypotheses

import "strings"

// clockOff is a wrong clock.
var clockOff = Hypothesis{
	ID: "clock-off", Layer: "system", Name: "a wrong clock", Usual: 3, Standing: true,
	Clues: []Clue{{Ask: hasSetting("clock", func(t string) bool { return strings.HasSuffix(t, "behind") || strings.HasSuffix(t, "ahead") }),
		If: .97, Else: .0005, Proves: true, Says: "its clock is {own}"}},
	Decides: "chronyc tracking on that host",
	Remedy:  "Set the clock of {host} and keep it synchronised: chronyc makestep",
}
