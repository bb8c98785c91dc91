package ethtool

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/limits"
)

func learn(text, argv string, f assay.Facts) (assay.Facts, error) {
	return captured.Learn(New(), text, argv, f)
}

func TestLearn(t *testing.T) {
	for _, c := range []struct {
		file, argv string
		want       []assay.NICFacts
	}{
		{"virtio.txt", "ethtool eth0", []assay.NICFacts{{Name: "eth0", State: "up"}}},
		{"virtio-i.txt", "ethtool -i eth0", []assay.NICFacts{{Name: "eth0", Driver: "virtio_net", Slot: "0000:00:03.0"}}},
		{"be2net.txt", "", []assay.NICFacts{{Name: "0000:02:00.0", Driver: "be2net", Slot: "0000:02:00.0"}, {Name: "eth2", State: "up", Speed: 10e9, Fastest: 10e9, Duplex: "full"}}},
		{"ixgbevf.txt", "", []assay.NICFacts{{Name: "ens3", State: "up", Speed: 10e9, Fastest: 10e9, Duplex: "full"}}},
		{"slow-link.txt", "", []assay.NICFacts{{Name: "eno1", Speed: 100e6, Fastest: 2.5e9, Duplex: "full"}}},
		{"mlx5-i.txt", "ethtool -i p3p1", []assay.NICFacts{{Name: "p3p1", Driver: "mlx5_core", Slot: "0000:af:00.0"}}},
		{"unreadable.txt", "", []assay.NICFacts{{Name: "enp24s0f0", State: "up"}}},
		{"ip-d-link.txt", "ip -d link", []assay.NICFacts{{Name: "ifb0", State: "down", MTU: 1500, Virtual: true}, {Name: "ifb1", State: "down", MTU: 1500, Virtual: true}, {Name: "eth0", State: "up", MTU: 1400}}},
		{"ip-a.txt", "ip a", []assay.NICFacts{{Name: "ifb0", State: "down", MTU: 1500}, {Name: "ifb1", State: "down", MTU: 1500}, {Name: "eth0", State: "up", MTU: 1400}}},
		{"bond-vlan.txt", "", []assay.NICFacts{
			{Name: "enp1s0f0", State: "up", MTU: 9000}, {Name: "enp1s0f1", State: "up", MTU: 9000}, {Name: "bond0", State: "up", MTU: 9000, Driver: "bonding", Members: 2},
			{Name: "bond0.40", State: "up", MTU: 1500, VLAN: true}, {Name: "vmbr0", State: "up", MTU: 9000, Virtual: true}, {Name: "veth101i0", State: "up", MTU: 1500, Virtual: true},
		}},
	} {
		for name, text := range map[string]string{
			"as it is": captured.Text(t, c.file), "CRLF": strings.ReplaceAll(captured.Text(t, c.file), "\n", "\r\n"), "with prose after it": captured.Text(t, c.file) + "\nSpeed matters: 10 Gb/s at least.\n",
		} {
			f, err := learn(text, c.argv, assay.Facts{})
			if err != nil || !slices.Equal(f.NICs, c.want) {
				t.Errorf("%s %s: %v\n%+v, want\n%+v", c.file, name, err, f.NICs, c.want)
			}
		}
	}
}

// Three outputs about one interface give one interface.
func TestOneInterfaceOfSeveralOutputs(t *testing.T) {
	f := assay.Facts{NICs: []assay.NICFacts{{Name: "0000:00:03.0", Slot: "0000:00:03.0", Link: limits.PCIe(8, 4)}}}
	for _, c := range []struct{ file, argv string }{{"virtio-i.txt", "ethtool -i eth0"}, {"virtio.txt", ""}, {"ip-d-link.txt", ""}} {
		var err error
		if f, err = learn(captured.Text(t, c.file), c.argv, f); err != nil {
			t.Fatal(err)
		}
	}
	n := f.NICs[0]
	if len(f.NICs) != 3 || n.Name != "eth0" || n.Driver != "virtio_net" || n.MTU != 1400 || n.State != "up" || n.Link == nil {
		t.Errorf("%+v", f.NICs)
	}
}

