package hypotheses

// linkSends is a line that is slow one way: a fibre, a transceiver, a shaper.
var linkSends = Hypothesis{
	ID: "link-sends-slowly", Layer: "network", Name: "a shaper, fibre or transceiver that slows outgoing traffic", Usual: 8,
	Slows:   slows(always, Sends).and(seldom, LosesSent, RoundTrips).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{{Ask: oneWayOnly(Sends, Receives), If: .98, Else: .15}, boundByLine},
	Decides: "iperf3 -u -b at half the line rate from it: a shaper delays packets, a bad fibre loses them",
	Remedy:  "Look for a shaper on {host} and its port (tc -s qdisc show dev IFACE), then swap the transceiver or cable of {host} on {network}",
}

// linkReceives is the same in the other direction.
var linkReceives = Hypothesis{
	ID: "link-receives-slowly", Layer: "network", Name: "a shaper, fibre or transceiver that slows incoming traffic", Usual: 8,
	Slows:   slows(always, Receives).and(seldom, LosesReceived, RoundTrips).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{{Ask: oneWayOnly(Receives, Sends), If: .98, Else: .15}, boundByLine},
	Decides: "iperf3 -u -b at half the line rate to it: a shaper delays packets, a bad fibre loses them",
	Remedy:  "Look for a shaper on the switch port of {host} (tc -s qdisc on the way to it), then swap the transceiver or cable of {host} on {network}",
}
