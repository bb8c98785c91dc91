package hypotheses

// linkErrors is a cable or transceiver whose bit errors the interface counts.
var linkErrors = Hypothesis{
	ID: "link-errors", Layer: "network", Name: "a bad cable or transceiver", Usual: 8,
	Slows: slows(.6, Receives).and(.85, LosesReceived).and(sometimes, Sends, LosesSent).and(sometimes, EchoesLost, OnEveryNetwork),
	Clues: []Clue{
		{Ask: counts(func(c Counted) float64 { return c.NICErrors }, 10, integer), If: .9, Else: .002, Proves: true, Says: "its interface counted {own} errors in a repeat, theirs {theirs}"},
	},
	Decides: "ethtool -S IFACE at both ends, before and after a transfer",
	Remedy:  "Replace the cable or transceiver of {host} on {network}",
}
