package hypotheses

const (
	lossyDecides = "iperf3 -u -b at a tenth, half and nine tenths of the line rate: a bad cable loses at any rate, a short queue above one"
	lossyRemedy  = "Check the cable, port and interface of {host} on {network}, and the error counters of both ends: ethtool -S IFACE | grep -Ei 'err|drop|crc'"
)

// linkLossy is a line that loses packets both ways without either end counting
// them.
var linkLossy = Hypothesis{
	ID: "link-lossy", Layer: "network", Name: "a bad cable or port that drops packets both ways", Usual: 8,
	Slows:   slows(.6, rates...).and(.9, losses...).and(sometimes, EchoesLost, RoundTrips, OnEveryNetwork),
	Clues:   []Clue{{Ask: lossy, If: .98, Else: .1}, losesAnyway},
	Decides: lossyDecides, Remedy: lossyRemedy,
}

// linkLossyIn is a line that loses incoming packets.
var linkLossyIn = Hypothesis{
	ID: "link-lossy-in", Layer: "network", Name: "a bad cable, transceiver or port that drops incoming packets", Usual: 10,
	Slows:   slows(.6, Receives).and(.95, LosesReceived).and(seldom, Sends, LosesSent).and(sometimes, EchoesLost, OnEveryNetwork),
	Clues:   []Clue{{Ask: lossy, If: .98, Else: .1}, losesAnyway},
	Decides: lossyDecides, Remedy: lossyRemedy,
}

// linkLossyOut is a line that loses outgoing packets.
var linkLossyOut = Hypothesis{
	ID: "link-lossy-out", Layer: "network", Name: "a bad cable, transceiver or port that drops outgoing packets", Usual: 10,
	Slows:   slows(.6, Sends).and(.95, LosesSent).and(seldom, Receives, LosesReceived).and(sometimes, EchoesLost, OnEveryNetwork),
	Clues:   []Clue{{Ask: lossy, If: .98, Else: .1}, losesAnyway},
	Decides: lossyDecides, Remedy: lossyRemedy,
}

// lossy asks whether packets are lost on its paths.
func lossy(s *Suspect) Answer { return Answer{Is: is(s.odd(LosesSent, LosesReceived, EchoesLost))} }
