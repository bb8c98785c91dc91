package audit

import (
	"fmt"
	"strings"
	"testing"

	"assay"
)

// published returns a row of a published table: a foreign result.
func published(comparison, host, subject string, labels map[string]string, values map[string]float64) assay.Result {
	kind := assay.KindDirectory
	for metric := range values {
		if strings.HasPrefix(metric, "cpu.") {
			kind = assay.KindCPU
		}
	}
	r := assay.Result{Trial: assay.Trial{
		ID: strings.TrimSpace(host + " " + subject + " " + labels["pattern"]), Probe: "fio", Comparison: comparison,
		Subject: assay.Subject{ID: host + "/" + string(kind) + "/" + subject, Kind: kind, Host: host, Name: subject},
	}, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done}}}
	for metric, v := range values {
		r.Repeats[0].Measurements = append(r.Repeats[0].Measurements, assay.Measurement{Metric: metric, Value: v, Labels: with(labels), Line: 1})
	}
	return r
}

// rows replaces the machine's results.
func rows(all ...assay.Result) func(*world) {
	return func(w *world) { w.results = all }
}

func fioRow(host, subject string, pairs ...string) assay.Result {
	labels := with(map[string]string{"tool": "fio", "pattern": "randread", "bs": "4k", "iodepth": "16", "jobs": "1", "engine": "libaio", "direct": "1"}, pairs...)
	return published("drives", host, subject, labels, map[string]float64{"storage.read.iops": 1000})
}

