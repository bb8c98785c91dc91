package audit

import (
	"slices"
	"strconv"
	"strings"

	"assay"
)

// nic is the interface that carried the flow at the host of the result.
func (f flow) nic() (assay.NICFacts, string) {
	return carrier(f.facts, f.device(f.Trial.Subject.Host))
}

// device names the interface that carried the flow at a host, as the result
// itself says; "" where it does not.
func (f flow) device(host string) string {
	switch host {
	case f.of("to"):
		return f.of("peer_interface")
	case f.of("from"):
		return f.of("interface")
	}
	return ""
}

// carrier returns the interface that a result names; missing names the fact that
// is wanting. A VLAN is the interface that it lies on, with a tag. Of a bridge or
// a tunnel only the port under it has a speed to go by: that is the one that
// pickNIC can tell. Without a name, or with one that the facts do not know, it is
// pickNIC's choice.
func carrier(facts *assay.Facts, device string) (nic assay.NICFacts, missing string) {
	named := func(name string) (assay.NICFacts, bool) {
		i := slices.IndexFunc(facts.NICs, func(n assay.NICFacts) bool { return n.Name == name && name != "" })
		if i < 0 {
			return assay.NICFacts{}, false
		}
		return facts.NICs[i], true
	}
	nic, known := named(device)
	if !known {
		return pickNIC(facts)
	}
	if parent, tag, is := strings.Cut(device, "."); is && nic.Virtual {
		if _, err := strconv.Atoi(tag); err == nil {
			if under, known := named(parent); known && (!under.Virtual || under.Members > 1) {
				under.VLAN, under.MTU = true, nic.MTU
				nic = under
			}
		}
	}
	if nic.Virtual && nic.Members <= 1 {
		under, missing := pickNIC(facts)
		if missing != "" {
			return nic, "which port of " + device + " carried it"
		}
		if nic.MTU > 0 {
			under.MTU = nic.MTU
		}
		nic = under
	}
	if !(nic.Speed > 0) {
		return nic, "speed of " + orDefault(nic.Name, "the interface")
	}
	return nic, ""
}

// pickNIC returns the one interface that can have carried traffic; missing names
// the fact that is wanting. A bond stands for its members.
func pickNIC(facts *assay.Facts) (nic assay.NICFacts, missing string) {
	var physical, bonds []assay.NICFacts
	for _, n := range facts.NICs {
		switch state := strings.ToLower(n.State); {
		case state != "" && state != "up" && state != "unknown":
		case n.Members > 1:
			bonds = append(bonds, n)
		case !n.Virtual:
			physical = append(physical, n)
		}
	}
	switch {
	case len(bonds) == 1 && len(physical) <= bonds[0].Members:
		nic = bonds[0]
	case len(bonds) == 0 && len(physical) == 1:
		nic = physical[0]
	default:
		return nic, "which interface carried it"
	}
	if !(nic.Speed > 0) {
		return nic, "speed of " + orDefault(nic.Name, "the interface")
	}
	return nic, ""
}
