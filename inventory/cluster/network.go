package cluster

import (
	"fmt"
	"net/netip"
	"slices"

	"assay/internal/yamldoc"
)

// networks reads the networks and checks their addresses against each other: an
// address belongs to one host and one network.
func (r *reader) networks(n yamldoc.Node, c *Cluster) {
	seen := map[string]string{}
	owners := map[netip.Addr]string{} // "host on network", by address
	for _, p := range n.Pairs() {
		r.named(p, "network", seen)
		p.What = "network " + p.Key
		network := Network{Name: p.Key, Kind: Switch}
		var ends yamldoc.Node
		p.Fields(fields{
			"kind":   func(n yamldoc.Node) { network.Kind = r.kind(n) },
			"rate":   func(n yamldoc.Node) { network.Rate = r.rate(n) },
			"mtu":    func(n yamldoc.Node) { network.MTU = n.Integer(leastMTU, mostMTU) },
			"subnet": func(n yamldoc.Node) { network.Subnet = r.subnet(n) },
			"hosts":  func(n yamldoc.Node) { ends = n },
		})
		if !ends.There() {
			if p.IsMap() {
				p.FaultKey("%s needs hosts, each with its address on it", p.What)
			}
			continue
		}
		pairs := ends.Pairs()
		network.Hosts = r.ends(pairs, network, c, owners)
		r.shape(ends, network, len(pairs))
		c.Networks = append(c.Networks, network)
	}
}

// ends reads the hosts of a network with their addresses.
func (r *reader) ends(pairs []yamldoc.Node, network Network, c *Cluster, owners map[netip.Addr]string) []End {
	var all []End
	for _, p := range pairs {
		if c.Host(p.Key) == nil {
			p.FaultKey("network %s: no host %q%s", network.Name, yamldoc.Clip(p.Key), yamldoc.Meant(p.Key, hostNames(c.Hosts)))
			continue
		}
		if c.unmade(p.Key) {
			p.FaultKey("network %s: %s is made for a run, and has no address that is known before", network.Name, p.Key)
			continue
		}
		text, ok := p.Text()
		if !ok {
			continue
		}
		address, err := netip.ParseAddr(text)
		if err != nil || address.Zone() != "" {
			p.Fault("network %s: %q of %s is not an IP address", network.Name, yamldoc.Clip(text), p.Key)
			continue
		}
		address = address.Unmap()
		owner := fmt.Sprintf("%s on network %s", p.Key, network.Name)
		switch other, taken := owners[address]; {
		case taken:
			p.Fault("address %s of %s is already used by %s", address, owner, other)
		case r.strangers(c, p.Key, address) != "":
			p.Fault("address %s of %s is already the ssh address of host %s", address, owner, r.strangers(c, p.Key, address))
		case network.Subnet.IsValid() && !network.Subnet.Contains(address):
			p.Fault("address %s of %s is not in its subnet %s", address, owner, network.Subnet)
		}
		owners[address] = owner
		all = append(all, End{p.Key, address})
	}
	return all
}

// strangers returns another host that ssh reaches at this address. Several
// hosts behind the ports of one address do not count.
func (*reader) strangers(c *Cluster, host string, address netip.Addr) string {
	var found []string
	for _, h := range c.Hosts {
		if ip, err := netip.ParseAddr(h.Address); err == nil && ip.Unmap() == address {
			found = append(found, h.Name)
		}
	}
	if len(found) != 1 || found[0] == host {
		return ""
	}
	return found[0]
}

// shape refuses a network whose kind does not allow that many hosts.
func (r *reader) shape(n yamldoc.Node, network Network, hosts int) {
	switch {
	case !n.IsMap():
	case network.Kind == PointToPoint && hosts != 2:
		n.FaultKey("network %s: a point-to-point network has two hosts, not %d", network.Name, hosts)
	case network.Kind == Ring && hosts < 3:
		n.FaultKey("network %s: a ring has at least three hosts, not %d", network.Name, hosts)
	case hosts < 2:
		n.FaultKey("network %s: a network has at least two hosts, not %d", network.Name, hosts)
	}
}

func (r *reader) kind(n yamldoc.Node) NetworkKind {
	text, ok := n.Text()
	if !ok || slices.Contains(networkKinds, NetworkKind(text)) {
		return NetworkKind(text)
	}
	var known []string
	for _, k := range networkKinds {
		known = append(known, string(k))
	}
	n.Fault("%s: unknown kind %q%s", n.What, yamldoc.Clip(text), yamldoc.Meant(text, known))
	return Switch
}

func (r *reader) rate(n yamldoc.Node) float64 {
	text, ok := n.Word()
	if !ok {
		text, ok = n.Text()
	}
	bits, good := ParseRate(text)
	if ok && !good {
		n.Fault("%s: invalid line rate %q; write 10G for 10 Gb/s", n.What, yamldoc.Clip(text))
	}
	return bits
}

func (r *reader) subnet(n yamldoc.Node) netip.Prefix {
	text, ok := n.Text()
	if !ok {
		return netip.Prefix{}
	}
	prefix, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		n.Fault("%s: invalid subnet %q; write it as 10.0.1.0/24", n.What, yamldoc.Clip(text))
	case prefix != prefix.Masked():
		n.Fault("%s: %s has host bits set; did you mean %s?", n.What, prefix, prefix.Masked())
	}
	return prefix.Masked()
}