func TestUnlike(t *testing.T) {
	const id = "unlike"
	plain := fioRow("a", "x")
	check(t, []one{
		{id, "alike", rows(plain, fioRow("b", "y")), "", ""},
		{id, "another block", rows(plain, fioRow("b", "y", "bs", "1M")), "E", "block: 4.00 KiB (a x randread) against 1.00 MiB (b y randread)"},
		{id, "the same block, spelt otherwise", rows(plain, fioRow("b", "y", "bs", "4KiB")), "", ""},
		{id, "the block is what it is about", rows(fioRow("a", "x", "varies", "bs"), fioRow("b", "y", "bs", "1M", "varies", "bs")), "", ""},
		{id, "another engine", rows(plain, fioRow("b", "y", "engine", "io_uring")), "E", "engine: libaio (a x randread) against io_uring"},
		{id, "depth under a synchronous engine is none", rows(fioRow("a", "x", "engine", "psync"), fioRow("b", "y", "engine", "psync", "iodepth", "32")), "", ""},
		{id, "four jobs against one", rows(plain, fioRow("b", "y", "jobs", "4")), "E", "concurrency: 16 (a x randread) against 64 (b y randread)"},
		{id, "4 x 4 is 16 x 1", rows(plain, fioRow("b", "y", "jobs", "4", "iodepth", "4")), "", ""},
		{id, "direct", rows(plain, fioRow("b", "y", "direct", "0")), "E", "direct: 1 (a x randread) against 0"},
		{id, "only one side says it", rows(plain, fioRow("b", "y", "direct", "", "source", "zero")), "", ""},
		{id, "sync", rows(fioRow("a", "x", "sync", "1"), fioRow("b", "y", "sync", "0")), "E", "sync: each write (a x randread) against 0"},
		{id, "file system", rows(fioRow("a", "x", "fs", "ext4"), fioRow("b", "y", "fs", "zfs")), "E", "file system: ext4 (a x randread) against zfs"},
		{id, "a raw device", rows(fioRow("a", "x", "fs", "ext4"), fioRow("b", "y", "fs", "none")), "E", "target: a file (a x randread) against a raw device"},
		{id, "a file of an unknown file system", rows(fioRow("a", "x", "fs", "ext4"), fioRow("b", "y", "target", "file")), "", ""},
		{id, "payload", rows(fioRow("a", "x", "source", "zero"), fioRow("b", "y", "source", "random")), "E", "payload: zero"},
		{id, "replicas", rows(fioRow("a", "x", "replicas", "1"), fioRow("b", "y", "replicas", "3")), "E", "replicas: 1"},
		{id, "cache", rows(fioRow("a", "x", "cache", "cold"), fioRow("b", "y", "cache", "warm")), "E", "cache: cold"},
		{id, "CPU", rows(fioRow("a", "x", "cpu", "i5-8500T"), fioRow("b", "y", "cpu", "i7-8700T"), fioRow("c", "z", "cpu", "i5-8500T")), "E", "CPU: i5-8500T (a x randread, c z randread) against i7-8700T (b y randread)"},
		{id, "no comparison", func(w *world) {
			a, b := fioRow("a", "x"), fioRow("b", "y", "bs", "1M")
			a.Trial.Comparison, b.Trial.Comparison = "", ""
			w.results = []assay.Result{a, b}
		}, "", ""},
		{id, "each has both tests", rows(plain, fioRow("b", "y"), fioRow("a", "x", "bs", "1M", "pattern", "read"), fioRow("b", "y", "bs", "1M", "pattern", "read")), "", ""},
		{id, "one has a test that the other lacks", rows(plain, fioRow("b", "y"), fioRow("b", "y", "bs", "1M", "pattern", "read")), "", ""},
		{id, "reads against writes", func(w *world) {
			w.results = []assay.Result{fioRow("a", "x"), published("drives", "b", "y", with(fioRow("", "").Repeats[0].Measurements[0].Labels, "pattern", "randwrite"), map[string]float64{"storage.write.iops": 900})}
		}, "E", "direction: read (a x randread) against write (b y randwrite)"},
		{id, "reads alone against reads among writes", rows(plain, fioRow("b", "y", "pattern", "randrw")), "E", "mix: one direction alone (a x randread) against reads among writes (b y randrw)"},
		{id, "both have both", rows(plain, fioRow("b", "y"), fioRow("a", "x", "pattern", "randrw"), fioRow("b", "y", "pattern", "randrw")), "", ""},
		{id, "in flight, by the latencies", rows(
			published("drives", "a", "sd", map[string]string{"bs": "4k", "pattern": "randread", "iodepth": "16"}, map[string]float64{"storage.read.iops": 3243.7, "storage.read.latency.mean": 19.72e-3}),
			published("drives", "b", "usb", map[string]string{"bs": "4k", "pattern": "randread", "iodepth": "16"}, map[string]float64{"storage.read.iops": 1255.8, "storage.read.latency.mean": 12.72e-3}),
		), "E", "concurrency: 16.0 in flight (b usb randread) against 64.0 (a sd randread), by IOPS x latency"},
		{id, "rados clients, and it says so", rows(clientsRow("1"), clientsRow("2"), clientsRow("3")), "", ""},
		{id, "settings without figures", rows(
			published("VMs", "w", "windows", map[string]string{"pattern": "read", "engine": "windowsaio", "bs": "4k"}, map[string]float64{"tool.duration": 600}),
			published("VMs", "l", "linux", map[string]string{"pattern": "read", "engine": "psync", "bs": "4k"}, map[string]float64{"tool.duration": 600}),
		), "E", "engine: windowsaio (w windows read) against psync (l linux read)"},
		{id, "CPUs are compared as CPUs", rows(cpuRow("a", 1060, "cpu", "i5-8500T"), cpuRow("b", 1243, "cpu", "i7-8700T")), "", ""},
		{id, "all threads of 6 and of 12", rows(cpuRow("a", 5381, "threads", "6"), cpuRow("b", 11552, "threads", "12")), "E", "concurrency: 6 threads (a cpu) against 12 threads (b cpu)"},
	})
}

func clientsRow(n string) assay.Result {
	return published("clients", "pve", n+" clients", map[string]string{"tool": "rados", "threads": "16", "clients": n, "varies": "clients"},
		map[string]float64{"pool.write.bandwidth": 4e9, "pool.write.iops": 989})
}

