package iperf3

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay"
)

// The cable between a and c is missing: traffic from a to c goes through b,
// which may be a router nobody knows.
func TestThroughAThirdHost(t *testing.T) {
	hosts := spaces(t, "a", "b", "c")
	a, b, c := hosts["a"], hosts["b"], hosts["c"]
	cable(t, a, b, "left", "10.11.0.1/24", "10.11.0.2/24")
	cable(t, b, c, "right", "10.12.0.2/24", "10.12.0.3/24")
	b.must(t, "ip", "link", "set", "right", "mtu", "1400")
	a.must(t, "ip", "route", "add", "10.12.0.0/24", "via", "10.11.0.2")
	c.must(t, "ip", "route", "add", "10.11.0.0/24", "via", "10.12.0.2")
	ring := network("ring", "10.11.0.1", "10.11.0.2", "10.12.0.3")
	right := network("right", "", "10.12.0.2", "10.12.0.3")
	for _, k := range []struct {
		name     string
		networks []assay.Network
		there    string
		back     string
	}{
		{"a host that is known", []assay.Network{ring, right}, "through b", "through b"},
		{"known by one of its addresses", []assay.Network{ring}, "through b", "through 10.12.0.2"},
	} {
		t.Run(k.name, func(t *testing.T) {
			inv := pair(k.networks...)
			script, all := run(t, trial(t, inv, "a/link/ring:c", map[string]string{"mode": modeBoth}), a, c)
			m := oneOf(t, all, "net.tcp.throughput", forward)
			if m.Labels["route"] != k.there || m.Labels["route_back"] != k.back || m.Labels["interface"] != "left" || m.Labels["peer_interface"] != "right" {
				t.Errorf("%v", m.Labels)
			}
			m = oneOf(t, all, "net.tcp.throughput", reverse)
			if m.Labels["route"] != k.back || m.Labels["route_back"] != k.there || m.Labels["interface"] != "right" || m.Labels["from"] != "c" {
				t.Errorf("back: %v", m.Labels)
			}
			notes := New().Notes(script)
			if len(notes) != 2 || notes[0].ID != "link-route" || notes[0].Text != "a reaches 10.12.0.3 "+k.there+" on left: the figures describe the whole path" ||
				!strings.HasPrefix(notes[1].Text, "c reaches 10.11.0.1 "+k.back) {
				t.Errorf("%+v", notes)
			}
		})
	}
	// b reports that its next cable takes less.
	script, all := run(t, trial(t, pair(ring, right), "a/link/ring:c", map[string]string{"mode": modeMTU}), a, c)
	if m := oneOf(t, all, "net.path_mtu", forward); m.Value != 1400 || m.Labels["interface_mtu"] != "1500" {
		t.Errorf("path MTU: %g, %v", m.Value, m.Labels)
	}
	if tries := count(script, stepMeasure); tries != 2 {
		t.Errorf("%d tries where the second was told", tries)
	}
	if text := texts(New().Notes(script)); !strings.Contains(text, "packets of more than 1400 B do not reach c unfragmented although the interface of a has an MTU of 1500") {
		t.Error(text)
	}
	// Between neighbours there is nothing to note.
	script, all = run(t, trial(t, pair(ring, right), "a/link/ring:b", map[string]string{"mode": modeRTT}), a, b)
	if m := oneOf(t, all, "net.rtt.median", forward); m.Labels["route"] != "direct" || len(New().Notes(script)) != 0 {
		t.Errorf("%v, %+v", m.Labels, New().Notes(script))
	}
}

// The address is on the storage network, but the packets take another.
func TestAnotherNetworkThanWasAskedFor(t *testing.T) {
	hosts := spaces(t, "a", "b")
	a, b := hosts["a"], hosts["b"]
	cable(t, a, b, "mgmt", "10.20.0.1/24", "10.20.0.2/24")
	cable(t, a, b, "storage", "10.10.0.1/24", "10.10.0.2/24")
	a.must(t, "ip", "route", "add", "10.10.0.2/32", "via", "10.20.0.2", "dev", "mgmt")
	inv := pair(network("management", "10.20.0.1", "10.20.0.2"), network("storage", "10.10.0.1", "10.10.0.2"))
	script, all := run(t, trial(t, inv, "a/link/storage:b", map[string]string{"mode": modeSingle}), a, b)
	l := oneOf(t, all, "net.tcp.throughput", forward).Labels
	if l["network"] != "management" || l["network_asked"] != "storage" || l["interface"] != "mgmt" || l["peer_interface"] != "storage" || l["route"] != "direct" {
		t.Errorf("%v", l)
	}
	if text := texts(New().Notes(script)); text != "link-network: network storage was requested, but a sends to 10.10.0.2 on mgmt, which is on network management\n" {
		t.Error(text)
	}
	_, all = run(t, trial(t, inv, "a/link/management:b", map[string]string{"mode": modeSingle}), a, b)
	if l := oneOf(t, all, "net.tcp.throughput", forward).Labels; l["network"] != "management" || l["network_asked"] != "" {
		t.Errorf("%v", l)
	}
}

