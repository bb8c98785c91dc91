package cluster

import (
	"fmt"
	"net/netip"
	"slices"
)

// networks reads the networks and holds their addresses against each other: an
// address belongs to one host and to one network.
func (r *reader) networks(n node, c *Cluster) {
	seen := map[string]string{}
	owners := map[netip.Addr]string{} // "host on network", by address
	for _, p := range r.pairs(n) {
		r.named(p, "network", seen)
		p.what = "network " + p.key
		network := Network{Name: p.key, Kind: Switch}
		var ends node
		r.read(p, fields{
			"kind":   func(n node) { network.Kind = r.kind(n) },
			"rate":   func(n node) { network.Rate = r.rate(n) },
			"mtu":    func(n node) { network.MTU = r.integer(n, leastMTU, mostMTU) },
			"subnet": func(n node) { network.Subnet = r.subnet(n) },
			"hosts":  func(n node) { ends = n },
		})
		if ends.value == nil {
			if p.isMap() {
				r.fault(p.keyAt, "%s needs hosts, each with its address on it", p.what)
			}
			continue
		}
		pairs := r.pairs(ends)
		network.Hosts = r.ends(pairs, network, c, owners)
		r.shape(ends, network, len(pairs))
		c.Networks = append(c.Networks, network)
	}
}

// ends reads the hosts of a network with their addresses.
func (r *reader) ends(pairs []node, network Network, c *Cluster, owners map[netip.Addr]string) []End {
	var all []End
	for _, p := range pairs {
		if c.Host(p.key) == nil {
			r.fault(p.keyAt, "network %s: there is no host %q%s", network.Name, clip(p.key), meant(p.key, hostNames(c.Hosts)))
			continue
		}
		text, ok := r.text(p)
		if !ok {
			continue
		}
		address, err := netip.ParseAddr(text)
		if err != nil || address.Zone() != "" {
			r.fault(p.at, "network %s: %q of %s is not an IP address", network.Name, clip(text), p.key)
			continue
		}
		address = address.Unmap()
		owner := fmt.Sprintf("%s on network %s", p.key, network.Name)
		switch other, taken := owners[address]; {
		case taken:
			r.fault(p.at, "address %s of %s is that of %s", address, owner, other)
		case r.strangers(c, p.key, address) != "":
			r.fault(p.at, "address %s of %s is that by which ssh reaches host %s", address, owner, r.strangers(c, p.key, address))
		case network.Subnet.IsValid() && !network.Subnet.Contains(address):
			r.fault(p.at, "address %s of %s is not in its subnet %s", address, owner, network.Subnet)
		}
		owners[address] = owner
		all = append(all, End{p.key, address})
	}
	return all
}

// strangers names another host that ssh reaches by this address. Several hosts
// behind the ports of one address say nothing about it.
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

// shape refuses what cannot be a network of its kind, of so many hosts.
func (r *reader) shape(n node, network Network, hosts int) {
	switch {
	case !n.isMap():
	case network.Kind == PointToPoint && hosts != 2:
		r.fault(n.keyAt, "network %s: a point-to-point network has two hosts, not %d", network.Name, hosts)
	case network.Kind == Ring && hosts < 3:
		r.fault(n.keyAt, "network %s: a ring has three hosts or more, not %d", network.Name, hosts)
	case hosts < 2:
		r.fault(n.keyAt, "network %s: a network has two hosts or more, not %d", network.Name, hosts)
	}
}

func (r *reader) kind(n node) NetworkKind {
	text, ok := r.text(n)
	if !ok || slices.Contains(networkKinds, NetworkKind(text)) {
		return NetworkKind(text)
	}
	var known []string
	for _, k := range networkKinds {
		known = append(known, string(k))
	}
	r.fault(n.at, "%s: there is no kind %q%s", n.what, clip(text), meant(text, known))
	return Switch
}

func (r *reader) rate(n node) float64 {
	text, ok := word(n.value)
	if !ok {
		text, ok = r.text(n)
	}
	bits, good := ParseRate(text)
	if ok && !good {
		r.fault(n.at, "%s: %q is no line rate; write 10G for 10 Gb/s", n.what, clip(text))
	}
	return bits
}

func (r *reader) subnet(n node) netip.Prefix {
	text, ok := r.text(n)
	if !ok {
		return netip.Prefix{}
	}
	prefix, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		r.fault(n.at, "%s: %q is no subnet; write it as 10.0.1.0/24", n.what, clip(text))
	case prefix != prefix.Masked():
		r.fault(n.at, "%s: %s has bits set past its length; is it %s?", n.what, prefix, prefix.Masked())
	}
	return prefix.Masked()
}
