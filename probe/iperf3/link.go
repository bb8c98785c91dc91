package iperf3

import (
	"net/netip"
	"strconv"
	"strings"

	"assay"
)

// link is what a trial measures, as its settings say: a way between two ends
// on one network, and who else has which address.
type link struct {
	network  string
	from, to end
	mtu      int // B, as somebody said; 0 for unknown
	owners   []owner
}

// end is one end of a link.
type end struct{ host, address string }

// owner says which host has an address, and on which network.
type owner struct{ address, network, host string }

// linkOf reads the settings that Trials made; false where they are not of a link.
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

// addressBook writes all addresses of an inventory for the setting addresses:
// a line each of address, network and host.
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

// ownerOf names the host that has an address, "" where nobody is known to.
func (l link) ownerOf(address string) string {
	for _, o := range l.owners {
		if same(o.address, address) {
			return o.host
		}
	}
	return ""
}

// back is the same link from the other end.
func (l link) back() link {
	l.from, l.to = l.to, l.from
	return l
}

func (l link) ipv6() bool { return strings.Contains(l.to.address, ":") }

// headers is what of a packet is not payload of an echo request: ICMP 8 (RFC
// 792, RFC 4443) and IP 20 (RFC 791) or 40 (RFC 8200), in B.
func (l link) headers() int {
	if l.ipv6() {
		return 48
	}
	return 28
}

// String names the link for a sentence.
func (l link) String() string {
	return l.from.host + " (" + l.from.address + ") to " + l.to.host + " (" + l.to.address + ")"
}

// same reports whether two texts are the same address, however they are written.
func same(a, b string) bool {
	x, errX := netip.ParseAddr(a)
	y, errY := netip.ParseAddr(b)
	return errX == nil && errY == nil && x.Unmap().WithZone("") == y.Unmap().WithZone("")
}
