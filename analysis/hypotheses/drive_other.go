package hypotheses

// driveOther is a drive of another model.
var driveOther = Hypothesis{
	ID: "drive-other", Layer: "storage", Name: "a drive of another model", Usual: 30, Slower: true,
	Slows:   slows(.6, storage...),
	Clues:   []Clue{{Ask: hasAnother("measured drive"), If: .97, Else: .01, Says: "its drive is a different model, {own}"}, slowAlone[0], slowAlone[1]},
	Decides: "try its drive in another host",
	Remedy:  "Give {host} a drive like the others'",
}
