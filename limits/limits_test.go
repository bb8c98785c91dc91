package limits

import (
	"math"
	"testing"

	"assay"
)

// near is the tolerance for worked examples: their figures have three or four
// digits.
const near = 5e-4

func holds(t *testing.T, what string, l Limit, value float64, sum string) {
	t.Helper()
	if math.Abs(l.Value/value-1) > near || sum != "" && l.Sum != sum {
		t.Errorf("%s: %g, %q, missing %q; want %g, %q", what, l.Value, l.Sum, l.Missing, value, sum)
	}
}

func lacks(t *testing.T, what string, l Limit, fact string) {
	t.Helper()
	if l.Known() || l.Missing != fact {
		t.Errorf("%s: %+v, want missing %q", what, l, fact)
	}
}

// Four small hosts, published with two channels of DDR4-2667 and a Gen3 x4 drive.
func TestMemoryAndDrives(t *testing.T) {
	m := assay.MemoryFacts{Channels: 2, DIMMs: []assay.DIMM{{MTs: 2667}, {MTs: 3200}}}
	holds(t, "the slowest module counts", Memory(m), 42.672e9, "2 channels x 8 B x 2,667 MT/s")
	lacks(t, "no modules", Memory(assay.MemoryFacts{Channels: 2}), "configured speed and channels of the memory modules")

	nvme := assay.BlockDevice{Name: "nvme0n1", Link: PCIe(8, 4)}
	sata := assay.BlockDevice{Name: "sda", Link: Serial("sata", 6)}
	holds(t, "one drive", Drives([]assay.BlockDevice{nvme}), 3.938e9, "8 GT/s x 4 x 128/130 / 8")
	two := Drives([]assay.BlockDevice{sata, sata})
	holds(t, "two drives add up", two, 1.2e9, "sata 6.0 Gb/s x 8/10 = 600 MB/s + sata 6.0 Gb/s x 8/10 = 600 MB/s")
	if two.Name != "2 x SATA 6.0 Gb/s" || Drives([]assay.BlockDevice{sata, nvme}).Name != "SATA 6.0 Gb/s and PCIe Gen3 x4" {
		t.Errorf("%q", two.Name)
	}
	unknown := Drives([]assay.BlockDevice{sata, {Name: "vda", Bus: assay.BusVirtio}})
	lacks(t, "one of two is unknown", unknown, "link of vda")
	if unknown.Hint != "the disk is virtual; its link is known only to the host: measure there" {
		t.Errorf("%q", unknown.Hint)
	}
	lacks(t, "no drive", Drives(nil), "link of the drive")
}

// The shares follow from the header sizes in the standards.
func TestNetwork(t *testing.T) {
	for _, c := range []struct {
		what  string
		nic   assay.NICFacts
		share float64
	}{
		{"MTU 1500", assay.NICFacts{Speed: 10e9, MTU: 1500}, .9415},
		{"a VLAN tag", assay.NICFacts{Speed: 10e9, MTU: 1500, VLAN: true}, .9390},
		{"jumbo frames", assay.NICFacts{Speed: 10e9, MTU: 9000}, .9900},
		{"two members of a bond", assay.NICFacts{Speed: 10e9, MTU: 1500, Members: 2}, 2 * .9415},
	} {
		holds(t, c.what, NIC(c.nic), 1.25e9*c.share, "")
	}
	holds(t, "the sum", NIC(assay.NICFacts{Speed: 1e9, MTU: 1500}), 117.685e6, "1 Gb/s x 1,448/1,538 / 8")
	lacks(t, "no speed", NIC(assay.NICFacts{MTU: 1500}), "speed of the network interface")
	lacks(t, "no MTU", NIC(assay.NICFacts{Speed: 1e9}), "MTU of the network interface")
	uplink := Uplink(assay.Facts{NICs: []assay.NICFacts{
		{Speed: 1e9}, {Speed: 10e9, Members: 2, State: "up"}, {Speed: 100e9, State: "down"}, {Speed: 400e9, Virtual: true},
	}})
	holds(t, "the fastest that is up", uplink, 2.5e9, "20 Gb/s / 8")
	lacks(t, "only virtual interfaces", Uplink(assay.Facts{NICs: []assay.NICFacts{{Speed: 10e9, Virtual: true}}}), "speed of the network interface")
	if p := TCPPacket(1500, true, false); p.Payload() != 1428 || p.Frame() != 1538 {
		t.Errorf("IPv6: %g of %g", p.Payload(), p.Frame())
	}
}

