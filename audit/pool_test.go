package audit

import (
	"maps"
	"testing"

	"assay"
)

const miB = 1 << 20

// ofPool is the printed result of a pool, a network or an object store.
type ofPool struct {
	labels  map[string]string
	figures map[string]float64
	argv    []string
	compare string
	on      string // a host other than h
}

// show replaces the world's results with these.
func show(all ...ofPool) func(*world) {
	return func(w *world) {
		w.results = nil
		for i, p := range all {
			host := orDefault(p.on, "h")
			r := assay.Result{Trial: assay.Trial{
				ID: string(rune('a'+i)) + "@" + host, From: "f:1", Comparison: p.compare,
				Subject: assay.Subject{ID: host + "/pool/pool", Kind: assay.KindPool, Host: host, Name: "pool"},
			}}
			rep := assay.Repeat{N: 1, Outcome: assay.Done}
			for metric, v := range p.figures {
				rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric, Value: v, Labels: maps.Clone(p.labels)})
			}
			if p.argv != nil {
				rep.Transcript.Steps = []assay.Step{{Name: "measure", Argv: p.argv}}
			}
			r.Repeats = []assay.Repeat{rep}
			w.results = append(w.results, r)
		}
	}
}

func mixedWith(base map[string]float64, more map[string]float64) map[string]float64 {
	all := maps.Clone(base)
	for k, v := range more {
		if all[k] = v; v == -1 {
			delete(all, k)
		}
	}
	return all
}

func rados(clients string, pairs ...string) map[string]string {
	return with(map[string]string{"tool": "rados", "bs": "4194304", "object_size": "4194304", "threads": "16"}, append(pairs, "clients", clients)...)
}

// The three columns of a published benchmark with one, two and three clients.
var (
	reads = []ofPool{
		{labels: rados("1"), figures: map[string]float64{"pool.read.bandwidth": 3063.95 * miB, "pool.read.iops": 765, "pool.read.iops.stddev": 26.5, "pool.read.iops.max": 844, "pool.read.iops.min": 685, "pool.read.latency.mean": .0205, "pool.read.latency.min": .0045, "pool.read.ios": 459616, "tool.duration": 600.03}},
		{labels: rados("2"), figures: map[string]float64{"pool.read.bandwidth": 6571.09 * miB, "pool.read.iops": 1641, "pool.read.iops.stddev": 24.6, "pool.read.iops.max": 1752, "pool.read.iops.min": 1487, "pool.read.latency.mean": .0191, "pool.read.latency.min": .0047, "pool.read.ios": 807521, "tool.duration": 491.63}},
		{labels: rados("3"), figures: map[string]float64{"pool.read.bandwidth": 9167.38 * miB, "pool.read.iops": 2290, "pool.read.iops.stddev": 22.05, "pool.read.iops.max": 2483, "pool.read.iops.min": 2029, "pool.read.latency.mean": .0205, "pool.read.latency.min": .005, "pool.read.ios": 911808, "tool.duration": 399.09}},
	}
	writes = []ofPool{
		{labels: rados("1", "op", "write"), figures: map[string]float64{"pool.write.bandwidth": 3958.62 * miB, "pool.write.bandwidth.stddev": 73.33 * miB, "pool.write.bandwidth.max": 4124 * miB, "pool.write.bandwidth.min": 3516 * miB, "pool.write.iops": 989, "pool.write.iops.stddev": 18.33, "pool.write.iops.max": 1031, "pool.write.iops.min": 879, "pool.write.latency.mean": .0162, "pool.write.latency.min": .0062, "pool.write.ios": 593805, "tool.duration": 600.01}},
		{labels: rados("2", "op", "write"), figures: map[string]float64{"pool.write.bandwidth": 5383.28 * miB, "pool.write.bandwidth.stddev": 58.78 * miB, "pool.write.bandwidth.max": 5708 * miB, "pool.write.bandwidth.min": 4912 * miB, "pool.write.iops": 1345, "pool.write.iops.stddev": 14.69, "pool.write.iops.max": 1427, "pool.write.iops.min": 614, "pool.write.latency.mean": .0238, "pool.write.latency.min": .0069, "pool.write.ios": 807521, "tool.duration": 600.02}},
		{labels: rados("3", "op", "write"), figures: map[string]float64{"pool.write.bandwidth": 6078.49 * miB, "pool.write.bandwidth.stddev": 50.54 * miB, "pool.write.bandwidth.max": 6504 * miB, "pool.write.bandwidth.min": 5504 * miB, "pool.write.iops": 1518, "pool.write.iops.stddev": 12.63, "pool.write.iops.max": 1626, "pool.write.iops.min": 1376, "pool.write.latency.mean": .0316, "pool.write.latency.min": .0074, "pool.write.ios": 911808, "tool.duration": 600.02}},
	}
)

