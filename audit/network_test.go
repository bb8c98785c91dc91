package audit

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"assay"
	"assay/limits"
)

// wire leaves one network result in the world: one TCP stream from host "a" to
// host "b", over one interface of 10 Gb/s. Pairs change its labels; an empty
// value removes one.
func wire(bits float64, pairs ...string) func(*world) {
	return func(w *world) {
		w.results = nil
		w.facts.NICs = []assay.NICFacts{{Name: "eth0", State: "up", Speed: 10e9, MTU: 1500, Driver: "i40e", Slot: "0000:01:00.0", Link: limits.PCIe(8, 8)}}
		w.sent("wire", bits, pairs...)
	}
}

// sent adds a network result.
func (w *world) sent(name string, bits float64, pairs ...string) {
	labels := with(map[string]string{
		"tool": "iperf3", "protocol": "tcp", "role": "client", "side": "receiver", "direction": "forward", "streams": "1", "from": "a", "to": "b",
	}, pairs...)
	maps.DeleteFunc(labels, func(_, v string) bool { return v == "" })
	metric := "net." + labels["protocol"] + ".throughput"
	r := assay.Result{Trial: assay.Trial{ID: "iperf3/" + name, Case: name, Probe: "iperf3", Subject: assay.Subject{ID: "h/network", Host: "h"}}}
	m := assay.Measurement{Metric: metric, Value: bits / 8, Unit: assay.BytesPerSecond, Labels: labels}
	for i := range 10 {
		m.Samples = append(m.Samples, assay.Sample{At: float64(i + 1), Value: bits / 8})
	}
	r.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
		m, {Metric: "net.tcp.bytes", Value: bits / 8 * 10, Labels: maps.Clone(labels)}, {Metric: "tool.duration", Value: 10, Labels: maps.Clone(labels)},
	}}}
	w.results = append(w.results, r)
}

// port changes the only interface.
func port(change func(n *assay.NICFacts)) func(*world) {
	return func(w *world) { change(&w.facts.NICs[0]) }
}

func mtu(v int) func(*world) { return port(func(n *assay.NICFacts) { n.MTU = v }) }

func speed(v float64) func(*world) { return port(func(n *assay.NICFacts) { n.Speed = v }) }

// bonded bonds two ports.
func bonded(w *world) {
	one, two := w.facts.NICs[0], w.facts.NICs[0]
	two.Name, two.Slot = "eth1", "0000:01:00.1"
	w.facts.NICs = []assay.NICFacts{one, two, {Name: "bond0", State: "up", Speed: 10e9, MTU: 1500, Virtual: true, Members: 2}}
}

func noNICs(w *world) { w.facts.NICs = nil }

// resent sets the number of retransmitted segments in each second.
func resent(perSecond ...float64) func(*world) {
	return func(w *world) {
		m := assay.Measurement{Metric: "net.tcp.retransmits", Labels: maps.Clone(w.results[0].Repeats[0].Measurements[0].Labels)}
		for i, v := range perSecond {
			m.Value += v
			m.Samples = append(m.Samples, assay.Sample{At: float64(i + 1), Value: v})
		}
		w.results[0].Repeats[0].Measurements = append(w.results[0].Repeats[0].Measurements, m)
	}
}

// driven sets the interface's driver, and whether the host is a virtual machine.
func driven(driver string, virtual *bool) func(*world) {
	return both(port(func(n *assay.NICFacts) { n.Driver = driver }), func(w *world) { w.facts.CPU.Virtual = virtual })
}

func metric(name string, v float64) func(*world) { return set("wire", name, v) }

