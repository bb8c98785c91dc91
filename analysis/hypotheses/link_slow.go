package hypotheses

// linkSlow is a line that runs at a lower rate than the others': another port, an old
// cable with two pairs, autonegotiation at one end only.
var linkSlow = Hypothesis{
	ID: "link-slow", Layer: "network", Name: "a lower link rate", Usual: 20, Slower: true,
	Slows: slows(always, rates...).and(sometimes, RoundTrips).and(often, OnEveryNetwork),
	Clues: []Clue{
		{Ask: slowerInterface, If: .9, Else: .002, Proves: true, Says: "its link is {own}, theirs {theirs}"},
		{Ask: onlyWithout(slowerInterface, carriesALine), If: .95, Else: .1, Says: "that is what a {own} link carries, although its hardware facts do not show one"},
		boundByLine,
	},
	Decides: "compare ethtool IFACE at both ends of its cable",
	Remedy:  "Give {host} the same link as the others on {network}: ethtool IFACE | grep -E 'Speed|advertised'",
}
