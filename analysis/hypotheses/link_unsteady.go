package hypotheses

const unsteadyDecides = "ping -i 0.01 -c 1000 while nothing else runs: spikes of one length are power saving or interrupt moderation, others a queue"

// linkUnsteady is a link whose round trips differ much from each other, whatever their
// median: something holds packets back for a while.
var linkUnsteady = Hypothesis{
	ID: "link-unsteady", Layer: "network", Name: "a queue, interrupt moderation or power saving on its link", Usual: 6,
	Slows:   slows(always, Unsteady).and(sometimes, RoundTrips).and(seldom, EchoesLost, Sends, Receives),
	Decides: unsteadyDecides,
	Remedy:  "Look for what holds packets of {host} back: tc -s qdisc, ethtool -c IFACE (interrupt moderation), ethtool --show-eee IFACE, other traffic on its port",
}

// pathUnsteady is the same between two hosts.
var pathUnsteady = Hypothesis{
	ID: "path-unsteady", Layer: "network", Of: OfPath, Name: "a queue or power saving between them", Usual: 6,
	Slows:   slows(always, Unsteady).and(sometimes, RoundTrips).and(seldom, EchoesLost, Sends, Receives),
	Decides: unsteadyDecides,
	Remedy:  "Look for what holds packets between {host} and {peer} on {network} back: queues of the ports between them, ethtool --show-eee IFACE, other traffic",
}
