package hypotheses

// pathLossy is a cable or port between two hosts that loses packets.
var pathLossy = Hypothesis{
	ID: "path-lossy", Layer: "network", Of: OfPath, Name: "a cable or port between them that loses packets", Usual: 15,
	Slows:   slows(often, rates...).and(.85, losses...).and(sometimes, EchoesLost, RoundTrips),
	Clues:   []Clue{{Ask: lossy, If: .98, Else: .1}, losesAnyway},
	Decides: "iperf3 -u -b at half the line rate, both ways",
	Remedy:  "Check the cable and ports between {host} and {peer} on {network}: ethtool -S IFACE | grep -Ei 'err|drop|crc'",
}
