package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay"
)

// printout is a foreign run as a reader of its output returns it: one repeat,
// no watch, no plan, and only the printed labels.
type printout struct {
	id      string
	from    string
	kind    assay.SubjectKind
	host    string
	labels  map[string]string
	figures map[string]float64
	more    []assay.Measurement // figures with labels of their own
	stdout  string
	argv    []string
}

func (p printout) result() assay.Result {
	kind, name := p.kind, string(p.kind)
	if kind == "" {
		kind, name = assay.KindDirectory, "given"
	}
	var all []assay.Measurement
	for _, metric := range slices.Sorted(maps.Keys(p.figures)) {
		all = append(all, assay.Measurement{Metric: metric, Value: p.figures[metric], Labels: maps.Clone(p.labels), Line: 1})
	}
	for _, m := range p.more {
		m.Labels = with(p.labels, flat(m.Labels)...)
		all = append(all, m)
	}
	rep := assay.Repeat{N: 1, Outcome: assay.Done, Measurements: all}
	if p.stdout != "" || p.argv != nil {
		rep.Transcript.Steps = []assay.Step{{Name: "measure", Argv: p.argv, Output: assay.Output{Stdout: []byte(p.stdout)}}}
	}
	return assay.Result{
		Trial:   assay.Trial{ID: p.id, From: p.from, Probe: p.labels["tool"], Subject: assay.Subject{ID: p.host + "/" + name, Kind: kind, Host: p.host, Name: name}},
		Repeats: []assay.Repeat{rep},
	}
}

func flat(labels map[string]string) []string {
	var pairs []string
	for k, v := range labels {
		pairs = append(pairs, k, v)
	}
	return pairs
}

// told returns evidence of printouts with the same facts for every host.
func told(facts assay.Facts, all ...printout) Evidence {
	e := Evidence{Inventory: assay.Inventory{Facts: map[string]assay.Facts{}}}
	for i, p := range all {
		if p.id == "" {
			p.id = fmt.Sprintf("text:%d %s", i+1, p.labels["tool"])
		}
		e.Results = append(e.Results, p.result())
		e.Inventory.Facts[p.host] = facts
	}
	return e
}

// onDisk returns the facts of one given drive.
func onDisk(d assay.BlockDevice, fs string, ram int64) assay.Facts {
	d.Name, d.Kind = "disk", "disk"
	return assay.Facts{Memory: assay.MemoryFacts{Total: ram}, Block: []assay.BlockDevice{d},
		Dirs: []assay.DirFacts{{Path: "given", FileSystem: fs, Device: "disk", Drives: []string{"disk"}}}}
}

// fioRun is a run of fio in one direction, with everything in its text output.
func fioRun(dir string, iops, latency float64, seconds float64, labels ...string) printout {
	all := with(map[string]string{"tool": "fio", "version": "3.36", "jobs": "1", "direct": "1", "sync": "0", "size": "64G"}, labels...)
	bs, _ := parseSize(all["bs"])
	p := "storage." + dir + "."
	out := printout{labels: all, figures: map[string]float64{
		p + "iops": iops, p + "bandwidth": iops * float64(bs), p + "bytes": iops * float64(bs) * seconds, p + "ios": iops * seconds,
		p + "latency.mean": latency, p + "latency.total.mean": latency, p + "latency.max": latency * 20, "tool.duration": seconds,
	}}
	for i, percent := range []float64{1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9} {
		out.figures[assay.PercentileMetric(p, percent)] = latency * (.7 + .05*float64(i))
	}
	samples := map[string]string{"samples": fmt.Sprint(int(2*seconds) - 1)}
	device := map[string]string{"device": "nvme0n1"}
	out.more = []assay.Measurement{
		{Metric: p + "iops.stddev", Value: .03 * iops, Labels: samples},
		{Metric: p + "device.bytes", Value: 1.01 * iops * float64(bs) * seconds, Labels: device},
		{Metric: p + "device.ios", Value: 1.01 * iops * seconds, Labels: device},
		{Metric: "storage.latency_bucket.share", Value: .9997, Labels: map[string]string{"upper": "1"}},
		{Metric: "storage.latency_bucket.share", Value: .0003, Labels: map[string]string{"upper": "2"}},
	}
	return out
}

