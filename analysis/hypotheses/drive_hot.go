package hypotheses

// driveHot is a drive that throttles itself.
var driveHot = Hypothesis{
	ID: "drive-hot", Layer: "storage", Name: "thermal throttling of its drive", Usual: 4,
	Slows:   slows(.6, storage...),
	Clues:   []Clue{{Ask: hotDrive, If: .85, Else: .01, Says: "its drive is at {own}, theirs at {theirs}"}},
	Decides: "smartctl -A DISK during a long write",
	Remedy:  "Cool the drive of {host}: a heatsink, or air over its slot",
}

// hotDrive asks whether the drive is hot enough for drives to throttle, and 15 °C above
// all others'.
func hotDrive(s *Suspect) Answer {
	const throttlesFrom, apart = 65, 15
	heat := func(h string) float64 { return s.counted(h).DriveHeat }
	own, most := heat(s.Host), s.most(heat)
	switch {
	case own < 0:
		return Answer{}
	case own < throttlesFrom:
		return Answer{Is: No, Own: celsius(own)}
	case most < 0:
		return Answer{} // all drives may be that hot
	}
	return Answer{Is: is(own >= most+apart), Own: celsius(own), Theirs: celsius(most)}
}
