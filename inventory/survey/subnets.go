package survey

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/inventory/cluster"
)

// Management is the name of the network over which the hosts are reached.
const Management = "management"

// Networks finds the networks that two or more hosts are on, by the subnets of
// their addresses. Addresses that several hosts have (of a container bridge,
// floating ones) do not count. Where IPv4 and IPv6 run over the same
// interfaces, only IPv4 counts: it is one network. reached returns the address
// at which a host is reached, "" if unknown. Rate and MTU are those that all
// hosts have, 0 if they differ or are unknown.
func Networks(answers []Answer, reached func(host string) string) []cluster.Network {
	var found []cluster.Network
	var covered []map[string]bool // by network: "host interface"
	names := map[string]bool{}
	for _, s := range subnets(answers) {
		if s.coveredBy(covered) {
			continue
		}
		n := s.network(reached)
		n.Name = unused(n.Name, names)
		found = append(found, n)
		covered = append(covered, s.ports())
	}
	return found
}

// subnet is a subnet with the hosts on it.
type subnet struct {
	prefix netip.Prefix
	ends   []end
}

// end is a host's address on a subnet.
type end struct {
	host string
	Address
	nic *assay.NICFacts // nil if unknown
	bps float64         // bit/s of its line, 0 if unknown
}

// subnets groups the addresses by subnet, IPv4 first. Subnets with one host are
// left out.
func subnets(answers []Answer) []subnet {
	owners := map[netip.Addr]int{}
	for _, a := range answers {
		for _, ip := range a.Addresses {
			owners[ip.Prefix.Addr()]++
		}
	}
	all := map[netip.Prefix]*subnet{}
	for _, a := range answers {
		for _, ip := range a.Addresses {
			if owners[ip.Prefix.Addr()] > 1 || ip.Prefix.IsSingleIP() {
				continue
			}
			masked := ip.Prefix.Masked()
			s := all[masked]
			if s == nil {
				s = &subnet{prefix: masked}
				all[masked] = s
			}
			if !slices.ContainsFunc(s.ends, func(e end) bool { return e.host == a.Host.Name }) {
				s.ends = append(s.ends, end{a.Host.Name, ip, NIC(a.Facts, ip.NIC), Speed(a.Facts, ip.NIC)})
			}
		}
	}
	var several []subnet
	for _, s := range all {
		if len(s.ends) > 1 {
			several = append(several, *s)
		}
	}
	order.Stable(several, func(a, b subnet) int {
		return cmp.Or(a.prefix.Addr().Compare(b.prefix.Addr()), cmp.Compare(a.prefix.Bits(), b.prefix.Bits()))
	})
	return several
}

// NIC returns the facts of an interface, or nil.
func NIC(f assay.Facts, name string) *assay.NICFacts {
	for i := range f.NICs {
		if f.NICs[i].Name == name {
			return &f.NICs[i]
		}
	}
	return nil
}

// Speed returns the speed of the line behind an interface in bit/s, 0 if it is
// unknown. A bridge claims that of its fastest port, which may be a guest's veth
// or tap, and theirs is made up. So of the virtual interfaces only bonds count,
// and VLANs, which are as fast as their parent.
func Speed(f assay.Facts, name string) float64 {
	n := NIC(f, name)
	switch {
	case n == nil:
		return 0
	case !n.Virtual || n.Driver == assay.Bonding:
		return n.Rate()
	}
	parent, _, _ := strings.Cut(name, ".")
	if parent == name {
		return 0
	}
	return Speed(f, parent)
}

func (s subnet) ports() map[string]bool {
	ports := map[string]bool{}
	for _, e := range s.ends {
		ports[e.host+" "+e.NIC] = true
	}
	return ports
}

// coveredBy reports whether one of the networks already covers all of these
// interfaces.
func (s subnet) coveredBy(networks []map[string]bool) bool {
	return slices.ContainsFunc(networks, func(known map[string]bool) bool {
		for port := range s.ports() {
			if !known[port] {
				return false
			}
		}
		return true
	})
}

// forTwo reports whether a subnet has room for two addresses, both in use.
func (s subnet) forTwo() bool {
	return len(s.ends) == 2 && s.prefix.Addr().BitLen()-s.prefix.Bits() <= 2
}

func (s subnet) network(reached func(string) string) cluster.Network {
	n := cluster.Network{Name: s.name(reached), Kind: cluster.Switch, Subnet: s.prefix}
	if s.forTwo() {
		n.Kind = cluster.PointToPoint
	}
	for i, e := range s.ends {
		n.Hosts = append(n.Hosts, cluster.End{Host: e.host, Address: e.Prefix.Addr()})
		rate, mtu := e.bps, 0
		if e.nic != nil {
			mtu = e.nic.MTU
		}
		if i == 0 {
			n.Rate, n.MTU = rate, mtu
		}
		if n.Rate != rate {
			n.Rate = 0
		}
		if n.MTU != mtu {
			n.MTU = 0
		}
	}
	return n
}

// name names a network after its purpose, the hosts it connects, or the
// interface that all hosts have on it.
func (s subnet) name(reached func(string) string) string {
	for _, e := range s.ends {
		if way, err := netip.ParseAddr(reached(e.host)); err == nil && way.Unmap() == e.Prefix.Addr() {
			return Management
		}
	}
	if pair := s.ends[0].host + "-" + s.ends[1].host; s.forTwo() && cluster.ValidName(pair) {
		return pair
	}
	nic := s.ends[0].NIC
	other := func(e end) bool { return e.NIC != nic }
	if !cluster.ValidName(nic) || slices.ContainsFunc(s.ends, other) {
		return "network"
	}
	return nic
}

// unused appends a number to a name that is taken, ignoring case.
func unused(name string, taken map[string]bool) string {
	free := name
	for i := 2; taken[strings.ToLower(free)]; i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	taken[strings.ToLower(free)] = true
	return free
}
