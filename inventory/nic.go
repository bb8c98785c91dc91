package inventory

import (
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

const netDir = "/sys/class/net"

var pciAddress = lazyregexp.New(`[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]`)

// interfaces reads the network interfaces. One without a device behind it (lo, a
// bridge, a veth, a tunnel) is virtual; a virtual machine's virtio NIC is not.
func (r *reader) interfaces() {
	for _, name := range r.under(netDir) {
		dir := netDir + "/" + name
		n := assay.NICFacts{
			Name:   name,
			State:  r.word(dir + "/operstate"),
			Duplex: r.word(dir + "/duplex"),
		}
		if n.Duplex == "unknown" {
			n.Duplex = ""
		}
		if mtu, ok := r.number(dir + "/mtu"); ok && mtu > 0 && mtu < 1<<20 {
			n.MTU = int(mtu)
		}
		// In Mb/s; if unknown -1, or 2^32-1 on old kernels.
		if mbit, ok := r.number(dir + "/speed"); ok && mbit > 0 && mbit < 1<<31-1 {
			n.Speed = float64(mbit) * 1e6
		}
		device, physical := r.links[dir+"/device"]
		n.Virtual = !physical
		if mode := r.word(dir + "/bonding/mode"); mode != "" {
			n.Driver = assay.Bonding
			r.membersOf(&n, mode)
		}
		if physical {
			n.Driver = base(r.links[dir+"/device/driver"])
			if slots := pciAddress.FindAllString(device, -1); len(slots) > 0 {
				n.Slot = slots[len(slots)-1]
			}
			n.Link = r.way(device)
			r.missingOfNIC(n, device)
		}
		r.facts.NICs = append(r.facts.NICs, n)
	}
}

// membersOf counts the links of a bond that are down, and those that send: the kernel gives
// the bond the sum of their speeds. Where one flow uses several links, or they are not alike,
// the sum stays undivided.
func (r *reader) membersOf(n *assay.NICFacts, mode string) {
	var speeds []float64
	for _, name := range strings.Fields(r.word(netDir + "/" + n.Name + "/bonding/slaves")) {
		dir := netDir + "/" + name
		switch link := r.word(dir + "/bonding_slave/mii_status"); {
		case link != "" && link != "up":
			n.Down++
		case r.word(dir+"/bonding_slave/state") == "active":
			mbit, _ := r.number(dir + "/speed")
			speeds = append(speeds, float64(mbit)*1e6)
		}
	}
	striped := strings.HasPrefix(mode, "balance-rr") || strings.HasPrefix(mode, "broadcast")
	if len(speeds) == 0 || striped || slices.Min(speeds) != slices.Max(speeds) || n.Speed != float64(len(speeds))*speeds[0] {
		return
	}
	n.Members, n.Speed = len(speeds), speeds[0]
}

func (r *reader) missingOfNIC(n assay.NICFacts, device string) {
	if n.Speed == 0 && n.State == "up" {
		why, hint := "its driver ("+n.Driver+") does not report it", ""
		if r.virtual() {
			hint = "check on the hypervisor"
		}
		r.missing(n.Name+" speed", why, hint)
	}
	if n.Link == nil && n.Slot != "" {
		switch {
		case r.virtual():
			r.missing(n.Name+" pcie link", "a virtual machine has emulated buses", "check on the hypervisor")
		case r.tunnelled(device):
			r.missing(n.Name+" pcie link", behindTunnel, "")
		default:
			r.missing(n.Name+" pcie link", "no hop of its path reports a speed: it may be part of the chipset", "")
		}
	}
}