// The packets' network has no name: the interface with the address shows it.
func TestAnotherInterfaceThanHasTheAddress(t *testing.T) {
	hosts := spaces(t, "a", "b")
	a, b := hosts["a"], hosts["b"]
	cable(t, a, b, "mgmt", "10.20.0.1/24", "10.20.0.2/24")
	cable(t, a, b, "storage", "10.10.0.1/24", "10.10.0.2/24")
	inv := pair(network("storage", "10.10.0.1", "10.10.0.2"))
	var notes string
	own := func() string {
		script, all := run(t, trial(t, inv, "a/link/storage:b", map[string]string{"mode": modeSingle}), a, b)
		notes = texts(New().Notes(script))
		return oneOf(t, all, "net.tcp.throughput", forward).Labels["own_interface"]
	}
	if got := own(); got != "" {
		t.Errorf("%q: they leave by the interface that has the address", got)
	}
	a.must(t, "ip", "route", "add", "10.10.0.2/32", "dev", "mgmt", "src", "10.10.0.1")
	if got := own(); got != "storage" || notes != "link-interface: network storage is on interface storage of a, but packets to 10.10.0.2 leave by mgmt\n" {
		t.Errorf("%q, want storage; notes %q", got, notes)
	}
	// In a mesh the address is on each of its links, or on none.
	a.must(t, "ip", "address", "add", "10.10.0.1/32", "dev", "mgmt")
	if got := own(); got != "" {
		t.Errorf("%q: mgmt has the address too", got)
	}
	a.must(t, "ip", "address", "del", "10.10.0.1/32", "dev", "mgmt")
	a.must(t, "ip", "address", "add", "10.10.0.1/32", "dev", "lo")
	a.must(t, "ip", "address", "del", "10.10.0.1/24", "dev", "storage")
	if got := own(); got != "" {
		t.Errorf("%q: the address is on the loopback interface", got)
	}
}