// with returns a copy with changed figures; -1 removes one.
func (p ofPool) with(more map[string]float64) ofPool {
	p.figures = mixedWith(p.figures, more)
	return p
}

func (p ofPool) labelled(pairs ...string) ofPool {
	p.labels = with(p.labels, pairs...)
	return p
}

// cluster sets up three nodes with four drives each, in a mesh of 100 GbE.
func cluster(change func(f *assay.Facts)) func(*world) {
	return func(w *world) {
		w.facts.NICs = []assay.NICFacts{{Speed: 100e9, MTU: 9000}}
		w.facts.Stack = &assay.StackFacts{Kind: "ceph", Nodes: 3, Drives: 12, Copies: 3, Mesh: true, Read: 3500e6, Write: 3100e6}
		if change != nil {
			change(&w.facts)
		}
	}
}

func iperf(cpu, speed float64, pairs ...string) ofPool {
	return ofPool{labels: with(map[string]string{"tool": "iperf3"}, pairs...), figures: map[string]float64{"net.tcp.throughput": speed, "net.cpu": cpu}}
}

func nic(speed float64) func(*world) {
	return func(w *world) { w.facts.NICs = []assay.NICFacts{{Speed: speed, MTU: 1500}} }
}

func s3(clients string, throughput, latency float64, pairs ...string) ofPool {
	return ofPool{labels: with(map[string]string{"tool": "warp", "clients": clients}, pairs...),
		figures: map[string]float64{"object.get.throughput": throughput, "object.get.latency.mean": latency}}
}

func TestClientSaturated(t *testing.T) {
	const id = "client-saturated"
	check(t, []one{
		{id, "reads, as published", show(reads...), "E", "1, 2, 3 clients: 3,213, 6,890, 9,613 MB/s at 20.5, 19.1, 20.5 ms"},
		{id, "in another order", show(reads[2], reads[0], reads[1]), "E", "1, 2, 3 clients"},
		{id, "from two clients on", show(reads[0].with(map[string]float64{"pool.read.latency.mean": .01}), reads[1], reads[2]), "E", "2, 3 clients: 6,890, 9,613 MB/s"},
		{id, "writes: latency grows with the clients", show(writes...), "", ""},
		{id, "hardly more", show(reads[1], reads[2].with(map[string]float64{"pool.read.bandwidth": 7000 * miB})), "", ""},
		{id, "one client alone", show(reads[0]), "", ""},
		{id, "more in flight each", show(reads[0], reads[1].labelled("threads", "32"), reads[2].labelled("threads", "64")), "", ""},
		{id, "smaller objects", show(reads[0], reads[1].labelled("bs", "65536")), "", ""},
		{id, "two series in one", show(reads[0], reads[0], reads[1]), "", ""},
		{id, "without a latency", show(reads[0].with(map[string]float64{"pool.read.latency.mean": -1}), reads[1], reads[2].labelled("threads", "8")), "", ""},
		{id, "objects", show(s3("1", 1e9, .02, "concurrency", "8"), s3("4", 3.9e9, .0205, "concurrency", "8")), "E", "1, 4 clients: 1,000, 3,900 MB/s at 20.0, 20.5 ms"},
		{id, "objects, nobody knows how many at a time", show(s3("1", 1e9, .02), s3("4", 3.9e9, .0205)), "", ""},

		{id, "iperf3 at 99 % of a core", both(show(iperf(.99, 2e9)), nic(25e9)), "E", "99.0 % of a core against 90.0 %, at 2,000 MB/s"},
		{id, "and no interface is known", show(iperf(.99, 2e9)), "E", "99.0 % of a core"},
		{id, "a busy core at the line's limit", both(show(iperf(.99, 1.176e9)), nic(10e9)), "", ""},
		{id, "perhaps at the line's limit", show(iperf(.99, 1.176e9)), "-", "which interface carried it"},
		{id, "an idle core", both(show(iperf(.4, 2e9)), nic(25e9)), "", ""},
		{id, "no CPU printed", both(show(iperf(.99, 2e9).with(map[string]float64{"net.cpu": -1})), nic(25e9)), "", ""},
		{id, "four streams, a thread each", both(show(iperf(1.6, 2e9, "streams", "4", "version", "3.17")), nic(25e9)), "", ""},
		{id, "four busy threads", both(show(iperf(3.9, 2e9, "streams", "4", "version", "3.17")), nic(25e9)), "E", "97.5 % of 4 cores"},
		{id, "four streams on one thread", both(show(iperf(.99, 2e9, "streams", "4", "version", "3.9")), nic(25e9)), "E", "99.0 % of a core"},
		{id, "four streams, version unknown", both(show(iperf(.99, 2e9, "streams", "4")), nic(25e9)), "-", "version of iperf3"},
		{id, "more than a core, version unknown", both(show(iperf(1.5, 2e9, "streams", "4")), nic(25e9)), "", ""},
	})
}

