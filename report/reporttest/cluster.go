package reporttest

import (
	"fmt"
	"slices"
	"time"

	"assay"
	"assay/analysis"
	"assay/limits"
	"assay/report"
)

var clusterHosts = []string{"pve1", "pve2", "pve3", "pve4"}

// down is a host that could not be queried, lost one that went away near the end.
const (
	down = "pve5"
	lost = "pve3"
)

// Cluster is the report on ClusterRun.
func Cluster() report.Document {
	d := report.Build(ClusterRun())
	// As with scattered repeats.
	d.Side.Outliers[len(d.Side.Outliers)-1].Likely = true
	// As for a host that answers no ping.
	d.Side.Without[0].Ways = analysis.ToHost
	// As for an uncertain cause.
	last := &d.Diagnoses[len(d.Diagnoses)-1]
	last.Rivals, last.Decides = []report.Rival{{Cause: "path-slow", Name: "the cable or ports between them", Probability: .3}}, "mtr"
	return d
}

// ClusterRun returns a run of four hosts, each with something to show: pve1 is hot, and a
// label says why; pve2 has faster memory, another system and no CPU figure; pve3 has a drive
// on USB; and pve4 has links of 1 Gb/s and less memory. The cable between pve1 and pve2 on the
// ring is bad, and traffic from pve1 to pve3 on storage goes through pve4. pve5 could not be
// queried, and pve3 went away before the path MTU of its links was probed and before all round
// trips were. Every call returns the same run.
func ClusterRun() assay.Run {
	run := assay.Run{
		ID: "20260222-120000-c1a5", Suite: "baseline", Version: "0.1.0", Status: assay.RunPartial, Seed: 42,
		Started: time.Date(2026, 2, 22, 12, 0, 0, 0, time.UTC), Elapsed: 512 * time.Second, Budget: 600 * time.Second,
		Inventory: assay.Inventory{Facts: map[string]assay.Facts{}},
	}
	for _, name := range []string{"management", "storage", "ring"} {
		n := assay.Network{Name: name, Addresses: map[string]string{}}
		for i, h := range append(slices.Clone(clusterHosts), down) {
			if name != "ring" || i < 3 {
				n.Addresses[h] = fmt.Sprintf("10.0.%d.%d", len(run.Inventory.Networks), i+1)
			}
		}
		n.Direct = name == "ring"
		run.Inventory.Networks = append(run.Inventory.Networks, n)
	}
	for i, h := range clusterHosts {
		cooling := "tower"
		if i == 0 {
			cooling = "stock"
		}
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: h, Labels: map[string]string{"cooling": cooling}})
		run.Inventory.Facts[h] = clusterFacts(h)
		run.Results = append(run.Results, clusterHost(i, h)...)
	}
	run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: down, Absent: &assay.Absence{
		Word: assay.Unknown, Why: "host pve5: cannot be reached: no answer in time", Hint: "check that the host is up"}})
	for _, from := range clusterHosts {
		for _, to := range clusterHosts {
			if from != to {
				run.Results = append(run.Results, links(from, to)...)
			}
		}
	}
	for i := range run.Results {
		lose(&run.Results[i])
	}
	run.Notes = []assay.Note{{ID: assay.NoteHostGone, Text: assay.WentAway("pve3", "the connection was lost")}}
	return run
}

// lose removes from a result what the lost host could not deliver.
func lose(r *assay.Result) {
	if r.Trial.Subject.Host != lost && r.Trial.Peer != lost {
		return
	}
	switch r.Trial.Case {
	case "path-mtu":
		r.Repeats = nil
		r.Trial.Absent = &assay.Absence{
			Word: assay.Unknown, Why: lost + " went away: host pve3: the connection was lost", Gone: lost,
			Hint: "when pve3 is back: assay run --resume 20260222-120000-c1a5"}
	case "rtt":
		r.Repeats = r.Repeats[:2]
	}
}

func clusterFacts(host string) assay.Facts {
	link, speed, ram, system := limits.PCIe(8, 4), 10e9, int64(32<<30), "Debian GNU/Linux 12 (bookworm)"
	if host == "pve2" {
		system = "Debian GNU/Linux 13 (trixie)"
	}
	if host == "pve3" {
		link = limits.USB(480)
	}
	if host == "pve4" {
		speed, ram = 1e9, 16<<30
	}
	return assay.Facts{
		Host:   host,
		OS:     assay.OSFacts{Distribution: system, Kernel: "6.8.12-8-pve", Arch: "x86_64"},
		CPU:    assay.CPUFacts{Model: "Intel(R) Core(TM) i7-8700T CPU @ 2.40GHz", Threads: 12, Cores: 6, Sockets: 1, Governor: "performance"},
		Dirs:   []assay.DirFacts{{Path: "/srv", FileSystem: "ext4", Drives: []string{"sda"}}},
		Block:  []assay.BlockDevice{{Name: "sda", Kind: "disk", Bytes: 512e9, Link: link}},
		NICs:   []assay.NICFacts{{Name: "lan", State: "up", Speed: 10e9, MTU: 1500}, {Name: "fast", State: "up", Speed: speed, MTU: 1500}},
		Memory: assay.MemoryFacts{Total: ram},
		Missing: []assay.MissingFact{
			{Fact: "dimm speed", Why: "dmidecode needs root", Hint: "run assay as root"},
		},
	}
}