func TestNICCeiling(t *testing.T) {
	const id = "nic-ceiling"
	check(t, []one{
		{id, "9.40 of 10", wire(9.40e9), "", ""},
		{id, "above the line's payload", wire(9.6e9), "E", "9.60 Gb/s against 10.0 Gb/s x 1,448/1,538 = 9.41 Gb/s: 1.02 x"},
		{id, "11.2 of 10", wire(11.2e9), "E", "1.19 x"},
		{id, "just above, with the segment size", both(wire(9.45e9), metric("net.tcp.mss", 1448)), "E", "1,448/1,538"},
		{id, "just above, which Windows reaches", wire(9.49e9), "-", "whether TCP used timestamps"},
		{id, "without timestamps, as the segment size says", both(wire(9.49e9), metric("net.tcp.mss", 1460)), "", ""},
		{id, "a gigabit at 941", both(wire(941e6), speed(1e9)), "", ""},
		{id, "a gigabit at 1.2", both(wire(1.2e9), speed(1e9)), "E", "1.00 Gb/s x 1,448/1,538 = 941 Mb/s"},
		{id, "a VLAN tag", both(wire(9.46e9), metric("net.tcp.mss", 1448), port(func(n *assay.NICFacts) { n.VLAN = true })), "E", "1,448/1,542 = 9.39 Gb/s"},
		{id, "jumbo frames", both(wire(9.90e9), mtu(9000)), "", ""},
		{id, "above jumbo frames", both(wire(9.98e9), mtu(9000)), "E", "8,948/9,038 = 9.90 Gb/s"},
		{id, "jumbo frames by their segment size", both(wire(9.90e9), metric("net.tcp.mss", 8948)), "", ""},
		{id, "a segment size of loopback is of no Ethernet", both(wire(9.40e9), metric("net.tcp.mss", 32768)), "", ""},
		{id, "IPv6 has longer headers", wire(9.60e9, "from", "fd00::1", "to", "fd00::2"), "E", "1,428/1,538 = 9.28 Gb/s"},
		{id, "UDP", wire(9.57e9, "protocol", "udp"), "", ""},
		{id, "UDP above", wire(9.7e9, "protocol", "udp"), "E", "1,472/1,538 = 9.57 Gb/s"},
		{id, "UDP that was only sent", wire(30e9, "protocol", "udp", "side", "sender"), "", ""},
		{id, "a sender with a full buffer", both(wire(9.44e9, "side", "sender"), metric("tool.duration", 1)), "", ""},
		{id, "a sender far above", wire(11e9, "side", "sender"), "E", "1.17 x"},
		{id, "two streams over a bond", both(wire(18.7e9, "streams", "8"), bonded), "", ""},
		{id, "more than the bond", both(wire(19.9e9, "streams", "8"), bonded), "E", "2 x 10.0 Gb/s x 1,448/1,538 = 18.8 Gb/s"},
		{id, "one stream over a bond", both(wire(18.7e9), bonded), "E", "against 10.0 Gb/s"},
		{id, "the sum of two directions", wire(18.70e9, "direction", "both"), "", ""},
		{id, "loopback", wire(40e9, "from", "127.0.0.1", "to", "127.0.0.1"), "", ""},
		{id, "the same address", wire(40e9, "from", "10.0.0.1", "to", "10.0.0.1"), "", ""},
		{id, "storage", only("randread"), "", ""},
		{id, "no interface", both(wire(9.4e9), noNICs), "-", "which interface carried it"},
		{id, "two interfaces", both(wire(9.4e9), func(w *world) {
			w.facts.NICs = append(w.facts.NICs, assay.NICFacts{Name: "eth1", State: "up", Speed: 1e9, MTU: 1500})
		}), "-", "which interface carried it"},
		{id, "the other one is down, and a bridge is none", both(wire(11.2e9), func(w *world) {
			w.facts.NICs = append(w.facts.NICs, assay.NICFacts{Name: "eth1", State: "down", Speed: 1e9, MTU: 1500}, assay.NICFacts{Name: "vmbr0", State: "up", Virtual: true, MTU: 1500})
		}), "E", "1.19 x"},
		{id, "no speed", both(wire(9.4e9), speed(0)), "-", "speed of eth0"},
		{id, "28 Gb/s between guests of one host", both(wire(28e9), driven("vmxnet3", nil)), "-", "speed of the hypervisor's port behind eth0"},
		{id, "an emulated card", both(wire(2.8e9), speed(1e9), driven("e1000", is(true))), "-", "speed of the hypervisor's port behind eth0"},
		{id, "the same card in a machine of its own", both(wire(2.8e9), speed(1e9), driven("e1000", is(false))), "E", "2.97 x"},
		{id, "a card passed through", both(wire(11.2e9), driven("ixgbe", is(true))), "E", "1.19 x"},
		{id, "no MTU", both(wire(9.4e9), mtu(0)), "-", "MTU of eth0"},
		{id, "unknown host", both(wire(9.4e9), func(w *world) { w.results[0].Trial.Subject.Host = "elsewhere" }), "-", "which interface carried it"},
	})
}

