package audit

import (
	"slices"
	"strconv"
	"strings"

	"assay"
)

// nic returns the interface that carried the flow on the result's host.
func (f flow) nic() (assay.NICFacts, string) {
	return carrier(f.facts, f.device(f.Trial.Subject.Host))
}

// device returns the interface that carried the flow on a host, as the result
// itself reports it; "" if it does not.
func (f flow) device(host string) string {
	switch host {
	case f.of("to"):
		return f.of("peer_interface")
	case f.of("from"):
		return f.of("interface")
	}
	return ""
}

// carrier returns the interface that a result names; missing is the fact that is
// lacking. A VLAN counts as its parent interface, with a tag. For a bridge or
// tunnel only the port underneath has a usable speed: pickNIC finds it. Without a
// name, or with one unknown to the facts, pickNIC chooses.
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
	return nic, missingSpeed(facts, nic)
}

// missingSpeed names the speed of an interface if it is unknown.
func missingSpeed(facts *assay.Facts, nic assay.NICFacts) string {
	switch {
	case nic.Speed > 0:
		return ""
	case isVirtualPort(facts, nic):
		return "speed of the hypervisor's port behind " + nic.Name
	}
	return "speed of " + orDefault(nic.Name, "the interface")
}

// pickNIC returns the only interface that can have carried traffic; missing is
// the fact that is lacking. A bond stands for its members.
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
	return nic, missingSpeed(facts, nic)
}

// virtualPorts are how the drivers of interfaces that exist only in virtual machines begin, and
// what Windows calls them; emulatedPorts are drivers of real cards too, but in a virtual machine
// rather of an imitation.
var (
	virtualPorts  = []string{"vmxnet", "hv_netvsc", "virtio", "vif", "xen-netfront", "microsoft hyper-v", "red hat virtio"}
	emulatedPorts = []string{"e1000", "e1000e", "8139cp", "8139too", "pcnet32", "ne2k-pci"}
)

// isVirtualPort reports whether an interface of this host is a port of its hypervisor. Whatever
// speed such a port states, it limits nothing. A card passed through to the guest is none.
func isVirtualPort(f *assay.Facts, n assay.NICFacts) bool {
	driver := strings.ToLower(n.Driver)
	return slices.ContainsFunc(virtualPorts, func(name string) bool { return strings.HasPrefix(driver, name) }) ||
		isVirtual(f) && slices.Contains(emulatedPorts, driver)
}

// withoutNominalSpeeds returns the facts without the speeds that virtual ports state.
func withoutNominalSpeeds(f assay.Facts) assay.Facts {
	f.NICs = slices.Clone(f.NICs)
	for i, n := range f.NICs {
		if isVirtualPort(&f, n) {
			f.NICs[i].Speed, f.NICs[i].Fastest = 0, 0
		}
	}
	return f
}