// clusterHost returns one host's own measurements.
func clusterHost(i int, host string) []assay.Result {
	slow, quick, hot := 1., 1., 9+float64(i)
	switch host {
	case "pve1":
		hot = 26
	case "pve2":
		quick = 2
	case "pve3":
		slow = .01
	}
	wobble := 1 + .01*float64(i)
	cpu := result(host, assay.KindCPU, "cpu", "sysbench", "cpu-1", "CPU, 1 thread", 6, map[string]float64{"cpu.events_per_second": 1243 * wobble})
	if host == "pve2" {
		cpu.Repeats = nil
		cpu.Trial.Absent = &assay.Absence{Word: assay.Unknown, Why: "sysbench is not installed on pve2", Hint: "install sysbench on pve2"}
	}
	random := result(host, assay.KindDirectory, "/srv", "fio", "randread-4k", "4 KiB random read", 6, map[string]float64{
		"storage.read.iops": 243e3 * slow * wobble, "storage.read.bandwidth": 995e6 * slow * wobble})
	random.Trial.Settings = map[string]string{"bs": "4k", "rw": "randread"}
	sequential := result(host, assay.KindDirectory, "/srv", "fio", "seqread-1m", "1 MiB sequential read", 3, map[string]float64{
		"storage.read.iops": 3078 * slow * wobble, "storage.read.bandwidth": 3.2e9 * slow * wobble})
	sequential.Trial.Settings = map[string]string{"bs": "1m", "rw": "read"}
	return []assay.Result{
		random,
		sequential,
		cpu,
		result(host, assay.KindMemory, "memory", "sysbench", "memory-read", "memory, sequential read", 6, map[string]float64{"memory.read.bandwidth": 28.1e9 * quick * wobble}),
		result(host, assay.KindThermal, "thermal", "thermal", "soak", "temperature and clock under full CPU load", 1, map[string]float64{
			"thermal.idle": 41, "thermal.load": 41 + hot, "thermal.rise": hot}),
	}
}

// links returns the results of one direction between two hosts on each network.
func links(from, to string) []assay.Result {
	var out []assay.Result
	for i, network := range []string{"management", "storage", "ring"} {
		rate, again, rtt := 9.41e9/8, 3., 142e-6
		slow := from == "pve4" || to == "pve4"
		switch {
		case network == "storage" && slow:
			rate, again, rtt = 941e6/8, 118, 171e-6
		case network == "ring" && (from+to == "pve1pve2" || from+to == "pve2pve1"):
			rate, again = 3.1e9/8, 40211
		case network == "ring" && slow:
			continue // pve4 is not on it
		}
		subject := assay.Subject{ID: from + "/link/" + network + ":" + to, Kind: assay.KindLink, Host: from, Name: network, Peer: to, Network: network}
		where := fmt.Sprintf(", %s → %s on %s", from, to, network)
		device := map[string]string{"management": "lan"}[network]
		if device == "" {
			device = "fast"
		}
		tcp := result(from, assay.KindLink, network, "iperf3", "tcp-1", "TCP, one flow"+where, 3, map[string]float64{
			"net.tcp.throughput": rate * (1 + .002*float64(i)), "net.tcp.retransmits": again, "net.tcp.bytes": rate * 10, "net.tcp.mss": 1448})
		ping := result(from, assay.KindLink, network, "iperf3", "rtt", "round-trip time"+where, 3, map[string]float64{"net.rtt.median": rtt})
		mtu := result(from, assay.KindLink, network, "iperf3", "path-mtu", "path MTU"+where, 1, map[string]float64{"net.path_mtu": 1500})
		for _, r := range []*assay.Result{&tcp, &ping, &mtu} {
			r.Trial.ID, r.Trial.Subject, r.Trial.Peer = r.Trial.Probe+"/"+r.Trial.Case+"@"+subject.ID, subject, to
			for j := range r.Repeats {
				for k := range r.Repeats[j].Measurements {
					r.Repeats[j].Measurements[k].Labels = map[string]string{
						"interface": device, "peer_interface": device, "from": from, "to": to, "network": network, "pmtu": "1500"}
				}
			}
		}
		if from == "pve1" && to == "pve3" && network == "storage" {
			for i := range tcp.Repeats { // via the slow host, which is all that slows it
				for j := range tcp.Repeats[i].Measurements {
					m := &tcp.Repeats[i].Measurements[j]
					m.Labels["route"] = "through pve4"
					if m.Metric == "net.tcp.throughput" {
						m.Value /= 10
					}
				}
			}
		}
		if from == "pve2" && to == "pve3" && network == "management" {
			tcp.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Broke, Error: "iperf3 on pve2: no route to host", Hint: "look at the firewall of pve3"}}
		}
		out = append(out, tcp)
		if network == "storage" {
			out = append(out, ping)
		}
		if network == "management" {
			out = append(out, mtu)
		}
	}
	return out
}

// result returns a trial of n repeats that differ by a thousandth or two.
func result(host string, kind assay.SubjectKind, name, probe, which, title string, n int, metrics map[string]float64) assay.Result {
	id := host + "/" + string(kind) + "/" + name
	r := assay.Result{Trial: assay.Trial{
		ID: probe + "/" + which + "@" + id, Probe: probe, Case: which, Title: title, Repeats: n, Length: 5 * time.Second,
		Subject: assay.Subject{ID: id, Kind: kind, Host: host, Name: name},
	}}
	for i := range n {
		rep := assay.Repeat{N: i + 1, Started: time.Date(2026, 2, 22, 12, i, 0, 0, time.UTC), Elapsed: 5 * time.Second, Outcome: assay.Done}
		for metric, v := range metrics {
			m, _ := assay.Describe(metric)
			if m.Unit != assay.One {
				v = tidy(v * (1 + .001*float64(i-n/2)))
			}
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric, Value: v, Unit: m.Unit})
		}
		r.Repeats = append(r.Repeats, rep)
	}
	return r
}
