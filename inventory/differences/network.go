package differences

import (
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/survey"
)

// perNetwork are what the interfaces on one network should have in common.
var perNetwork = []struct {
	what     string
	of       func(survey.Answer, cluster.Network) string
	declared func(cluster.Network) string // by cluster.yaml, "" where it does not say
}{
	{"address on ", addressOn, func(cluster.Network) string { return present }},
	{"MTU on ", mtuOn, func(n cluster.Network) string { return count(n.MTU) }},
	{"speed on ", speedOn, func(n cluster.Network) string { return cluster.FormatRate(n.Rate) }},
}

// The two answers to whether a host has its address.
const (
	present = "on an interface"
	absent  = "on no interface"
)

// addressOn reports whether a host has the address that it is said to have; "" for
// one that told no address at all.
func addressOn(a survey.Answer, n cluster.Network) string {
	switch {
	case len(a.Addresses) == 0:
		return ""
	case len(carriers(a, n)) == 0:
		return absent
	default:
		return present
	}
}

// speedOn is the speed of the fastest interface that has the host's address: the
// others of a ring are as slow as the neighbour at their other end.
func speedOn(a survey.Answer, n cluster.Network) string {
	fastest := 0.
	for _, nic := range carriers(a, n) {
		fastest = max(fastest, nic.Speed)
	}
	return cluster.FormatRate(fastest)
}

// mtuOn is the MTU of the interfaces that have the host's address, each once.
func mtuOn(a survey.Answer, n cluster.Network) string {
	var all []string
	for _, nic := range carriers(a, n) {
		if mtu := count(nic.MTU); mtu != "" && !slices.Contains(all, mtu) {
			all = append(all, mtu)
		}
	}
	slices.Sort(all)
	return strings.Join(all, " and ")
}

// carriers are the interfaces that have the host's address on the network: one,
// or both of a routed ring.
func carriers(a survey.Answer, n cluster.Network) (found []assay.NICFacts) {
	for _, has := range a.Addresses {
		if has.Prefix.Addr() != n.Address(a.Host.Name) {
			continue
		}
		nic := survey.NIC(a.Facts, has.NIC)
		if nic == nil {
			nic = &assay.NICFacts{Name: has.NIC}
		}
		found = append(found, *nic)
	}
	return found
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