func TestSlowerLines(t *testing.T) {
	for throughput, want := range map[float64]float64{
		117e6: 1e9, 11.7e6: 100e6, 1.17e9: 10e9, 2.9e9: 25e9, 60e6: 0, 200e6: 0, 5.9e9: 0, 0: 0, 126e6: 0,
	} {
		if got := LikeALine(throughput); got != want {
			t.Errorf("%g B/s is like %g bit/s, want %g", throughput, got, want)
		}
	}
}

// Three nodes with four drives each, three copies, a mesh of 100 GbE: as published
// by the maker of a hyper-converged system.
func TestPool(t *testing.T) {
	link := NIC(assay.NICFacts{Speed: 100e9, MTU: 9000})
	s := assay.StackFacts{Kind: "ceph", Nodes: 3, Drives: 12, Copies: 3, Mesh: true, Write: 3100e6, Read: 3500e6}
	write, read := Pool{Stack: s, Link: link, Write: true, Clients: 3}, Pool{Stack: s, Link: link, Clients: 3}
	holds(t, "drives, writing", write.Drives(), 12.4e9, "12 drives x 3,100 MB/s / 3 copies")
	holds(t, "drives, reading", read.Drives(), 42e9, "12 drives x 3,500 MB/s")
	holds(t, "mesh, writing", write.Network()[0], 27.845e9, "mesh 6 x 12,376 MB/s / 2.67")
	holds(t, "mesh, reading", read.Network()[0], 111.38e9, "mesh 6 x 12,376 MB/s / 0.667")
	if len(write.Network()) != 1 || len(write.Missing()) != 0 {
		t.Errorf("%v, missing %v", write.Network(), write.Missing())
	}
	// A switch instead of the mesh, and one client on a node: 2/3 of each byte
	// leaves the node, plus 2/3 of a byte of copies.
	s.Mesh = false
	one := Pool{Stack: s, Link: link, Write: true, Clients: 1}
	holds(t, "one client's link", one.Network()[1], 12.376e9/(4./3), "one client 1 x 12,376 MB/s / 1.33")
	s.Outside = true
	outside := Pool{Stack: s, Link: link, Write: true, Clients: 1}
	holds(t, "one client outside", outside.Network()[1], 12.376e9, "")
	holds(t, "nodes, clients outside", outside.Network()[0], 12.376e9, "")
	if s.Mesh = true; len(Pool{Stack: s, Link: link}.Network()) != 0 {
		t.Error("no formula has clients outside of a mesh")
	}
	// With a separate network for copies, the clients' network carries only client
	// traffic: 2/3 of what they write crosses it. What the other network can carry is
	// unknown.
	s.Mesh, s.Outside, s.Apart = false, false, true
	apart := Pool{Stack: s, Link: link, Write: true, Clients: 3}
	holds(t, "the network of the clients", apart.Network()[0], 12.376e9*3/(2./3), "3 links x 12,376 MB/s / 0.667")
	with := apart
	with.Copies = Limit{Value: 1e9, Unit: assay.BytesPerSecond}
	if got := with.Network(); len(got) != 2 || len(with.Missing()) != 0 {
		t.Errorf("%+v, %q", got, with.Missing())
	} else {
		holds(t, "the network of the copies", got[1], 3e9/2, "3 links x 1,000 MB/s / 2.00")
	}
	if got := apart.Missing(); len(got) != 1 || got[0] != "speed of the network that carries the copies" {
		t.Errorf("missing %q", got)
	}
	if got := (Pool{Write: true, Link: Limit{Missing: "speed"}}).Missing(); len(got) != 5 {
		t.Errorf("missing %q", got)
	}
}