// The kernel adds up the speeds of the members that send; Speed is that of one link,
// whichever output comes first.
func TestSpeedOfABond(t *testing.T) {
	lacp := captured.Text(t, "bond-vlan.txt")
	backup := strings.Replace(strings.Replace(lacp, "mode 802.3ad", "mode active-backup", 1), "state ACTIVE", "state BACKUP", 1)
	oneDown := strings.Replace(lacp, "state ACTIVE mii_status UP", "state ACTIVE mii_status DOWN", 1)
	var brief []string // ip link without -d
	for _, line := range strings.Split(lacp, "\n") {
		if !strings.HasPrefix(line, "    bond") {
			brief = append(brief, line)
		}
	}
	speed := func(mbits string) string { return "Settings for bond0:\n\tSpeed: " + mbits + "Mb/s\n\tDuplex: Full\n" }
	for name, c := range map[string]struct {
		ip, ethtool string
		speed       float64
		members     int
	}{
		"LACP":           {lacp, speed("20000"), 1e10, 2},
		"active-backup":  {backup, speed("10000"), 1e10, 1},
		"a link is down": {oneDown, speed("10000"), 1e10, 1},
		"no modes":       {strings.Join(brief, "\n"), speed("20000"), 2e10, 0},
	} {
		for order, texts := range map[string][]string{
			"ip, ethtool":      {c.ip, c.ethtool},
			"ethtool, ip":      {c.ethtool, c.ip},
			"each twice":       {c.ip, c.ethtool, c.ethtool, c.ip},
			"both in one text": {c.ethtool + c.ip},
		} {
			var f assay.Facts
			for _, text := range texts {
				var err error
				if f, err = learn(text, "", f); err != nil {
					t.Fatal(err)
				}
			}
			i := slices.IndexFunc(f.NICs, func(n assay.NICFacts) bool { return n.Name == "bond0" })
			if n := f.NICs[i]; n.Speed != c.speed || n.Members != c.members {
				t.Errorf("%s, %s: %g bit/s, %d members, want %g, %d", name, order, n.Speed, n.Members, c.speed, c.members)
			}
		}
	}
	// Without ethtool's speed, the members are all that is known.
	if f, err := learn(strings.Join(brief, "\n"), "", assay.Facts{}); err != nil || f.NICs[2].Members != 2 {
		t.Errorf("%v %+v", err, f.NICs)
	}
}

func TestLearnRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"no such device":    {captured.Text(t, "no-such-device.txt"), "No such device"},
		"nothing":           {"", "no interface"},
		"another list":      {"driver: bridge\nname: front\n", "no interface"},
		"a heading":         {"Settings for eth0:\n", "no interface"},
		"no name":           {strings.ReplaceAll(captured.Text(t, "mlx5-i.txt"), "0000:af:00.0", "usb-1"), "no interface"},
		"the loopback":      {strings.Join(strings.Split(captured.Text(t, "ip-a.txt"), "\n")[:2], "\n"), "no interface"},
		"an unknown speed":  {"Settings for eth0:\n\tSpeed: 4294967295Mb/s\n", "no interface"},
		"no speed of light": {"Settings for eth0:\n\tSpeed: " + strings.Repeat("9", 400) + "Mb/s\n", "no interface"},
	} {
		f, err := learn(c.text, "", assay.Facts{})
		if err == nil || !strings.Contains(err.Error(), c.says) || len(f.NICs) > 0 {
			t.Errorf("%s: %v, %+v", name, err, f.NICs)
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	captured.Begins(t, f, []string{"Settings for eth0:", "\t\tSettings for eth2:", "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP", "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN"}, []string{"", "driver: bridge", "Settings for the network: see below", "2: choose a card", "Speed: 10000Mb/s"})
	if f.Splits(nil, "2: eth0: <UP> mtu 1500") || f.Splits(nil, "Settings for eth1:") || !f.Splits(nil, "1: lo: <UP> mtu 65536") {
		t.Error("the next machine is not told from the next interface")
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)), "ethtool -i eth0")
	}
	f.Fuzz(func(t *testing.T, text, argv string) {
		facts, err := learn(text, argv, assay.Facts{})
		if (err == nil) != (len(facts.NICs) > 0) {
			t.Fatalf("%d interfaces and error %v", len(facts.NICs), err)
		}
		for _, n := range facts.NICs {
			if n.Name+n.Slot == "" || n.Speed < 0 || math.IsInf(n.Speed, 0) || math.IsNaN(n.Speed) || n.MTU < 0 || n.Members < 0 {
				t.Errorf("%+v", n)
			}
		}
	})
}
