package iperf3

import (
	"net/netip"
	"strconv"
	"strings"

	"assay"
)

// link is what a trial measures, by its settings: a path between two ends on
// one network, and which hosts have which other addresses.
type link struct {
	network  string
	from, to end
	mtu      int // B, as declared; 0 for unknown
	owners   []owner
}

// end is one end of a link.
type end struct{ host, address string }

// owner is the host that has an address, and on which network.
type owner struct{ address, network, host string }

// linkOf reads the settings that Trials made; false if they do not describe a
// link.
func linkOf(set map[string]string) (link, bool) {
	l := link{
		network: set["network"],
		from:    end{set["from"], set["from_address"]},
		to:      end{set["to"], set["to_address"]},
	}
	l.mtu, _ = strconv.Atoi(set["mtu"])
	for line := range strings.Lines(set["addresses"]) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 3 {
			l.owners = append(l.owners, owner{f[0], f[1], f[2]})
		}
	}
	return l, set["mode"] != "" && l.from.address != "" && l.to.address != ""
}

// addressBook formats all addresses of an inventory for the setting addresses:
// one line each, with address, network and host.
func addressBook(inv assay.Inventory) string {
	var b strings.Builder
	for _, n := range inv.Networks {
		for _, h := range inv.Hosts {
			if a, err := netip.ParseAddr(n.Addresses[h.Name]); err == nil {
				b.WriteString(a.String() + "\t" + n.Name + "\t" + h.Name + "\n")
			}
		}
	}
	return b.String()
}

// ownerOf returns the host that has an address, or "" if none is known.
func (l link) ownerOf(address string) string {
	for _, o := range l.owners {
		if same(o.address, address) {
			return o.host
		}
	}
	return ""
}

// back returns the same link from the other end.
func (l link) back() link {
	l.from, l.to = l.to, l.from
	return l
}

func (l link) ipv6() bool { return strings.Contains(l.to.address, ":") }

// headers returns how much of an echo request is not payload: ICMP 8 (RFC 792,
// RFC 4443) and IP 20 (RFC 791) or 40 (RFC 8200), in B.
func (l link) headers() int {
	if l.ipv6() {
		return 48
	}
	return 28
}

// String names the link for messages.
func (l link) String() string {
	return l.from.host + " (" + l.from.address + ") to " + l.to.host + " (" + l.to.address + ")"
}

// same reports whether two texts are the same address in any notation.
func same(a, b string) bool {
	x, errX := netip.ParseAddr(a)
	y, errY := netip.ParseAddr(b)
	return errX == nil && errY == nil && x.Unmap().WithZone("") == y.Unmap().WithZone("")
}
