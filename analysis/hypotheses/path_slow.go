package hypotheses

// pathSlow is a cable or port that affects only two hosts.
var pathSlow = Hypothesis{
	ID: "path-slow", Layer: "network", Of: OfPath, Name: "the cable or ports between them", Usual: 15,
	Slows:   slows(.9, rates...).and(sometimes, RoundTrips),
	Clues:   []Clue{boundByLine},
	Decides: "compare ethtool IFACE and ethtool -S IFACE at both ends of the cable",
	Remedy:  "Check the cable and ports between {host} and {peer} on {network}",
}