// faults returns the findings that reject or warn.
func faults(found []assay.Finding) []string {
	var ids []string
	for _, f := range found {
		if f.Severity == assay.Rejects || f.Severity == assay.Warns {
			ids = append(ids, fmt.Sprintf("%s %s: %s | %s", f.Severity, f.Rule, f.Arithmetic, f.Message))
		}
	}
	return ids
}

var nvme = assay.BlockDevice{Bus: assay.BusNVMe, Link: gen4x4, Model: "Samsung SSD 980 PRO 2TB", Bytes: 2000398934016, Rotational: is(false), PLP: is(false), WriteCache: "write back"}

// cleanRuns returns outputs of well-run tests.
func cleanRuns() map[string]Evidence {
	pool := map[string]string{"tool": "rados", "op": "write", "threads": "16", "object_size": "4194304", "size": "4194304"}
	hdd := fioRun("write", 117, 8.47e-3, 300, "engine", "libaio", "iodepth", "1", "bs", "4k", "pattern", "write", "sync", "1", "file", "/dev/sdx")
	hdd.kind = assay.KindDrive
	return map[string]Evidence{
		"NVMe, 4 KiB random reads, 32 deep, for a minute":      told(onDisk(nvme, "ext4", 32<<30), fioRun("read", 650000, 32./650000, 60, "engine", "libaio", "iodepth", "32", "bs", "4k", "pattern", "randread")),
		"the same without a single fact":                       told(assay.Facts{}, fioRun("read", 650000, 32./650000, 60, "engine", "libaio", "iodepth", "32", "bs", "4k", "pattern", "randread")),
		"a hard disk at 117 synchronous writes a second":       told(onDisk(assay.BlockDevice{Bus: assay.BusSATA, Rotational: is(true), RPM: 7200, Link: &assay.Link{Kind: "sata", Mode: "3.0 Gb/s", Ceiling: 300e6}}, "", 32<<30), hdd),
		"a row of a table about that disk":                     told(assay.Facts{}, printout{labels: map[string]string{"tool": "fio", "engine": "libaio", "bs": "4k", "iodepth": "1", "jobs": "1", "direct": "1", "sync": "1", "pattern": "write", "runtime": "60", "file": "/dev/sdx"}, figures: map[string]float64{"storage.write.iops": 117, "storage.write.bandwidth": 471 * 1024, "storage.write.latency.mean": 8.47e-3}}),
		"a row that prints .01 ms for 12.4 µs":                 told(assay.Facts{}, printout{labels: map[string]string{"tool": "fio", "engine": "libaio", "bs": "4k", "iodepth": "1", "jobs": "1", "direct": "1", "sync": "1", "pattern": "write", "runtime": "60"}, figures: map[string]float64{"storage.write.iops": 80732, "storage.write.bandwidth": 322931 * 1024, "storage.write.latency.mean": .01e-3}}),
		"a SATA SSD, large reads":                              told(onDisk(assay.BlockDevice{Bus: assay.BusSATA, Rotational: is(false), Link: &assay.Link{Kind: "sata", Mode: "6.0 Gb/s", Ceiling: 600e6}, Model: "Samsung SSD 870 EVO 500GB", Bytes: 500107862016}, "xfs", 16<<30), fioRun("read", 530, 16./530, 60, "engine", "io_uring", "iodepth", "16", "bs", "1m", "pattern", "read")),
		"four jobs of random writes":                           told(onDisk(nvme, "ext4", 32<<30), fioRun("write", 400000, 128./400000, 60, "engine", "libaio", "iodepth", "32", "jobs", "4", "bs", "4k", "pattern", "randwrite", "file", "/mnt/f")),
		"four sequential jobs, each in its part":               told(onDisk(nvme, "ext4", 32<<30), fioRun("read", 6000, 64./6000, 60, "engine", "libaio", "iodepth", "16", "jobs", "4", "bs", "1m", "pattern", "read", "file", "/mnt/f", "offset_increment", "16G")),
		"held back to 1,000 operations a second":               told(assay.Facts{}, fioRun("read", 1000, 90e-6, 60, "engine", "libaio", "iodepth", "32", "bs", "4k", "pattern", "randread", "rate_iops", "1000")),
		"rados bench with 16 threads":                          told(assay.Facts{}, printout{kind: assay.KindPool, labels: pool, figures: map[string]float64{"pool.write.bandwidth": 3958.62 * (1 << 20), "pool.write.iops": 989, "pool.write.latency.mean": .0162, "pool.write.iops.stddev": 18.33, "pool.write.bandwidth.stddev": 73.33 * (1 << 20), "pool.write.ios": 593805, "tool.duration": 600}}),
		"rados bench on slow disks":                            told(assay.Facts{}, printout{kind: assay.KindPool, labels: pool, figures: map[string]float64{"pool.write.bandwidth": 25.3 * 4 * (1 << 20), "pool.write.iops": 25, "pool.write.latency.mean": .632, "pool.write.iops.stddev": 5.2, "tool.duration": 60}}),
		"rados bench of three clients":                         told(assay.Facts{}, printout{kind: assay.KindPool, labels: with(pool, "clients", "3"), figures: map[string]float64{"pool.write.bandwidth": 6078.49 * (1 << 20), "pool.write.iops": 1518, "pool.write.latency.mean": .0316, "tool.duration": 600}}),
		"sysbench memory with a block that no cache holds":     told(assay.Facts{CPU: assay.CPUFacts{Caches: []assay.Cache{{Level: 3, Bytes: 9 << 20, Count: 1}}}, Memory: assay.MemoryFacts{Channels: 2, DIMMs: []assay.DIMM{{MTs: 2667}}}}, printout{kind: assay.KindMemory, labels: map[string]string{"tool": "sysbench", "threads": "6", "block": "67108864"}, figures: map[string]float64{"memory.read.bandwidth": 31e9, "tool.duration": 60}}),
		"sysbench cpu for two minutes":                         told(assay.Facts{CPU: assay.CPUFacts{Model: "Intel Core i5-8500T"}}, printout{kind: assay.KindCPU, labels: map[string]string{"tool": "sysbench", "threads": "6"}, figures: map[string]float64{"cpu.events_per_second": 5381, "tool.duration": 120}}),
		"dd past the cache, 64 GiB of random data":             told(onDisk(nvme, "ext4", 32<<30), printout{labels: map[string]string{"tool": "dd", "engine": "psync", "iodepth": "1", "jobs": "1", "bs": "1m", "direct": "1", "sync": "0", "source": "urandom", "pattern": "write", "size": fmt.Sprint(64 << 30)}, figures: map[string]float64{"storage.write.bandwidth": 400e6, "storage.write.bytes": 64 << 30, "tool.duration": 171.8}}),
		"a cold read with dd":                                  told(onDisk(nvme, "ext4", 8<<30), printout{labels: map[string]string{"tool": "dd", "engine": "psync", "iodepth": "1", "jobs": "1", "bs": "1m", "direct": "0", "sync": "0", "pattern": "read", "cache": "cold", "size": fmt.Sprint(64 << 30)}, figures: map[string]float64{"storage.read.bandwidth": 1.8e9, "storage.read.bytes": 64 << 30, "tool.duration": 38.2}}),
		"iperf3 for its usual ten seconds":                     told(assay.Facts{}, printout{kind: assay.KindNetwork, labels: map[string]string{"tool": "iperf3", "streams": "1"}, figures: map[string]float64{"net.tcp.throughput": 9.39e9 / 8, "tool.duration": 10}}),
		"a healthy drive":                                      told(assay.Facts{}, printout{kind: assay.KindDrive, labels: map[string]string{"tool": "smart", "model": "PC611 NVMe SK hynix 512GB", "capacity": "512110190592"}, figures: map[string]float64{"smart.passed": 1, "smart.media_errors": 0, "smart.available_spare": 1, "smart.percentage_used": .03, "smart.data_written": 12e12}}),
		"IOPS in k and MiB/s without a decimal":                told(assay.Facts{}, printout{labels: map[string]string{"tool": "fio", "bs": "4k", "direct": "1", "pattern": "randread", "runtime": "60"}, figures: map[string]float64{"storage.read.iops": 70100, "storage.read.bandwidth": 274 << 20}}),
		"22 IOPS that fio cut off from 22.9":                   told(assay.Facts{}, printout{labels: map[string]string{"tool": "fio", "bs": "1m", "direct": "1", "pattern": "read", "runtime": "60"}, figures: map[string]float64{"storage.read.iops": 22, "storage.read.bandwidth": 22.9 * (1 << 20)}}),
		"a file overwritten that somebody else had laid out":   told(assay.Facts{}, fioRun("write", 4000, 16./4000, 60, "engine", "libaio", "iodepth", "16", "bs", "4k", "pattern", "write", "file", "/mnt/f", "size", "1G"), fioRun("write", 4000, 16./4000, 90, "engine", "libaio", "iodepth", "16", "bs", "4k", "pattern", "write", "file", "/mnt/f", "size", "1G")),
		"two jobs of one output, which share the kernel's sum": shared(),
	}
}

