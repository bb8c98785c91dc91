package differences

import (
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/survey"
)

// perNetwork is what the interfaces on one network should have in common.
var perNetwork = []struct {
	what     string
	of       func(survey.Answer, cluster.Network) string
	declared func(cluster.Network) string // by cluster.yaml, "" where it does not say
}{
	{"address on ", addressOn, func(cluster.Network) string { return present }},
	{"MTU on ", mtuOn, func(n cluster.Network) string { return count(n.MTU) }},
	{"speed on ", speedOn, func(n cluster.Network) string { return cluster.FormatRate(n.Rate) }},
}

// Whether a host has its address.
const (
	present = "on an interface"
	absent  = "on no interface"
)

// addressOn says whether a host has its expected address; "" if it reported no
// addresses.
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

// speedOn returns the speed of the fastest interface with the host's address: in
// a ring, the others are as slow as the neighbour at their other end. "" if
// unknown, as a bridge's is.
func speedOn(a survey.Answer, n cluster.Network) string {
	fastest := 0.
	for _, nic := range carriers(a, n) {
		fastest = max(fastest, survey.Speed(a.Facts, nic.Name))
	}
	return cluster.FormatRate(fastest)
}

// mtuOn returns the MTU of the interfaces with the host's address, each once.
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

// carriers returns the interfaces with the host's address on the network: one,
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
