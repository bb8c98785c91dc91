package workload

import (
	"fmt"
	"math/rand/v2"
	"time"

	"assay"
)

// Sick hosts of a Cluster: one receives data ten times slower than it sends, and
// one reads its drive twenty times slower.
const (
	SickInbound = "node005"
	SickDrive   = "node011"
)

// clusterRepeats is the number of repeats of each trial of a Cluster.
const clusterRepeats = 3

// line is the throughput of a 10 Gb/s link, in B/s.
const line = 9.41e9 / 8

// Cluster makes up a run of n hosts with figures for each host, and for every link
// in both directions: path MTU, round trips and TCP. Repeats scatter as on a busy
// network, and some figures have findings.
func Cluster(n int) assay.Run {
	run := assay.Run{
		ID: "cluster", Suite: "cluster", Version: "0", Started: began, Elapsed: time.Hour, Status: assay.RunDone, Seed: 1, Budget: time.Hour,
		Inventory: assay.Inventory{File: "cluster.yaml", Facts: map[string]assay.Facts{}},
	}
	network := assay.Network{Name: "storage", Addresses: map[string]string{}}
	var names []string
	for i := range n {
		name := fmt.Sprintf("node%03d", i+1)
		names = append(names, name)
		network.Addresses[name] = fmt.Sprintf("10.0.%d.%d", i/250, i%250+1)
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: name})
		run.Inventory.Facts[name] = assay.Facts{
			Host: name, CPU: assay.CPUFacts{Model: "made up", Cores: 4, Threads: 8},
			NICs: []assay.NICFacts{{Name: "eth0", State: "up", Speed: 10e9, MTU: 1500}},
		}
	}
	run.Inventory.Networks = []assay.Network{network}
	dice := rand.New(rand.NewPCG(1, 0)) //nolint:gosec // same numbers on every call
	for _, name := range names {
		run.Results = append(run.Results, ofHost(name, dice)...)
	}
	for _, from := range names {
		for _, to := range names {
			if from != to {
				run.Results = append(run.Results, ofLink(from, to, dice)...)
			}
		}
	}
	for i, r := range run.Results {
		if i%20 == 0 {
			run.Findings = append(run.Findings, assay.Finding{
				Rule: "cov", Severity: assay.Warns, Subject: r.Trial.ID, Metrics: r.Headlines(),
				Arithmetic: "coefficient of variation 7.9 % > 5 %", Message: "the repeats disagree",
			})
		}
	}
	return run
}

func ofHost(name string, dice *rand.Rand) []assay.Result {
	reads := 200e3
	if name == SickDrive {
		reads /= 20
	}
	directory := assay.Subject{ID: name + "/directory/srv", Kind: assay.KindDirectory, Host: name, Name: "srv"}
	cpu := assay.Subject{ID: name + "/cpu", Kind: assay.KindCPU, Host: name, Name: "cpu"}
	return []assay.Result{
		madeUp("fio", "randread-4k", "4 KiB random read", directory, dice, nil, map[string]float64{"storage.read.iops": reads, "storage.read.bandwidth": reads * 4096}),
		madeUp("sysbench", "cpu-1", "CPU, 1 thread", cpu, dice, nil, map[string]float64{"cpu.events_per_second": 1250}),
	}
}

func ofLink(from, to string, dice *rand.Rand) []assay.Result {
	rate := line
	if to == SickInbound {
		rate /= 10
	}
	link := assay.Subject{ID: from + "/link/storage:" + to, Kind: assay.KindLink, Host: from, Name: "storage", Peer: to, Network: "storage"}
	labels := map[string]string{"from": from, "to": to, "network": "storage", "interface": "eth0", "peer_interface": "eth0", "pmtu": "1500", "protocol": "tcp", "streams": "1"}
	where := fmt.Sprintf(", %s → %s on storage", from, to)
	return []assay.Result{
		madeUp("iperf3", "path-mtu", "path MTU"+where, link, dice, labels, map[string]float64{"net.path_mtu": 1500}),
		madeUp("iperf3", "rtt", "round-trip time"+where, link, dice, labels, map[string]float64{"net.rtt.median": 150e-6}),
		madeUp("iperf3", "tcp-1", "TCP, one flow"+where, link, dice, labels, map[string]float64{"net.tcp.throughput": rate, "net.tcp.retransmits": 20}),
	}
}

// madeUp returns the result of a trial whose repeats differ by a few per cent.
func madeUp(probe, which, title string, s assay.Subject, dice *rand.Rand, labels map[string]string, metrics map[string]float64) assay.Result {
	r := assay.Result{Trial: assay.Trial{
		ID: probe + "/" + which + "@" + s.ID, Probe: probe, Case: which, Title: title, Subject: s, Peer: s.Peer, Repeats: clusterRepeats, Length: long,
	}}
	for n := range clusterRepeats {
		rep := assay.Repeat{N: n + 1, Started: began.Add(time.Duration(n) * time.Minute), Elapsed: long, Outcome: assay.Done}
		for _, metric := range assay.Metrics {
			mean, has := metrics[metric.Name]
			if !has {
				continue
			}
			value := mean
			if metric.Name != "net.path_mtu" {
				value *= 1 + .02*dice.NormFloat64()
			}
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric.Name, Value: value, Unit: metric.Unit, Labels: labels})
		}
		r.Repeats = append(r.Repeats, rep)
	}
	return r
}