func TestNICUnderuse(t *testing.T) {
	const id = "nic-underuse"
	check(t, []one{
		{id, "9.40 of 10", wire(9.40e9), "", ""},
		{id, "9.0 of 10", wire(9.0e9), "", ""},
		{id, "4.12 of 10", wire(4.12e9), "W", "4.12 Gb/s against 10.0 Gb/s x 1,448/1,538 = 9.41 Gb/s: 0.438 x"},
		{id, "1500 where 9000 would do", both(wire(9.40e9), mtu(9000)), "W", ""},
		{id, "told to send less", wire(4.12e9, "target_bitrate", "5000000000"), "", ""},
		{id, "UDP", wire(1e6, "protocol", "udp"), "", ""},
		{id, "one stream over a bond", both(wire(9.4e9), bonded), "", ""},
		{id, "several over a bond", both(wire(9.4e9, "streams", "8"), bonded), "W", "0.499 x"},
		{id, "jumbo frames, as the segment size says, to a host without", both(wire(9.4e9), mtu(9000), metric("net.tcp.mss", 1448)), "", ""},
		{id, "no interface", both(wire(4.12e9), noNICs), "-", "which interface carried it"},
	})
}

// The slower end sets the line rate.
func TestTheSlowerEndIsTheLine(t *testing.T) {
	w := good()
	wire(.93e9, "from", "h", "to", "slow")(w)
	e := w.evidence()
	slow := assay.Facts{Host: "slow", NICs: []assay.NICFacts{{Name: "eth0", State: "up", Speed: 1e9, MTU: 1500}}}
	e.Inventory.Facts["slow"] = slow
	for _, rule := range []Rule{nicCeiling, nicUnderuse} {
		if found := rule.Check(e); len(found) > 0 {
			t.Errorf("%s: %v", rule.ID, found)
		}
	}
	w.results[0].Repeats[0].Measurements[0].Value = 2e9 / 8
	if found := nicCeiling.Check(e); len(found) != 1 || !strings.Contains(found[0].Arithmetic, "against 1.00 Gb/s") {
		t.Errorf("2 Gb/s to a host with 1: %v", found)
	}
}

func TestNICSlot(t *testing.T) {
	const id = "nic-slot"
	slot := func(link *assay.Link) func(*world) {
		return func(w *world) {
			bonded(w)
			w.facts.NICs = w.facts.NICs[:2]
			for i := range w.facts.NICs {
				w.facts.NICs[i].Link = link
			}
		}
	}
	check(t, []one{
		{id, "two ports in Gen3 x8", both(wire(9.4e9), slot(limits.PCIe(8, 8))), "", ""},
		{id, "two ports in Gen2 x4", both(wire(9.4e9), slot(limits.PCIe(5, 4))), "W", "ports 10.0 Gb/s + 10.0 Gb/s = 20.0 Gb/s against 5 GT/s x 4 x 8/10 / 8 = 16.0 Gb/s: 1.25 x"},
		{id, "one port in Gen2 x4", both(wire(9.4e9), port(func(n *assay.NICFacts) { n.Link = limits.PCIe(5, 4) })), "", ""},
		{id, "one port in Gen3 x1", both(wire(7e9), port(func(n *assay.NICFacts) { n.Link = limits.PCIe(8, 1) })), "W", "1.27 x"},
		{id, "two cards in slots of their own", both(wire(9.4e9), slot(limits.PCIe(5, 4)), func(w *world) { w.facts.NICs[1].Slot = "0000:02:00.0" }), "", ""},
		{id, "no link", both(wire(9.4e9), port(func(n *assay.NICFacts) { n.Link = nil })), "-", "PCIe link of eth0"},
		{id, "no card", both(wire(9.4e9), noNICs), "-", "PCIe slot of the network card"},
		{id, "storage", only("randread"), "", ""},
	})
}

