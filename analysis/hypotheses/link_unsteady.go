package hypotheses

const unsteadyDecides = "ping -i 0.01 -c 1000 on an idle link: spikes of equal length point to power saving or interrupt moderation, varying ones to queueing"

// linkUnsteady is a link with widely varying round trips, whatever their median:
// something holds packets back for a while.
var linkUnsteady = Hypothesis{
	ID: "link-unsteady", Layer: "network", Name: "queueing, interrupt moderation or power saving on its link", Usual: 6,
	Slows:   slows(always, Unsteady).and(sometimes, RoundTrips).and(seldom, EchoesLost, Sends, Receives),
	Decides: unsteadyDecides,
	Remedy:  "Find out what delays packets of {host}: tc -s qdisc, ethtool -c IFACE (interrupt moderation), ethtool --show-eee IFACE, other traffic on its port",
}

// pathUnsteady is the same between two hosts.
var pathUnsteady = Hypothesis{
	ID: "path-unsteady", Layer: "network", Of: OfPath, Name: "queueing or power saving on the path between them", Usual: 6,
	Slows:   slows(always, Unsteady).and(sometimes, RoundTrips).and(seldom, EchoesLost, Sends, Receives),
	Decides: unsteadyDecides,
	Remedy:  "Find out what delays packets between {host} and {peer} on {network}: queues of the switch ports on the path, ethtool --show-eee IFACE, other traffic",
}
