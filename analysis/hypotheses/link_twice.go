package hypotheses

// linkTwice is a host whose packets arrive twice: over two paths at once, or
// copied.
var linkTwice = Hypothesis{
	ID: "link-twice", Layer: "network", Name: "something that duplicates its packets, such as a loop, a bond in broadcast mode or a mirrored port", Usual: 4,
	Slows:   slows(always, EchoesTwice).and(seldom, Sends, Receives, Unsteady),
	Decides: "tcpdump -e -n icmp on that host while another pings it: copies from one MAC address come from a loop or mirror, from two MAC addresses from two hosts",
	Remedy:  "Look for what copies the packets of {host} on {network}: a second cable between switches without STP, a bond in broadcast mode (cat /proc/net/bonding/*), a mirrored switch port, tc mirred",
}