// A switch port was left at a smaller MTU: larger packets vanish silently.
func TestPacketsThatVanish(t *testing.T) {
	hosts := spaces(t, "a", "b", "switch")
	a, b, port := hosts["a"], hosts["b"], hosts["switch"]
	cable(t, a, port, "storage", "10.10.0.1/24", "10.99.0.1/32")
	cable(t, b, port, "other", "10.10.0.2/24", "10.99.0.2/32")
	port.must(t, "ip", "link", "add", "bridge", "type", "bridge")
	for _, l := range []string{"bridge", "storage", "other"} {
		port.must(t, "ip", "link", "set", l, "mtu", "9000", "up")
		if l != "bridge" {
			port.must(t, "ip", "link", "set", l, "master", "bridge")
		}
	}
	a.must(t, "ip", "link", "set", "storage", "mtu", "9000")
	b.must(t, "ip", "link", "set", "other", "mtu", "9000")
	for _, c := range []struct{ want, tries string }{{"9000", "1"}, {"1500", "3"}} {
		port.must(t, "ip", "link", "set", "other", "mtu", c.want)
		inv := pair(network("storage", "10.10.0.1", "10.10.0.2"))
		script, all := run(t, trial(t, inv, "a/link/storage:b", map[string]string{"mode": modeMTU}), a, b)
		if m := oneOf(t, all, "net.path_mtu", forward); number(m.Value) != c.want || (m.Labels["beyond"] == "silence") != (c.want == "1500") {
			t.Errorf("path MTU %g, want %s; %v", m.Value, c.want, m.Labels)
		}
		if tries := strconv.Itoa(count(script, stepMeasure)); tries != c.tries {
			t.Errorf("%s took %s tries, want %s", c.want, tries, c.tries)
		}
		want := "link-mtu: packets of more than " + c.want + " B are silently dropped although the interface of a has an MTU of 9000: something on the path to b has a smaller MTU\n"
		if c.want == "9000" {
			want = ""
		}
		if text := texts(New().Notes(script)); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

// Two hosts have the same address: the queried one and another, on any device.
func TestAnAddressThatTwoHostsHave(t *testing.T) {
	l := link{from: end{host: "a", address: "10.0.0.1"}, owners: []owner{
		{"10.0.0.1", "storage", "a"}, {"10.0.0.2", "storage", "b"}, {"10.0.0.3", "storage", "c"}, {"10.1.0.1", "management", "a"},
	}}
	for want, have := range map[string][]string{"": {"10.0.0.1", "172.17.0.1"}, "b": {"10.0.0.1", "10.0.0.2"}, "b c": {"10.0.0.3", "10.0.0.2", "10.0.0.2"}} {
		slices.Sort(have)
		if got := l.twins(map[string][]string{"eth0": have, "eth1": {"10.1.0.1"}}); got != want {
			t.Errorf("%v: %q, want %q", have, got, want)
		}
	}
}

func TestReadRoute(t *testing.T) {
	for text, want := range map[string]way{
		"10.0.0.2 from 10.0.0.1 dev eth0 uid 0 \n    cache \n":                        {known: true, device: "eth0"},
		"10.0.0.2 from 10.0.0.1 via 10.0.9.9 dev vmbr1 table 5 uid 0":                 {known: true, device: "vmbr1", gateway: "10.0.9.9"},
		"10.0.0.2 from 10.0.0.1 via inet6 fe80::1 dev eth0 uid 0":                     {known: true, device: "eth0", gateway: "fe80::1"},
		"local 127.0.0.2 from 127.0.0.1 dev lo uid 0":                                 {known: true, device: "lo", local: true},
		"10.0.0.2 via 10.0.0.254 dev eth0  src 10.0.0.1 ":                             {known: true, device: "eth0", gateway: "10.0.0.254"}, // busybox
		"fd00::2 from fd00::1 dev eth0 proto kernel src fd00::1 metric 256 pref high": {known: true, device: "eth0"},
		"unreachable 10.0.0.2 from 10.0.0.1":                                          {},
		"":                                                                            {},
		"dev":                                                                         {},
	} {
		if got := readRoute(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// A routed mesh has its addresses on no cable: its interfaces are on no other
// network, and a next hop with the destination's own address is a neighbour.
func TestAMeshIsDirect(t *testing.T) {
	inv := pair(network("mesh", "10.15.0.1", "10.15.0.2", "10.15.0.3"), network("management", "10.20.0.1", "10.20.0.2", "10.20.0.3"))
	tr := trial(t, inv, "a/link/mesh:b", map[string]string{"mode": modeSingle})
	l, ok := linkOf(tr.Settings)
	if !ok {
		t.Fatal("no link")
	}
	script := func(route string) assay.Transcript {
		return assay.Transcript{Settings: tr.Settings, Steps: []assay.Step{
			{Name: stepRoute, Output: assay.Output{Stdout: []byte(route)}},
			{Name: stepAddresses, Output: assay.Output{Stdout: []byte("1: lo    inet 10.15.0.1/32 scope global lo\\\n2: eth0@if7    inet 10.20.0.1/24 brd 10.20.0.255 scope global eth0\\\n3: en1    inet6 fe80::1/64 scope link\n")}},
		}}
	}
	for _, c := range []struct{ route, hop, network string }{
		{"10.15.0.2 from 10.15.0.1 via 10.15.0.2 dev en1", "direct", ""},
		{"10.15.0.2 from 10.15.0.1 via 10.20.0.2 dev en1", "direct", ""}, // another address of b
		{"10.15.0.2 from 10.15.0.1 via 10.15.0.3 dev en1", "through c", ""},
		{"10.15.0.2 from 10.15.0.1 via 10.20.0.254 dev eth0", "through 10.20.0.254", "management"},
	} {
		w := l.wayOf(script(c.route), stepRoute, stepAddresses)
		if hop := l.hop(w); hop != c.hop || w.network != c.network {
			t.Errorf("%s: %s on network %q, want %s on %q", c.route, hop, w.network, c.hop, c.network)
		}
	}
}

func texts(notes []assay.Note) string {
	var b strings.Builder
	for _, n := range notes {
		b.WriteString(n.ID + ": " + n.Text + "\n")
	}
	return b.String()
}

func count(tr assay.Transcript, step string) int {
	return len(slices.DeleteFunc(slices.Clone(tr.Steps), func(s assay.Step) bool { return s.Name != step }))
}