func TestNICSlotIsSaidOnceAHost(t *testing.T) {
	w := good()
	wire(7e9)(w)
	w.sent("more", 7e9)
	w.facts.NICs[0].Link = limits.PCIe(8, 1)
	if found := nicSlot.Check(w.evidence()); len(found) != 1 || found[0].Subject != "h" {
		t.Errorf("%v", found)
	}
}

func TestLACPSingleFlow(t *testing.T) {
	const id = "lacp-single-flow"
	check(t, []one{
		{id, "one stream", both(wire(9.37e9), bonded), "I", "1 stream over 2 x 10.0 Gb/s: at most 10.0 Gb/s of 20.0 Gb/s"},
		{id, "eight streams", both(wire(18e9, "streams", "8"), bonded), "", ""},
		{id, "no bond", wire(9.37e9), "", ""},
		{id, "how many streams was not said", both(wire(9.37e9, "streams", ""), bonded), "", ""},
		{id, "no interface", both(wire(9.37e9), noNICs), "-", "which interface carried it"},
	})
}

func TestBDPWindow(t *testing.T) {
	const id = "bdp-window"
	window := func(bits, cwnd, rtt float64) func(*world) {
		return both(wire(bits), metric("net.tcp.cwnd", cwnd), metric("net.tcp.rtt", rtt))
	}
	check(t, []one{
		{id, "a window over a long way", window(1.02e9, 1.28e6, 10e-3), "W", "1.02 Gb/s against 1 x 1.28 MB / 10.0 ms = 1.02 Gb/s, of a ceiling of 9.41 Gb/s"},
		{id, "four windows", both(wire(4.1e9, "streams", "4"), metric("net.tcp.cwnd", 1.28e6), metric("net.tcp.rtt", 10e-3)), "W", "4 x 1.28 MB"},
		{id, "at the line's limit", window(9.4e9, 1.2e6, 1.02e-3), "", ""},
		{id, "a window that would carry more", window(1.02e9, 1.28e6, 1e-3), "", ""},
		{id, "a round trip that grew by a queue", both(window(1.02e9, 1.28e6, 10e-3), label("wire", "min", "0.001")), "", ""},
		{id, "a round trip that did not", both(window(1.02e9, 1.28e6, 10e-3), label("wire", "min", "0.0099")), "W", ""},
		{id, "the facts' round trip goes first", both(window(1.02e9, 1.28e6, 1e-3), func(w *world) { w.facts.RTT = 10e-3 }), "W", "10.0 ms"},
		{id, "told to send less", both(wire(1.02e9, "target_bitrate", "1000000000"), metric("net.tcp.cwnd", 1.28e6), metric("net.tcp.rtt", 10e-3)), "", ""},
		{id, "no window", both(wire(1.02e9), metric("net.tcp.rtt", 10e-3)), "", ""},
		{id, "no round trip", both(wire(1.02e9), metric("net.tcp.cwnd", 1.28e6)), "-", "round-trip time"},
		{id, "no interface", both(window(1.02e9, 1.28e6, 10e-3), noNICs), "-", "which interface carried it"},
	})
}

func TestLossOfDatagrams(t *testing.T) {
	const id = "udp-loss"
	lost := func(share float64, labels ...string) func(*world) {
		return both(wire(95e6, append([]string{"protocol", "udp"}, labels...)...), metric("net.udp.loss", share))
	}
	rows := func(shares ...float64) func(*world) {
		return func(w *world) {
			for i := range w.results[0].Repeats {
				m := w.results[0].Repeats[i].Measurement("net.udp.loss")
				for at, v := range shares {
					m.Samples = append(m.Samples, assay.Sample{At: float64(at + 1), Value: v})
				}
			}
		}
	}
	check(t, []one{
		{id, "in the first second", both(lost(.018), rows(.15, 0, 0, 0, 0, 0, 0, 0, 0)), "W", "1.80 % of the datagrams lost"},
		{id, "one in seven", lost(.143), "W", "14.3 % of the datagrams lost at 95.0 Mb/s"},
		{id, "a few", lost(.002), "", ""},
		{id, "not printed", wire(95e6, "protocol", "udp"), "-", "datagrams lost"},
		{id, "over TCP there is none", both(wire(95e6), metric("net.udp.loss", .5)), "", ""},
		{id, "assay's own", both(lost(.143), func(w *world) { w.results[0].Trial.Repeats = 3 }), "", ""},
	})
}

