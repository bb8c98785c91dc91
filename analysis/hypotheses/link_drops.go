package hypotheses

// linkDrops is an interface that drops what it cannot take in: a short ring, a busy
// core.
var linkDrops = Hypothesis{
	ID: "link-drops", Layer: "network", Name: "a receive ring that is too small", Usual: 8,
	Slows: slows(.6, Receives).and(.85, LosesReceived).and(seldom, Sends, LosesSent).and(sometimes, OnEveryNetwork),
	Clues: []Clue{
		{Ask: counts(func(c Counted) float64 { return c.NICDrops }, 100, integer), If: .9, Else: .003, Proves: true, Says: "its interface dropped {own} packets in a repeat, theirs {theirs}"},
	},
	Decides: "ethtool -S IFACE on that host, before and after a transfer",
	Remedy:  "Increase the receive ring of {host}: ethtool -G IFACE rx 4096",
}