// The bottleneck depends on the storage and its number of clients.
func TestReplicated(t *testing.T) {
	gigabit := NIC(assay.NICFacts{Speed: 1e9, MTU: 1500})
	known, missing := Replicated(assay.StackFacts{Kind: "ceph", Nodes: 3, Drives: 3, Copies: 3}, gigabit, Limit{}, true, 3)
	if len(known) != 1 || len(missing) != 1 || missing[0] != "write rate of one drive" {
		t.Fatalf("%+v, missing %q", known, missing)
	}
	holds(t, "a pool's network", known[0], 1e9/8*1448/1538*3/(8./3), "3 links x 118 MB/s / 2.67")
	if known, missing = Replicated(assay.StackFacts{Kind: "longhorn", Copies: 3, Remote: 2}, gigabit, Limit{}, true, 1); len(known) != 1 || len(missing) != 0 {
		t.Errorf("%+v, missing %q", known, missing)
	}
	if known, missing = Replicated(assay.StackFacts{Kind: "longhorn", Copies: 3, Remote: 2}, gigabit, Limit{}, true, 2); len(known) != 0 || len(missing) != 1 {
		t.Errorf("a claim has one client: %+v, missing %q", known, missing)
	}
}

// Two remote replicas on 1 GbE: 58.8 MB/s, of which 53.0 were published.
func TestRemoteCopies(t *testing.T) {
	gigabit := NIC(assay.NICFacts{Speed: 1e9, MTU: 1500})
	longhorn := assay.StackFacts{Kind: "longhorn", Copies: 3, Remote: 2}
	l := RemoteCopies(longhorn, gigabit, false)
	holds(t, "writes", l, 58.84e6, "1 Gb/s x 1,448/1,538 / 8 / 2")
	if l.Name != "1 GbE with two remote replicas" {
		t.Errorf("%q", l.Name)
	}
	holds(t, "reads", RemoteCopies(longhorn, gigabit, true), 176.5e6, "1 Gb/s x 1,448/1,538 / 8 x 3 / 2")
	lacks(t, "DRBD reads at home", RemoteCopies(assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1}, gigabit, true), "link of the drive under its replica")
	holds(t, "DRBD reads from a peer", RemoteCopies(assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 2}, gigabit, true), 117.7e6, "1 Gb/s x 1,448/1,538 / 8")
	holds(t, "DRBD writes to both peers", RemoteCopies(assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 2}, gigabit, false), 58.84e6, "1 Gb/s x 1,448/1,538 / 8 / 2")
	holds(t, "DRBD writes to each peer over a cable of its own", RemoteCopies(assay.StackFacts{Kind: "drbd", Copies: 3, Remote: 2, Mesh: true}, gigabit, false), 117.7e6, "1 Gb/s x 1,448/1,538 / 8")
	lacks(t, "DRBD, copies unknown", RemoteCopies(assay.StackFacts{Kind: "drbd", Remote: 1}, gigabit, true), "link of the drive under its replica")
	for want, s := range map[float64]assay.StackFacts{1: {Kind: "drbd", Copies: 2, Remote: 1}, 2: {Kind: "drbd", Copies: 2, Remote: 2}, 8. / 3: {Kind: "ceph", Copies: 3, Nodes: 3}, 3: {Kind: "ceph", Copies: 3, Nodes: 3, Outside: true}, 0: {Kind: "drbd", Copies: 1}} {
		if got := Crossings(s); math.Abs(got-want) > 1e-9 {
			t.Errorf("%+v: crosses %g times, want %g", s, got, want)
		}
	}
	lacks(t, "protocol A", RemoteCopies(assay.StackFacts{Kind: "drbd", Remote: 1, Protocol: "A"}, gigabit, false), "how drbd uses the network")
	lacks(t, "no remote copy is known", RemoteCopies(assay.StackFacts{Kind: "longhorn"}, gigabit, false), "replicas on other nodes")
	lacks(t, "no link", RemoteCopies(longhorn, NIC(assay.NICFacts{}), false), "speed of the network interface")
}

// 48 requests of 4 MiB at 5 ms or more: 40.3 GB/s.
func TestInFlight(t *testing.T) {
	holds(t, "in flight", InFlight(48, 4<<20, .005), 40.265e9, "48 x 4 MiB / 5.00 ms")
	lacks(t, "none in flight", InFlight(0, 4096, .001), "requests in flight")
	lacks(t, "no size", InFlight(1, 0, .001), "size of a request")
	for _, latency := range []float64{0, -1, math.NaN(), 1e-320} {
		lacks(t, "no latency", InFlight(1, 1<<40, latency), "least latency")
	}
}