func TestCephCeiling(t *testing.T) {
	const id = "ceph-ceiling"
	facts := func(change func(*assay.Facts)) func(*world) { return cluster(change) }
	stack := func(change func(*assay.StackFacts)) func(*world) {
		return facts(func(f *assay.Facts) { change(f.Stack) })
	}
	check(t, []one{
		{id, "reads, as published", both(show(reads[2]), cluster(nil)), "I", "9,613 MB/s against 48 x 4 MiB / 5.00 ms = 40,265 MB/s; 12 drives x 3,500 MB/s = 42,000 MB/s; mesh 6 x 12,376 MB/s / 0.667 = 111,380 MB/s: 23.9 % of the least"},
		{id, "writes, as published: 51 % of the drives", both(show(writes[2]), cluster(nil)), "", ""},
		{id, "writes, half of that", both(show(writes[2].with(map[string]float64{"pool.write.bandwidth": 3039 * miB})), cluster(nil)), "I", "12 drives x 3,100 MB/s / 3 copies = 12,400 MB/s; 48 x 4 MiB / 7.40 ms = 27,206 MB/s; mesh 6 x 12,376 MB/s / 2.67 = 27,845 MB/s"},
		{id, "more than the drives", both(show(writes[2].with(map[string]float64{"pool.write.bandwidth": 14e9})), cluster(nil)), "E", "14,000 MB/s against 12 drives x 3,100 MB/s / 3 copies = 12,400 MB/s: 1.13 x"},
		{id, "a little more than their rating", both(show(writes[2].with(map[string]float64{"pool.write.bandwidth": 12.9e9})), cluster(nil)), "", ""},
		{id, "more than in flight", both(show(reads[2].with(map[string]float64{"pool.read.latency.min": .05})), cluster(nil)), "E", "48 x 4 MiB / 50.0 ms = 4,027 MB/s: 2.39 x"},
		{id, "more than a switched 10 GbE", both(show(writes[2]), facts(func(f *assay.Facts) { f.Stack.Mesh = false; f.NICs[0] = assay.NICFacts{Speed: 10e9, MTU: 9000} })), "E", "3 links x 1,238 MB/s / 2.67 = 1,392 MB/s: 4.58 x"},
		{id, "one client above its own link", both(show(reads[0]), facts(func(f *assay.Facts) { f.Stack.Mesh = false; f.NICs[0] = assay.NICFacts{Speed: 10e9, MTU: 1500} })), "E", "one client 1 x 1,177 MB/s / 0.667 = 1,765 MB/s: 1.82 x"},
		{id, "one client outside", both(show(reads[0]), facts(func(f *assay.Facts) {
			f.Stack.Mesh, f.Stack.Outside = false, true
			f.NICs[0] = assay.NICFacts{Speed: 25e9, MTU: 1500}
		})), "E", "one client 1 x 2,942 MB/s / 1.00 = 2,942 MB/s: 1.09 x"},
		{id, "small operations are no bandwidth", both(show(reads[2].labelled("bs", "4096").with(map[string]float64{"pool.read.bandwidth": 50e6, "pool.read.latency.min": .0001})), cluster(nil)), "", ""},
		{id, "one node", both(show(writes[0].with(map[string]float64{"pool.write.bandwidth": 2000 * miB})), stack(func(s *assay.StackFacts) { s.Nodes, s.Copies, s.Mesh = 1, 1, false })), "I", "of the least"},
		{id, "copies on one node: the network is not covered", both(show(writes[2].with(map[string]float64{"pool.write.bandwidth": 1000 * miB})), stack(func(s *assay.StackFacts) { s.Nodes, s.Mesh = 1, false })), "", ""},
		{id, "a mesh of four is not covered", both(show(reads[2]), stack(func(s *assay.StackFacts) { s.Nodes = 4 })), "", ""},
		{id, "rbd", both(show(reads[0].labelled("tool", "rbd").with(map[string]float64{"pool.read.latency.min": -1, "pool.read.bandwidth": 60e9})), cluster(nil)), "E", "one client 2 x 12,376 MB/s / 0.667 = 37,127 MB/s: 1.62 x"},
		{id, "no cluster is known", show(reads[2]), "-", "number of nodes, drives and copies"},
		{id, "drives are not known", both(show(reads[2]), stack(func(s *assay.StackFacts) { s.Drives, s.Read = 0, 0 })), "-", "number of drives; read rate of one drive"},
		{id, "no interface", both(show(writes[2]), facts(func(f *assay.Facts) { f.NICs = nil })), "-", "speed of the network interface"},
		{id, "one of two interfaces", both(show(writes[2]), facts(func(f *assay.Facts) {
			f.Stack.Mesh = false
			f.NICs = []assay.NICFacts{{Speed: 1e9, MTU: 1500}, {Speed: 100e9, MTU: 9000}}
		})), "-", "which interface carried it"},
		{id, "both links of a bond", both(show(reads[1]), facts(func(f *assay.Facts) {
			f.Stack.Mesh = false
			f.NICs = []assay.NICFacts{{Speed: 10e9, MTU: 9000, Members: 2}}
		})), "", ""},
		{id, "no copies", both(show(writes[2]), stack(func(s *assay.StackFacts) { s.Copies = 0 })), "-", "copies of each byte"},
		{id, "impossible whatever else is unknown", both(show(reads[2].with(map[string]float64{"pool.read.latency.min": .05})), stack(func(s *assay.StackFacts) { s.Drives = 0 })), "E", "2.39 x"},
		{id, "storage is no pool", cluster(nil), "", ""},
	})
}

