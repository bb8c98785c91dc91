package hypotheses

import "assay"

// linkDuplex is a line at half duplex: collisions as soon as both ends send.
var linkDuplex = Hypothesis{
	ID: "link-duplex", Layer: "network", Name: "a duplex mismatch", Usual: 3,
	Slows: slows(often, rates...).and(.6, losses...).and(sometimes, RoundTrips, EchoesLost, OnEveryNetwork),
	Clues: []Clue{
		{Ask: onInterface(func(n assay.NICFacts) string { return n.Duplex }, not("full")), If: .95, Else: .001, Proves: true, Says: "its interface is at {own} duplex, theirs at {theirs}"},
	},
	Decides: "compare ethtool IFACE at both ends of its cable",
	Remedy:  "Set both ends of {host}'s cable on {network} to autonegotiation: ethtool -s IFACE autoneg on",
}