// shared returns one output of two jobs whose kernel counters are combined.
func shared() Evidence {
	one := fioRun("read", 5000, 1./5000, 60, "engine", "psync", "iodepth", "1", "bs", "4k", "pattern", "randread", "job", "a")
	two := fioRun("read", 5000, 1./5000, 60, "engine", "psync", "iodepth", "1", "bs", "4k", "pattern", "randread", "job", "b")
	for _, p := range []*printout{&one, &two} {
		for i := range p.more {
			if strings.Contains(p.more[i].Metric, ".device.") {
				p.more[i].Value *= 2
			}
		}
		p.from = "log:7"
	}
	return told(assay.Facts{}, one, two)
}

// A rule that cries wolf on a well-run test is worse than no rule, whoever ran it.
func TestWellRunForeignOutputIsSilent(t *testing.T) {
	for name, e := range cleanRuns() {
		for _, fault := range faults(Audit(e)) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// A check that was not possible is reported once for all results, not once for
// each.
func TestForeignOutputIsNotFlooded(t *testing.T) {
	var all []printout
	for i := range 12 {
		p := fioRun("read", 5000, 1./5000, 60, "engine", "psync", "iodepth", "1", "bs", "4k", "pattern", "randread")
		p.host = []string{"pve1", "pve2", "pve3"}[i%3]
		all = append(all, p)
	}
	e := told(assay.Facts{}, all...)
	e.Give = func(rule string) string {
		return map[string]string{"pcie-ceiling": "--fact pcie=gen3x4", "pct-support": "--fact x=1"}[rule]
	}
	seen := map[string]bool{}
	for _, f := range Audit(e) {
		key := f.Rule + " " + f.Missing
		if f.Severity != assay.NotChecked || seen[key] {
			t.Errorf("%s %s is said again, of %s", f.Severity, key, f.Subject)
		}
		seen[key] = true
		if f.Subject != Everything || f.Missing == "" || f.Advice == "" {
			t.Errorf("incomplete: %+v", f)
		}
		if f.Rule == "pcie-ceiling" && (f.Advice != "give it: --fact pcie=gen3x4" || f.Missing != "link of the drive") {
			t.Errorf("does not say which fact decides it: %+v", f)
		}
	}
	if !seen["pcie-ceiling link of the drive"] || len(seen) > 10 {
		t.Errorf("%d things could not be checked: %v", len(seen), slices.Sorted(maps.Keys(seen)))
	}
}

// The audit does not ask for a fact that cannot replace what is missing.
func TestNoFactStandsInForACounter(t *testing.T) {
	for metric, missing := range map[string]string{
		"smart.percentage_used": "bytes written", "smart.data_written": "percentage used", "smart.temperature": "bytes written and percentage used",
	} {
		e := told(assay.Facts{}, printout{kind: assay.KindDrive, labels: map[string]string{"tool": "smart"}, figures: map[string]float64{metric: .5}})
		e.Give = func(string) string { return "--fact model=PM9A1" }
		said := false
		for _, f := range Audit(e) {
			if f.Rule == "endurance" {
				said = f.Missing == missing && !strings.Contains(f.Advice, "--fact")
			}
		}
		if !said {
			t.Errorf("%s alone: endurance does not say what it lacks", metric)
		}
	}
}

// A device name is not a model: a given model wins.
func TestADeviceIsNoModel(t *testing.T) {
	p := printout{from: "f:1", kind: assay.KindDrive, labels: map[string]string{"tool": "smart", "drive": "nvme0"},
		figures: map[string]float64{"smart.percentage_used": .03, "smart.data_written": 96e12}}
	missing := func(facts assay.Facts) string {
		for _, f := range Audit(told(facts, p)) {
			if f.Rule == "endurance" {
				return f.Missing
			}
		}
		return "nothing"
	}
	if got := missing(assay.Facts{}); strings.Contains(got, "rated") || !strings.Contains(got, "model of") {
		t.Errorf("without a model %s is missing", got)
	}
	given := assay.Facts{Block: []assay.BlockDevice{{Name: "given", Model: "No Such Drive"}}}
	if got := missing(given); !strings.Contains(got, "No Such Drive") {
		t.Errorf("with a model %s is missing", got)
	}
}
