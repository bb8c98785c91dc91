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
	own, most := s.counted(s.Host).DriveHeat, 0.
	if own < 0 {
		return Answer{}
	}
	for _, h := range s.Others {
		most = max(most, s.counted(h).DriveHeat)
	}
	const throttlesFrom, apart = 65, 15
	return Answer{Is: is(own >= throttlesFrom && own >= most+apart), Own: celsius(own), Theirs: celsius(most)}
}
