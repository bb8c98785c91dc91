package changes

import (
	"slices"
	"strings"

	"assay"
	"assay/inventory/traits"
)

// ofInterfaces compares the network interfaces. A virtual one may be missing, and
// its speed and state are not compared: a bridge has those of the fastest guest
// that happens to be on it.
func ofInterfaces(was, is []assay.NICFacts) []string {
	return ifKnown(was, is, func(was, is []assay.NICFacts) []string {
		virtual := func(n assay.NICFacts) bool { return n.Virtual }
		physical := func(n assay.NICFacts) bool { return !n.Virtual }
		return append(
			interfaces.compare(without(was, virtual), without(is, virtual)),
			virtualInterfaces.compare(without(was, physical), without(is, physical))...)
	})
}

func interfaceName(n assay.NICFacts) string { return n.Name }

var virtualInterfaces = kind[assay.NICFacts]{
	noun: "interface", key: interfaceName,
	traits: []trait[assay.NICFacts]{
		{what: "MTU", of: one(func(n assay.NICFacts) string { return count(n.MTU) })},
		{what: "number of members", of: one(func(n assay.NICFacts) string { return count(n.Members) })},
		{what: "VLAN tagging", of: one(func(n assay.NICFacts) string { return yesNo(n.VLAN) })},
	},
}

var interfaces = kind[assay.NICFacts]{
	noun: "interface", key: interfaceName, gone: true, fresh: true,
	traits: append([]trait[assay.NICFacts]{
		{what: "state", of: one(func(n assay.NICFacts) string {
			if n.State == "unknown" {
				return ""
			}
			return n.State
		})},
		{what: "speed", of: one(func(n assay.NICFacts) string { return rate(n.Speed) })},
		{what: "duplex", of: one(func(n assay.NICFacts) string { return n.Duplex })},
		{what: "driver", of: one(func(n assay.NICFacts) string { return n.Driver })},
		{what: "slot", of: one(func(n assay.NICFacts) string { return n.Slot })},
		{what: "link", of: one(func(n assay.NICFacts) string { return traits.LinkMode(n.Link) })},
	}, virtualInterfaces.traits...),
}

// rate formats a rate in bit/s.
func rate(bits float64) string {
	if bits < 1e9 {
		return number(bits, 1e6, "Mb/s")
	}
	return number(bits, 1e9, "Gb/s")
}

// ofNetworks compares the declared properties of whole networks, for those of
// their hosts that are in both looks.
func ofNetworks(was, is []assay.Network, both func(host string) bool) (said []string) {
	now := map[string]assay.Network{}
	for _, n := range is {
		now[n.Name] = n
	}
	for _, a := range was {
		b, there := now[a.Name]
		var hosts []string
		for _, host := range union(a.Addresses, nil) {
			if b.Addresses[host] != "" && both(host) {
				hosts = append(hosts, host)
			}
		}
		if there && len(hosts) > 0 {
			said = append(said, begin(strings.Join(hosts, ", "), compare("network "+a.Name, networkTraits, a, b))...)
		}
	}
	return slices.Clip(said)
}

var networkTraits = []trait[assay.Network]{
	{what: "rate", of: one(func(n assay.Network) string { return rate(n.Rate) })},
	{what: "MTU", of: one(func(n assay.Network) string { return count(n.MTU) })},
	{what: "way between hosts", of: one(func(n assay.Network) string { return wiring(n.Direct) })},
}

func wiring(direct bool) string { return either(direct, "cables", "a switch") }
