package blame

import (
	"slices"

	"assay/incident"
)

// pathSigns are the signs of a network that works, but badly.
var pathSigns = []struct {
	kind      incident.Kind
	how       Sureness
	says, why string
	next      Step
}{
	{incident.NICDamaged, Likely, "a network cable, module or port that corrupts frames", "The port counts frames that arrived with a bad checksum: a bad cable, SFP module or socket causes that.",
		Step{"check whether the count grows, then change the cable or module, and look at the switch port", "ethtool -S INTERFACE | grep -iE 'crc|fcs|err'; ethtool -m INTERFACE"}},
	{incident.BadChecksum, Likely, "a network card or tunnel whose checksums are wrong", "Packets arrive with a wrong checksum. If the card computes it (offload), a tunnel such as VXLAN may send packets before it is filled in; a card or cable that corrupts packets looks the same.",
		Step{"turn checksum offload of the tunnel's interface off as a test, then that of the card", "ethtool -K flannel.1 tx-checksum-ip-generic off; nstat -az | grep -i csum"}},
	{incident.SwitchFault, Likely, "a switch, router or tunnel that reports a fault of its own", "A switch took a port out, or found that it does not fit the port on its other side; or a router or tunnel lost its neighbour. What runs over it is cut off.",
		Step{"read the log of the switch or router, and compare the settings of both ends of the link", "show interfaces status err-disabled; show log   (on the switch); ip -s link; wg show; vtysh -c 'show bgp summary'"}},
	{incident.NetworkLoop, Likely, "a loop in the network, or a bond that is not configured on the switch", "A port received frames that this host had sent: the network has a loop, or the switch does not treat the bond's ports as one.",
		Step{"check which port it was, and whether the switch treats the ports as one", "bridge link; cat /proc/net/bonding/*"}},
	{incident.MTUDiffers, Likely, "a network with mismatched MTUs", "Packets of this MTU do not arrive: a switch or host on the path accepts only smaller ones.",
		Step{"find the largest size that passes", "ping -M do -s 8972 PEER; ip link | grep mtu"}},
	{incident.NeighborMax, VeryLikely, "the neighbour table is full: hosts of the same network can't be reached", "The kernel's neighbour table has no room for more addresses, so packets to them are dropped.",
		Step{"check how many there are, and raise the limits", "ip neigh | wc -l; sysctl net.ipv4.neigh.default.gc_thresh3"}},
	{incident.PacketLoss, Likely, "a network that loses packets", "Some packets to a host were answered and others were not: it is up, but the path to it, or its own load, drops packets.",
		Step{"find the hop at which loss begins, and see whether port counters grow", "mtr -rwc 100 PEER; ip -s link"}},
}

// networkPath finds networks that lose, damage or return packets.
var networkPath = Rule{ID: "network-path", Title: "A network that loses or damages packets", Check: func(c Case) []Cause {
	for _, s := range pathSigns {
		events := c.of(s.kind)
		if len(events) == 0 {
			continue
		}
		cause := Cause{Layer: incident.Network, Host: events[0].Host, Device: only(devices(events)), How: s.how, Says: s.says, Why: s.why, Evidence: quote(4, events), Next: []Step{s.next},
			explains: with(overNetwork, incident.PacketLoss, incident.NICDamaged, incident.MTUDiffers, incident.NetworkLoop, incident.NeighborMax, incident.SwitchFault), anywhere: true}
		if !c.only(cause.explains) {
			cause.How = Possible // something else broke, possibly unrelated
			cause.explains = []incident.Kind{s.kind}
		}
		return []Cause{cause}
	}
	return c.setUp()
}}

// setUp finds networks configured in a way that can't work.
func (c *Case) setUp() []Cause {
	twice, alone := c.of(incident.AddressTwice), c.of(incident.BondAlone)
	events := slices.Concat(twice, alone)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.AddressTwice, incident.BondAlone, incident.NoRoute}, anywhere: true}
	setup, network := base, base
	setup.Layer, network.Layer = incident.Operator, incident.Network
	if blind := c.of(incident.NICNoSpeed); len(twice) == 0 && len(blind) > 0 && c.only([]incident.Kind{incident.BondAlone}) {
		lent := base
		lent.Layer, lent.How, lent.Says = incident.Hypervisor, Likely, "a virtual network card, which reports no speed"
		lent.Why = "LACP joins only ports whose speed and duplex it knows. The port is up but reports none, as virtual cards (virtio) do."
		lent.Evidence = quote(3, alone, blind)
		lent.Next = []Step{{"give the guest a card that reports a speed (e1000e), or set one", "ethtool -s INTERFACE speed 1000 duplex full"}}
		return []Cause{lent}
	}
	if len(twice) > 0 {
		setup.Says, setup.Why = "an address that two machines were given", "Another machine answers for the same address: a clone, a static address within a DHCP range, or one that moved and was not taken away."
		network.Says, network.Why = "a loop in the network", "A host that hears its own packets believes that someone else uses its address."
	} else {
		setup.Says, setup.Why = "a switch that was not told of the bond", "The switch does not speak LACP on these ports. The bond uses only one port, or none."
		network.Says, network.Why = "a network link of the bond", "The partner's packets do not arrive while the link is down or comes up."
	}
	setup.Next = []Step{{"see who answers for the address, or what the bond's partner is", "arping -D -I INTERFACE ADDRESS; grep -A3 'partner' /proc/net/bonding/*"}}
	network.Next = []Step{{"check the state of the ports", "ip -s link; bridge link"}}
	return []Cause{setup, network}
}