func TestReplicatedWrites(t *testing.T) {
	const id = "ceph-ceiling"
	longhorn := func(speed float64, change func(*assay.Facts), pairs ...string) func(*world) {
		return func(w *world) {
			w.only("seqwrite")
			w.set("seqwrite", write, speed)
			for i := 0; i+1 < len(pairs); i += 2 {
				w.label("seqwrite", pairs[i], pairs[i+1])
			}
			w.facts.NICs = []assay.NICFacts{{Speed: 1e9, MTU: 1500}}
			w.facts.Stack = &assay.StackFacts{Kind: "longhorn", Remote: 2}
			change(&w.facts)
		}
	}
	same := func(*assay.Facts) {}
	check(t, []one{
		{id, "two copies elsewhere, as published", longhorn(53e6, same, "job", "Longhorn"), "", ""},
		{id, "more than the wire", longhorn(80e6, same, "job", "Longhorn"), "E", "80.0 MB/s against 1 Gb/s x 1,448/1,538 / 8 / 2 = 58.8 MB/s: 1.36 x"},
		{id, "a card of the same host", longhorn(80e6, same, "job", "SD card"), "", ""},
		{id, "a claim in a pod, whatever its name", func(w *world) {
			longhorn(80e6, same, "job", "fast")(w)
			w.at("seqwrite").Trial.Subject.Tier, w.at("seqwrite").Trial.Subject.Volume = "fast", "pvc"
		}, "E", "1.36 x"},
		{id, "drbd", longhorn(130e6, func(f *assay.Facts) { f.Stack.Kind, f.Stack.Remote = "drbd", 1 }, "file", "/dev/drbd1000"), "E", "1.10 x"},
		{id, "drbd does not wait", longhorn(130e6, func(f *assay.Facts) { f.Stack.Kind, f.Stack.Protocol = "drbd", "A" }, "file", "/dev/drbd1000"), "", ""},
		{id, "drbd with two ports, and nobody knows which carries which copy", longhorn(250e6, func(f *assay.Facts) {
			f.Stack.Kind = "drbd"
			f.NICs = []assay.NICFacts{{Name: "eno1", Speed: 2.5e9, MTU: 1500}, {Name: "eno2", Speed: 2.5e9, MTU: 1500}}
		}, "file", "/dev/drbd1000"), "-", "which interface carried it"},
		{id, "drbd over a mesh", longhorn(250e6, func(f *assay.Facts) {
			f.Stack.Kind, f.Stack.Mesh = "drbd", true
			f.NICs = []assay.NICFacts{{Name: "eno1", Speed: 2.5e9, MTU: 1500}, {Name: "eno2", Speed: 2.5e9, MTU: 1500}}
		}, "file", "/dev/drbd1000"), "", ""},
		{id, "how many copies", longhorn(80e6, func(f *assay.Facts) { f.Stack.Remote = 0 }, "job", "longhorn"), "-", "replicas on other nodes"},
		{id, "which network", longhorn(80e6, func(f *assay.Facts) { f.NICs = nil }, "job", "longhorn"), "-", "speed of the network interface"},
	})
}

