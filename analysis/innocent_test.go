package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay"
)

// world generates runs of four identical hosts: figures of storage, CPU, memory and two
// networks, whose repeats are log-normal about the host's value.
type world struct {
	dice    *rand.Rand
	scatter float64                                                 // of repeats
	hosts   float64                                                 // between alike hosts
	slow    func(host, peer, metric, title, network string) float64 // divisor of a figure; 1 for none
}

func (w world) result(host, peer string, kind assay.SubjectKind, title, metric, network string, typical float64, settings map[string]string) assay.Result {
	id := title + "@" + host + "/" + string(kind) + "/" + network + ":" + peer
	r := assay.Result{Trial: assay.Trial{
		ID: id, Title: title, Repeats: 6, Settings: settings, Peer: peer,
		Subject: assay.Subject{ID: host + "/" + string(kind) + "/" + network + ":" + peer, Kind: kind, Host: host, Name: string(kind), Peer: peer, Network: network},
	}}
	if kind == assay.KindLink {
		r.Trial.Title = fmt.Sprintf("%s, %s → %s on %s", title, host, peer, network)
	}
	own := typical * math.Exp(w.hosts*w.dice.NormFloat64()) / w.slow(host, peer, metric, title, network)
	for n := range 6 {
		ms := []assay.Measurement{{Metric: metric, Value: own * math.Exp(w.scatter*w.dice.NormFloat64()), Labels: map[string]string{"bs": "4096"}}}
		if metric == "net.tcp.throughput" {
			ms = append(ms, assay.Measurement{Metric: "net.tcp.retransmits", Value: math.Floor(20 * math.Exp(1.5*w.dice.NormFloat64()))})
		}
		r.Repeats = append(r.Repeats, assay.Repeat{N: n + 1, Outcome: assay.Done, Measurements: ms})
	}
	return r
}

func (w world) run() assay.Run {
	run := assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{}}}
	all := []string{"pve1", "pve2", "pve3", "pve4"}
	for _, network := range []string{"management", "storage"} {
		n := assay.Network{Name: network, Addresses: map[string]string{}}
		for _, h := range all {
			n.Addresses[h] = h
		}
		run.Inventory.Networks = append(run.Inventory.Networks, n)
	}
	for _, h := range all {
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: h})
		run.Inventory.Facts[h] = assay.Facts{Host: h}
		run.Results = append(run.Results,
			w.result(h, "", assay.KindDirectory, "4 KiB random read", "storage.read.iops", "", 2e4, nil),
			w.result(h, "", assay.KindDirectory, "4 KiB random write", "storage.write.iops", "", 1e4, nil),
			w.result(h, "", assay.KindDirectory, "4 KiB synchronous write", "storage.write.iops", "", 1e3, map[string]string{"sync": "1"}),
			w.result(h, "", assay.KindCPU, "CPU, 1 thread", "cpu.events_per_second", "", 1e3, nil),
			w.result(h, "", assay.KindCPU, "CPU, all threads", "cpu.events_per_second", "", 8e3, nil),
			w.result(h, "", assay.KindMemory, "memory read", "memory.read.bandwidth", "", 2e10, nil))
		for _, peer := range all {
			for _, network := range []string{"management", "storage"} {
				if peer != h {
					run.Results = append(run.Results, w.result(h, peer, assay.KindLink, "TCP, one flow", "net.tcp.throughput", network, 1.1e9, nil))
				}
			}
		}
	}
	return run
}

// faultOfWorld is a fault, given by the figures that it divides.
type faultOfWorld struct {
	name string
	hits func(host, peer, metric, title, network string) bool
}

var faultsOfWorld = []faultOfWorld{
	{"drive", func(h, _, m, _, _ string) bool {
		return h == "pve3" && (m == "storage.read.iops" || m == "storage.write.iops")
	}},
	{"flushes", func(h, _, _, t, _ string) bool { return h == "pve3" && t == "4 KiB synchronous write" }},
	{"CPU", func(h, _, m, _, _ string) bool { return h == "pve3" && m == "cpu.events_per_second" }},
	{"memory", func(h, _, m, _, _ string) bool { return h == "pve3" && m == "memory.read.bandwidth" }},
	{"link", func(h, p, m, _, n string) bool {
		return (h == "pve3" || p == "pve3") && m == "net.tcp.throughput" && n == "storage"
	}},
	{"sends", func(h, _, m, _, n string) bool { return h == "pve3" && m == "net.tcp.throughput" && n == "storage" }},
}

// Nobody is accused where all hosts are alike; otherwise only the slow one is.
// doc/statistics.md has the rates.
func TestTheInnocentAreNotAccused(t *testing.T) {
	const times = 60
	dice := rand.New(rand.NewPCG(3, 4)) // #nosec G404 -- a simulation
	runs, accused := 0, 0
	for _, scatter := range []float64{.02, .1, .3} {
		w := world{dice: dice, scatter: scatter, hosts: .05, slow: func(_, _, _, _, _ string) float64 { return 1 }}
		named := 0
		for range times {
			named += len(worseOf(w))
		}
		t.Logf("no fault, repeats scatter by %.0f %%: %d named in %d runs", 100*scatter, named, times)
		runs, accused = runs+times, accused+named
		for _, f := range faultsOfWorld {
			w.slow = func(host, peer, metric, title, network string) float64 {
				if f.hits(host, peer, metric, title, network) {
					return 6
				}
				return 1
			}
			right, others := 0, 0
			for range times / 3 {
				who := worseOf(w)
				if who["pve3"] > 0 {
					right++
				}
				delete(who, "pve3")
				others += len(who)
			}
			runs, accused = runs+times/3, accused+others
			t.Logf("%s six times slower, scatter %.0f %%: found in %d of %d, others named %d", f.name, 100*scatter, right, times/3, others)
			if scatter <= .1 && right < times/3 {
				t.Errorf("%s: found in %d of %d", f.name, right, times/3)
			}
		}
	}
	if rate := float64(accused) / float64(runs); rate > .01 {
		t.Errorf("innocent hosts are accused in %.3f of the runs, want at most .01", rate)
	}
}

// worseOf counts the findings of worse figures by host or path.
func worseOf(w world) map[string]int {
	who := map[string]int{}
	for _, o := range Of(w.run()).Outliers {
		if !o.Better {
			who[o.Host]++
		}
	}
	return who
}
