package ethtool

import (
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

var (
	link   = lazyregexp.New(`^\s*(\d+): ([A-Za-z0-9_.-]+)(?:@([A-Za-z0-9_.-]+))?: <([A-Z0-9_,-]*)> mtu (\d+)\b(.*)$`)
	state  = lazyregexp.New(`\bstate (UP|DOWN|UNKNOWN)\b`)
	backup = lazyregexp.New(`^bond_slave state (?:BACKUP|ACTIVE mii_status (?:DOWN|GOING_DOWN|GOING_BACK))\b`)
	master = lazyregexp.New(`\bmaster ([A-Za-z0-9_.-]+)`)
)

// virtual lists the interface kinds in ip -d output that have no cable.
var virtual = []string{"bridge", "veth", "tun", "vxlan", "ifb", "dummy", "macvlan", "macvtap", "wireguard", "gre", "ipip", "sit", "geneve", "openvswitch", "vrf"}

// openLink reads the first line of an interface: "2: eth0: <UP> mtu 1500 …".
func (r *reader) openLink(line string) {
	m := link.FindStringSubmatch(line)
	r.open, r.byIP = &assay.NICFacts{Name: m[2]}, true
	if mtu, err := strconv.Atoi(m[5]); err == nil && mtu > 0 && mtu < 1<<20 {
		r.open.MTU, r.useful = mtu, true
	}
	if s := state.FindStringSubmatch(m[6]); s != nil && s[1] != "UNKNOWN" {
		r.open.State = strings.ToLower(s[1])
	}
	// A bond port has the SLAVE flag; a bridge port does not.
	if of := master.FindStringSubmatch(m[6]); of != nil && strings.Contains(","+m[4]+",", ",SLAVE,") {
		if r.members == nil {
			r.members = map[string]int{}
		}
		r.members[of[1]]++
		r.of = of[1]
	}
	// eth0@if7 is one end of a pair; the other is in another namespace.
	r.open.Virtual = strings.HasPrefix(m[3], "if") && strings.Trim(m[3][2:], "0123456789") == ""
}

// detail parses a line that ip -d adds below: "vlan protocol 802.1Q id 10 …".
func (r *reader) detail(text string) {
	kind, _, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "vlan protocol "):
		r.open.VLAN = true
	case kind == "link/loopback":
		r.open.Virtual = true
	case strings.HasPrefix(text, "bond mode "):
		r.open.Driver = assay.Bonding
	case backup.MatchString(text):
		r.leave()
	}
	for _, v := range virtual {
		if kind == v {
			r.open.Virtual = true
		}
	}
}