func TestRadosConsistency(t *testing.T) {
	const id = "rados-consistency"
	kept := func(p ofPool, op string) ofPool {
		p = p.labelled("pool", "x", "op", op)
		p.argv = []string{"rados", "bench", "-p", "x", "600", op, "--no-cleanup"}
		return p
	}
	check(t, []one{
		{id, "the least second, as published", show(writes[1]), "E", "least bandwidth 4,912 MiB/s / 4.00 MiB = 1,228 operations/s against 614 printed: 0.500 x"},
		{id, "one client", show(writes[0]), "", ""},
		{id, "three clients", show(writes[2]), "", ""},
		{id, "reads", show(reads...), "", ""},
		{id, "decimal megabytes", show(writes[0].with(map[string]float64{"pool.write.bandwidth": 3958.62e6})), "E", "3,959 MB/s against 593,805 operations x 4.00 MiB / 600 s = 4,151 MB/s: 0.954 x"},
		{id, "another run's time", show(writes[0].with(map[string]float64{"tool.duration": 300})), "E", "0.500 x"},
		{id, "three digits", show(writes[0].with(map[string]float64{"pool.write.bandwidth": 30 * miB, "pool.write.ios": 92, "tool.duration": 12.279167})), "", ""},
		{id, "a stall", show(writes[0].with(map[string]float64{"pool.write.bandwidth.min": .571429 * miB, "pool.write.iops.min": 0})), "", ""},
		{id, "small operations in large objects", show(writes[0].labelled("bs", "4096").with(map[string]float64{
			"pool.write.bandwidth": 10.4505 * miB, "pool.write.ios": 5351, "tool.duration": 2.00012, "pool.write.bandwidth.min": 10.9609 * miB, "pool.write.iops.min": 2806, "pool.write.bandwidth.max": 10.9609 * miB, "pool.write.iops.max": 2806})), "", ""},
		{id, "cut off", show(writes[0].labelled("cut", "after 2 s").with(map[string]float64{"tool.duration": 300, "pool.write.bandwidth.min": -1, "pool.write.bandwidth.max": -1})), "", ""},
		{id, "without a size", show(writes[1].labelled("bs", "", "object_size", "")), "", ""},

		{id, "read what was written", show(kept(writes[0], "write"), kept(reads[0], "seq")), "", ""},
		{id, "read more than that", show(kept(writes[0], "write").with(map[string]float64{"pool.write.ios": 296902, "tool.duration": 300}), kept(reads[0], "seq")), "E", "1,928 GB read against 1,245 GB written: 1.55 x"},
		{id, "at random, again and again", show(kept(writes[0], "write").with(map[string]float64{"pool.write.ios": 296902, "tool.duration": 300}), kept(reads[0], "rand")), "", ""},
		{id, "from another pool", show(kept(writes[0], "write").with(map[string]float64{"pool.write.ios": 296902, "tool.duration": 300}), kept(reads[0], "seq").labelled("pool", "y")), "", ""},
		{id, "the write was cleaned up", show(writes[0].labelled("pool", "x").with(map[string]float64{"pool.write.ios": 296902, "tool.duration": 300}), kept(reads[0], "seq")), "", ""},
	})
}

func TestAggMoments(t *testing.T) {
	const id = "agg-moments"
	check(t, []one{
		{id, "three clients, as published", show(writes[2]), "E", "3 clients: (6,078 - 5,504) MiB/s / 50.5 MiB/s = 11.4 sigma"},
		{id, "two clients", show(writes[1]), "E", "2 clients: (5,383 - 4,912) MiB/s / 58.8 MiB/s = 8.02 sigma"},
		{id, "operations alone", show(reads[2]), "E", "3 clients: (2,290 - 2,029) IOPS / 22.1 IOPS = 11.8 sigma"},
		{id, "one client", show(writes[0]), "", ""},
		{id, "one client that stalled", show(writes[0].with(map[string]float64{"pool.write.bandwidth.min": 0, "pool.write.iops.min": 0})), "", ""},
		{id, "one client that does not say so", show(ofPool{labels: map[string]string{"tool": "rados"}, figures: writes[1].figures}), "", ""},
		{id, "two clients that spread as they should", show(writes[1].with(map[string]float64{"pool.write.bandwidth.stddev": 103 * miB, "pool.write.iops.stddev": -1})), "", ""},
		{id, "no standard deviation", show(writes[2].with(map[string]float64{"pool.write.bandwidth.stddev": -1, "pool.write.iops.stddev": -1})), "", ""},
	})
}
