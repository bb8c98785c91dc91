package inventory

import (
	"slices"
	"strings"
	"testing"

	"assay"
)

func TestBonds(t *testing.T) {
	f, err := Parse(wrap("@@ files /sys/class/net\nbond0/operstate:up\nbond0/speed:20000\nbond0/bonding/mode:802.3ad 4\nvmbr0/operstate:up\nvmbr0/speed:20000"))
	if err != nil {
		t.Fatal(err)
	}
	if n := f.NICs; len(n) != 2 || n[0].Driver != assay.Bonding || !n[0].Virtual || n[0].Speed != 2e10 || n[1].Driver != "" {
		t.Errorf("%+v", n)
	}
}

// The kernel gives a bond the sum of the links that send; a link that is down is counted.
func TestMembersOfABond(t *testing.T) {
	const both = "\neno1/speed:10000\neno1/bonding_slave/state:active\neno1/bonding_slave/mii_status:up\neno2/speed:10000\neno2/bonding_slave/state:active\neno2/bonding_slave/mii_status:up"
	bond := func(mode, speed string) string {
		return "bond0/speed:" + speed + "\nbond0/bonding/mode:" + mode + "\nbond0/bonding/slaves:eno1 eno2"
	}
	down := strings.NewReplacer("eno2/speed:10000", "eno2/speed:-1", "eno2/bonding_slave/mii_status:up", "eno2/bonding_slave/mii_status:down")
	for _, c := range []struct {
		name, files   string
		speed         float64
		members, down int
	}{
		{"two links", bond("802.3ad 4", "20000") + both, 1e10, 2, 0},
		{"one of them down", bond("802.3ad 4", "10000") + down.Replace(both), 1e10, 1, 1},
		{"a backup", bond("active-backup 1", "10000") + strings.Replace(both, "eno2/bonding_slave/state:active", "eno2/bonding_slave/state:backup", 1), 1e10, 1, 0},
		{"unlike links", bond("balance-xor 2", "11000") + strings.Replace(both, "eno2/speed:10000", "eno2/speed:1000", 1), 1.1e10, 0, 0},
		{"one flow over all links", bond("balance-rr 0", "20000") + both, 2e10, 0, 0},
		{"one flow over what is left", bond("balance-rr 0", "10000") + down.Replace(both), 1e10, 0, 1},
		{"an old kernel", bond("802.3ad 4", "20000"), 2e10, 0, 0},
	} {
		f, err := Parse(wrap("@@ files /sys/class/net\n" + c.files))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(f.NICs, func(n assay.NICFacts) bool { return n.Name == "bond0" })
		if n := f.NICs[i]; n.Speed != c.speed || n.Members != c.members || n.Down != c.down {
			t.Errorf("%s: %g bit/s, %d members, %d down, want %g, %d, %d", c.name, n.Speed, n.Members, n.Down, c.speed, c.members, c.down)
		}
	}
}