func TestLostAtFirst(t *testing.T) {
	for _, c := range []struct {
		rows []float64
		want bool
	}{
		{[]float64{.15, 0, 0, 0, 0, 0, 0, 0, 0}, true},
		{[]float64{.15, 0, .001, 0, 0}, true},
		{[]float64{.15, .1, 0, 0, 0}, false},
		{[]float64{0, 0, 0, 0, 0}, false},
		{[]float64{.15, 0}, false},
		{nil, false},
	} {
		if got := lostAtFirst(c.rows); got != c.want {
			t.Errorf("%v: %v", c.rows, got)
		}
	}
}

func TestRetransmits(t *testing.T) {
	const id = "retransmits"
	// 9.37 Gb/s is 808,874 segments of 1,448 B per second.
	check(t, []one{
		{id, "33 of 34 in the first second, as published", both(wire(9.37e9), resent(33, 0, 0, 0, 1, 0, 0, 0, 0, 0)), "", ""},
		{id, "slow start alone", both(wire(9.37e9), resent(5000, 3000, 0, 0, 0, 0, 0, 0, 0, 0)), "", ""},
		{id, "all the time", both(wire(9.37e9), resent(200, 200, 200, 200, 200, 200, 200, 200, 200, 200)), "W", "1,600 of 6,470,994 segments after the first 2 s: 0.0247 %"},
		{id, "below the share", both(wire(9.37e9), resent(80, 80, 80, 80, 80, 80, 80, 80, 80, 80)), "", ""},
		{id, "after what was omitted", both(wire(9.37e9, "omit", "2"), resent(200, 200, 200, 200, 200, 200, 200, 200, 200, 200)), "W", "2,000 of 8,088,743 segments after what was omitted"},
		{id, "two of a slow line", both(wire(1e6), resent(0, 0, 0, 1, 0, 0, 1, 0, 0, 0)), "", ""},
		{id, "none", both(wire(9.37e9), resent(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), "", ""},
		{id, "not printed", wire(9.37e9), "", ""},
		{id, "MTU unknown, and it does not matter", both(wire(9.37e9), noNICs, resent(200, 200, 200, 200, 200, 200, 200, 200, 200, 200)), "W", ""},
		{id, "MTU unknown, and it decides", both(wire(9.37e9), noNICs, resent(40, 40, 40, 40, 40, 40, 40, 40, 40, 40)), "-", "segment size"},
		{id, "the segment size tells", both(wire(9.37e9), noNICs, metric("net.tcp.mss", 8948), resent(40, 40, 40, 40, 40, 40, 40, 40, 40, 40)), "W", "1,047,161"},
		{id, "a total that slow start explains", both(wire(9.37e9), metric("net.tcp.retransmits", 2000)), "-", "retransmits per second"},
		{id, "a total that it does not", both(wire(9.37e9), metric("net.tcp.retransmits", 20000)), "W", "20,000 of 8,088,743 segments in all"},
		{id, "a small total", both(wire(9.37e9), metric("net.tcp.retransmits", 300)), "", ""},
	})
}

// meshOf adds figures "a b" from a to b, all of one comparison.
func meshOf(comparison string, pairs ...string) func(*world) {
	return func(w *world) {
		w.results = nil
		for i, p := range pairs {
			from, to, _ := strings.Cut(p, " ")
			w.sent(fmt.Sprintf("pair-%d", i), 9.4e9, "from", from, "to", to)
			w.results[i].Trial.Comparison = comparison
		}
	}
}

func TestPairsMissing(t *testing.T) {
	const id = "pairs-missing"
	all := []string{"a b", "b a", "a c", "c a", "b c", "c b"}
	check(t, []one{
		{id, "all six", meshOf("mesh", all...), "", ""},
		{id, "three of six", meshOf("mesh", "a c", "b a", "b c"), "W", "3 of 3 x 2 = 6 directed pairs"},
		{id, "the same pair twice is one", meshOf("mesh", "a b", "a b", "b a", "a c", "c a", "b c"), "W", "5 of 3 x 2"},
		{id, "both directions in one figure", both(meshOf("mesh", "a b"), func(w *world) { label("pair-0", "direction", "both")(w) }), "", ""},
		{id, "nobody compares", meshOf("", "a c", "b a", "b c"), "", ""},
		{id, "one output", wire(9.4e9), "", ""},
		{id, "figures without names", both(meshOf("mesh", "a b"), func(w *world) { label("pair-0", "from", "")(w) }), "-", "which hosts it was measured between"},
	})
}

// A peer address belongs to the host whose prompt precedes its own output.
func TestPairsKnowHostsByTheirAddresses(t *testing.T) {
	w := good()
	meshOf("mesh", "10.0.0.1 10.0.0.3", "10.0.0.2 10.0.0.1", "10.0.0.2 10.0.0.3")(w)
	for i, host := range []string{"pivoine", "petunia", "petunia"} {
		w.results[i].Trial.Subject.Host = host
	}
	found := pairsMissing.Check(w.evidence())
	if len(found) != 1 || !strings.Contains(found[0].Message, "10.0.0.3 to pivoine") || !strings.Contains(found[0].Message, "pivoine to petunia") {
		t.Errorf("%+v", found)
	}
}

// A host of the inventory without any figure was not measured.
func TestPairsOfTheInventory(t *testing.T) {
	w := good()
	meshOf("mesh", "a b", "b a")(w)
	e := w.evidence()
	if found := pairsMissing.Check(e); len(found) != 0 {
		t.Errorf("two hosts: %v", found)
	}
	e.Inventory.Hosts = []assay.Host{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	if found := pairsMissing.Check(e); len(found) != 1 || found[0].Arithmetic != "2 of 3 x 2 = 6 directed pairs" {
		t.Errorf("with c: %v", found)
	}
}

// A clean output yields no finding.
func TestCleanNetworkIsSilent(t *testing.T) {
	w := good()
	wire(9.41e9)(w)
	resent(12, 1, 0, 0, 0, 0, 0, 0, 0, 0)(w)
	metric("net.tcp.cwnd", 1.3e6)(w)
	metric("net.tcp.rtt", 1.1e-3)(w)
	metric("net.tcp.mss", 1448)(w)
	for _, rule := range []Rule{nicCeiling, nicUnderuse, nicSlot, lacpSingleFlow, bdpWindow, retransmits, pairsMissing} {
		for _, f := range rule.Check(w.evidence()) {
			t.Errorf("%s says %s: %s%s", f.Rule, f.Severity, f.Arithmetic, f.Missing)
		}
	}
}

// The advised command measures in the same direction, from the same host.
func TestAdviceOfNetworksIsACommand(t *testing.T) {
	w := good()
	wire(4e9, "direction", "reverse", "from", "nas", "to", "pc")(w)
	f := Evidence{Inventory: w.evidence().Inventory, Results: w.results}.network()[0]
	if got, want := f.command("-P 4"), "iperf3 -c nas -t 30 -O 2 -J -R -P 4"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A flow that was too short is measured again with the same protocol, rate and
// streams.
func TestAdviceOfAShortFlow(t *testing.T) {
	for want, set := range map[string][]string{
		"iperf3 -c pc -t 30 -O 2 -J":                   {"from", "nas", "to", "pc"},
		"iperf3 -c pc -t 30 -O 2 -J -P 4":              {"from", "nas", "to", "pc", "streams", "4"},
		"iperf3 -c HOST -t 30 -O 2 -J -u -b 200000000": {"to", "", "protocol", "udp", "target_bitrate", "200000000"},
		"iperf3 -c nas -t 30 -O 2 -J -R -u -b 0 -P 2":  {"protocol", "udp", "direction", "reverse", "from", "nas", "to", "pc", "streams", "2"},
		"iperf3 -c pc -t 30 -O 2 -J --bidir -P 2":      {"bidir", "1", "direction", "forward", "from", "nas", "to", "pc", "streams", "2"},
		"iperf3 -c nas -t 30 -O 2 -J --bidir":          {"bidir", "1", "direction", "reverse", "from", "nas", "to", "pc", "role", "client"},
	} {
		w := good()
		wire(4e9, set...)(w)
		l := w.evidence().looks()[0]
		if got := l.longer(60); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
