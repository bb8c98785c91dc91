package hypotheses

// linkOffload is a card that leaves segmentation and checksums to a core.
var linkOffload = Hypothesis{
	ID: "link-offload", Layer: "network", Name: "disabled offloads", Usual: 5,
	Slows:   slows(often, rates...).and(sometimes, OnEveryNetwork, RoundTrips),
	Clues:   []Clue{{Ask: about(1.25, 5, Sends, Receives), If: .95, Else: .5}, boundByFlow},
	Decides: "iperf3 -P 4: four flows on four cores carry more",
	Remedy:  "Enable the offloads of {host}: ethtool -K IFACE tso on gso on gro on",
}
