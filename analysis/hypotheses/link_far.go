package hypotheses

// linkFar is delay on the path to a host: a detour, a VPN, deep sleep states of its CPU
// or card.
var linkFar = Hypothesis{
	ID: "link-far", Layer: "network", Name: "latency on the path to it", Usual: 8,
	Slows:   slows(always, RoundTrips).and(sometimes, rates...).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{boundByFlow},
	Decides: "mtr to it, and iperf3 -P 4: if latency is the limit, four flows carry four times as much",
	Remedy:  "Find the hop that adds the delay to {host} on {network}: mtr -bzc 20 ADDRESS; then check for power saving: ethtool --show-eee IFACE",
}