func cpuRow(host string, v float64, pairs ...string) assay.Result {
	return published("cpus", host, "cpu", with(map[string]string{"tool": "sysbench", "threads": "1"}, pairs...), map[string]float64{"cpu.events_per_second": v})
}

// fourHosts replaces the results with those of four hosts: their CPU and four
// storage tests each.
func fourHosts(cpu [4]float64, tests map[string][4]float64) func(*world) {
	return func(w *world) {
		w.results = nil
		for i := range cpu {
			host := fmt.Sprintf("pve%d", i+1)
			if cpu[i] > 0 {
				w.results = append(w.results, cpuRow(host, cpu[i]))
			}
			for _, pattern := range []string{"randread", "randwrite", "read", "write"} {
				metric := "storage." + strings.TrimPrefix(pattern, "rand") + ".iops"
				w.results = append(w.results, published("fio", host, "nvme", map[string]string{"tool": "fio", "pattern": pattern, "bs": "4k"}, map[string]float64{metric: tests[pattern][i]}))
			}
		}
	}
}

func TestCPUFingerprint(t *testing.T) {
	const id = "cpu-fingerprint"
	drives := map[string][4]float64{
		"randread": {359, 372, 372, 427}, "randwrite": {359, 366, 351, 423},
		"read": {7659, 8441, 8506, 9538}, "write": {7045, 7667, 7609, 8780},
	}
	cpus := [4]float64{1060, 1067, 1062, 1243}
	check(t, []one{
		{id, "as published", fourHosts(cpus, drives), "W", "pve4 over the mean of 3 others: CPU 1.169; 4k randread 1.161, 4k randwrite 1.179, 4k read 1.163, 4k write 1.180"},
		{id, "drives that differ by themselves", fourHosts(cpus, map[string][4]float64{
			"randread": {359, 372, 372, 700}, "randwrite": {359, 366, 351, 300}, "read": {3400, 3500, 3450, 3500}, "write": {2000, 2900, 2700, 1500},
		}), "", ""},
		{id, "equal CPUs", fourHosts([4]float64{1060, 1067, 1062, 1065}, drives), "", ""},
		{id, "two figures are chance", fourHosts(cpus, map[string][4]float64{
			"randread": {359, 372, 372, 427}, "randwrite": {359, 366, 351, 423}, "read": {3400, 3500, 3450, 3500}, "write": {2000, 2900, 2700, 1500},
		}), "", ""},
		{id, "no CPU speeds", fourHosts([4]float64{}, drives), "-", "single-thread CPU speed"},
		{id, "one host", func(w *world) { w.results = w.results[:1] }, "", ""},
	})
}

func TestRatioRestated(t *testing.T) {
	const id = "ratio-restated"
	row := func(host string, iops, latency float64, pairs ...string) assay.Result {
		return published("drives", host, "x", with(map[string]string{"bs": "4k", "pattern": "randwrite", "iodepth": "16"}, pairs...),
			map[string]float64{"storage.write.iops": iops, "storage.write.latency.mean": latency})
	}
	sd, longhorn := row("sd", 722.7, 88.47e-3), row("longhorn", 4981.7, 12.82e-3)
	check(t, []one{
		{id, "as published", rows(sd, longhorn), "I", "4,982 / 723 a second = 6.89 x (longhorn x randwrite against sd x randwrite), 88.5 ms / 12.8 ms = 6.90 x"},
		{id, "another concurrency", rows(sd, row("usb", 214.7, 74.46e-3)), "", ""},
		{id, "depths that the settings tell apart", rows(row("a", 700, 90e-3, "jobs", "4"), row("b", 1400, 45e-3, "jobs", "2")), "", ""},
		{id, "no latency", rows(sd, published("drives", "b", "x", map[string]string{"bs": "4k", "pattern": "randwrite"}, map[string]float64{"storage.write.iops": 100})), "", ""},
		{id, "the same twice", rows(row("a", 1000, 16e-3), row("b", 1010, 15.9e-3)), "", ""},
	})
}
