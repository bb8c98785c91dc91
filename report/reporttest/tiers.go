package reporttest

import (
	"time"

	"assay"
	"assay/limits"
	"assay/report"
)

// Tiers is the report on TiersRun.
func Tiers() report.Document {
	d := report.Build(TiersRun())
	// As with three repeats.
	for _, c := range d.Tiers.Tables[0].Rows[0].Cells {
		if c.Against != nil {
			c.Against.Likely = true
		}
	}
	return d
}

// TiersRun returns a run of four storage tiers as blogs compare them: an SD card,
// a USB stick as a block device, Longhorn over 1 GbE with two remote replicas, and
// a Garage measured by two pods. Longhorn's and the card's figures are from a
// published comparison. The stick's sequential writes were measured at another
// depth, its random writes are rejected, and it has no synchronous ones; its
// random reads equal the card's. Every call returns the same run.
func TiersRun() assay.Run {
	run := assay.Run{
		ID: "20260222-120000-71e5", Suite: "tiers", Version: "0.1.0", Status: assay.RunPartial, Seed: 7,
		Started: time.Date(2026, 2, 22, 12, 0, 0, 0, time.UTC), Elapsed: 512 * time.Second, Budget: 600 * time.Second,
		Inventory: assay.Inventory{Tiers: tiers(), Facts: tierFacts()},
	}
	for _, t := range run.Inventory.Tiers {
		for _, h := range t.Hosts {
			run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: h})
		}
	}
	card := []tierLoad{
		{"seqread-1m", 90.2e6, 170e-3, 260e-3}, {"seqwrite-1m", 29.1e6, 540e-3, 1.1},
		{"randread-4k", 2510, 6.3e-3, 9.1e-3}, {"randwrite-4k", 722.7, 88.5e-3, 1.9}, {"syncwrite-4k", 61, 15.8e-3, 88e-3},
	}
	stick := []tierLoad{
		{"seqread-1m", 35.7e6, 440e-3, 610e-3}, {"seqwrite-1m", 12.2e6, 330e-3, .9},
		{"randread-4k", 2512, 6.3e-3, 9.1e-3}, {"randwrite-4k", 91e3, 170e-6, 300e-6},
	}
	longhorn := []tierLoad{
		{"seqread-1m", 93.96e6, 178e-3, 240e-3}, {"seqwrite-1m", 50.56 * (1 << 20), 300e-3, 420e-3},
		{"randread-4k", 7477, 8.5e-3, 14e-3}, {"randwrite-4k", 4981.7, 12.8e-3, 19e-3}, {"syncwrite-4k", 310, 3.1e-3, 8.2e-3},
	}
	for _, l := range card {
		run.Results = append(run.Results, l.on("sd", "sd", assay.KindDirectory, "/assay"))
	}
	for _, l := range stick {
		r := l.on("usb", "usb", assay.KindBlock, "/dev/sda")
		if l.name == "seqwrite-1m" {
			relabel(&r, "iodepth", "4")
		}
		run.Results = append(run.Results, r)
	}
	absent := tierLoad{name: "syncwrite-4k"}.on("usb", "usb", assay.KindBlock, "/dev/sda")
	absent.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Broke, Error: "fio on usb: input/output error", Hint: "look at dmesg of node1"}}
	run.Results = append(run.Results, absent)
	for _, l := range longhorn {
		r := l.on("longhorn", "longhorn", assay.KindDirectory, "/assay")
		relabel(&r, "engine", "libaio")
		if l.name == "seqwrite-1m" {
			for i := range r.Repeats {
				r.Repeats[i].Watch = holding()
			}
		}
		run.Results = append(run.Results, r)
	}
	for i, host := range []string{"garage@node1", "garage@node2"} {
		slow := 1 - .2*float64(i)
		for _, l := range []objectLoad{
			{"put-1k", "put", "1k", 410 * slow, 38e-3, 91e-3, 37e-3}, {"put-1m", "put", "1m", 17.1 * slow, .9, 1.8, .89},
			{"get-1k", "get", "1k", 1320, 11e-3, 29e-3, 10e-3}, {"get-1m", "get", "1m", 44.2 * slow, .35, .61, 92e-3},
		} {
			if l.op == "put" {
				l.median, l.worst, l.first = l.median/slow, l.worst/slow, l.first/slow
			}
			run.Results = append(run.Results, l.on("garage", host))
		}
	}
	// Nothing came back in one repeat: there is no ratio to zero. Another case
	// had time for only two repeats.
	for i := range run.Results {
		if r := &run.Results[i]; r.Trial.ID == "s3/get-1k@garage@node2/bucket/garage" {
			r.Repeats = r.Repeats[:2]
		}
		if r := &run.Results[i]; r.Trial.ID == "s3/get-1m@garage@node2/bucket/garage" {
			for j := range r.Repeats[2].Measurements {
				if m := &r.Repeats[2].Measurements[j]; m.Unit != assay.Seconds {
					m.Value = 0
				}
			}
		}
	}
	run.Findings = []assay.Finding{
		{Rule: "device-reconcile", Severity: assay.Rejects, Subject: "fio/randwrite-4k@usb/block//dev/sda",
			Metrics:    []string{"storage.write.iops", "storage.write.latency.p50", "storage.write.latency.p99"},
			Arithmetic: "the device wrote 41.0 MB where the tool wrote 11.2 GB: .00366 x", Message: "most of it never reached the device: it was memory that was measured"},
		{Rule: "cov", Severity: assay.Warns, Subject: "fio/syncwrite-4k@sd/directory//assay", Arithmetic: "5.2 / 61 = 8.5 % > 5 %", Message: "the repeats scatter more than a quiet machine's do"},
	}
	return run
}

func tiers() []assay.Tier {
	return []assay.Tier{
		{Name: "sd", Kind: "hostpath", Hosts: []string{"sd"}, Nodes: map[string]string{"sd": "node1"}, Set: map[string]string{"path": "/srv/assay"}},
		{Name: "usb", Kind: "rawblock", Hosts: []string{"usb"}, Nodes: map[string]string{"usb": "node1"}, Set: map[string]string{"device": "/dev/disk/by-id/usb-stick"}},
		{Name: "longhorn", Kind: "pvc", Hosts: []string{"longhorn"}, Nodes: map[string]string{"longhorn": "node1"}, Set: map[string]string{"class": "longhorn", "size": "10Gi"}},
		{Name: "garage", Kind: "bucket", Hosts: []string{"garage@node1", "garage@node2"},
			Nodes: map[string]string{"garage@node1": "node1", "garage@node2": "node2"}, Set: map[string]string{"endpoint": "http://garage:3900"}},
	}
}

func tierFacts() map[string]assay.Facts {
	wire := []assay.NICFacts{{Name: "eth0", State: "up", Speed: 1e9, MTU: 1500}}
	return map[string]assay.Facts{
		"sd": {Host: "sd", NICs: wire, Dirs: []assay.DirFacts{{Path: "/assay", FileSystem: "ext4", Drives: []string{"mmcblk0"}}},
			Block: []assay.BlockDevice{{Name: "mmcblk0", Path: "/dev/mmcblk0", Kind: "disk", Bytes: 64e9, Bus: assay.BusMMC, Link: limits.Card("sd", "SDR104")}}},
		"usb": {Host: "usb", NICs: wire,
			Block: []assay.BlockDevice{{Name: "sda", Path: "/dev/sda", Kind: "disk", Bytes: 32e9, Bus: assay.BusUSB, Link: limits.USB(480)}}},
		"longhorn": {Host: "longhorn", NICs: wire, Stack: &assay.StackFacts{Kind: "longhorn", Version: "1.8.1", Health: "healthy", Nodes: 3, Copies: 3, Remote: 2, Disks: []assay.StackDisk{{Name: "replica", Host: "longhorn", Devices: []string{"sdb"}}}},
			Claim: &assay.ClaimFacts{Class: "longhorn", Driver: "driver.longhorn.io", Volume: "pvc-6f1c", Locality: "best-effort", Copies: []string{"node1", "node2", "node3"}},
			Dirs:  []assay.DirFacts{{Path: "/assay", FileSystem: "ext4"}}},
		"garage@node1": {Host: "garage@node1", NICs: wire},
		"garage@node2": {Host: "garage@node2"},
	}
}

// tierLoad is one of the storage cases: its headline, median and p99.
type tierLoad struct {
	name          string
	head          float64
	median, worst float64 // s
}

var tierTitles = map[string][3]string{ // title, pattern, blocks
	"seqread-1m":   {"1 MiB sequential read", "read", "1m"},
	"seqwrite-1m":  {"1 MiB sequential write", "write", "1m"},
	"randread-4k":  {"4 KiB random read", "randread", "4k"},
	"randwrite-4k": {"4 KiB random write", "randwrite", "4k"},
	"syncwrite-4k": {"4 KiB synchronous write at depth 1", "randwrite", "4k"},
}

func (l tierLoad) on(tier, host string, kind assay.SubjectKind, path string) assay.Result {
	words, dir, figure, depth, sync := tierTitles[l.name], "read", "iops", "16", "0"
	if words[1] == "write" || words[1] == "randwrite" {
		dir = "write"
	}
	if words[2] == "1m" {
		figure = "bandwidth"
	}
	if l.name == "syncwrite-4k" {
		depth, sync = "1", "1"
	}
	stem := "storage." + dir + "."
	r := result(host, kind, path, "fio", l.name, words[0], 6, map[string]float64{
		stem + figure: l.head, stem + "latency.p50": l.median, stem + "latency.p99": l.worst, stem + "latency.min": l.median / 4})
	r.Trial.Subject.Tier, r.Scratch.Bytes = tier, 1<<30
	for key, value := range map[string]string{"engine": "io_uring", "pattern": words[1], "bs": words[2], "iodepth": depth, "jobs": "1", "direct": "1", "sync": sync} {
		relabel(&r, key, value)
	}
	return r
}

// objectLoad is one of the object cases: requests per second, latencies and the
// time to the first byte in s.
type objectLoad struct {
	name, op, size             string
	rate, median, worst, first float64
}

func (l objectLoad) on(tier, host string) assay.Result {
	title := map[string]string{"put": "PUT", "get": "GET"}[l.op] + " of 1 KiB objects"
	bytes := 1024.
	if l.size == "1m" {
		title, bytes = map[string]string{"put": "PUT", "get": "GET"}[l.op]+" of 1 MiB objects", 1<<20
	}
	stem := "object." + l.op + "."
	r := result(host, assay.KindBucket, tier, "s3", l.name, title, 6, map[string]float64{
		stem + "ops": l.rate, stem + "throughput": l.rate * bytes, stem + "latency.p50": l.median, stem + "latency.p99": l.worst,
		stem + "latency.min": l.median / 8, stem + "first_byte.mean": l.first})
	r.Trial.Subject.Tier = tier
	r.Trial.Subject.Store = &assay.ObjectStore{Name: tier, Endpoints: []string{"http://garage:3900"}}
	for key, value := range map[string]string{"object_size": l.size, "iodepth": "16", "jobs": "1"} {
		relabel(&r, key, value)
	}
	return r
}

// holding is what a host that holds data counts: three of its four CPUs, two thirds of the
// link and half of the drive's time are used, second by second.
func holding() *assay.Watch {
	w := &assay.Watch{ToolCPU: -1}
	for second := range 11 {
		s := float64(second)
		w.Ticks = append(w.Ticks, assay.Tick{At: s, CPU: assay.CPUTime{System: 3 * s, Idle: s},
			Devices: map[string]assay.DeviceCounts{"sdb": {Busy: s / 2, WriteBytes: 53e6 * int64(second)}}})
	}
	w.Before.NICs = map[string]assay.NICCounts{"eth0": {}}
	w.After.NICs = map[string]assay.NICCounts{"eth0": {TxBytes: 400e6}}
	return w
}

// relabel sets a label on every measurement.
func relabel(r *assay.Result, key, value string) {
	for i := range r.Repeats {
		for j := range r.Repeats[i].Measurements {
			m := &r.Repeats[i].Measurements[j]
			labels := map[string]string{key: value}
			for k, v := range m.Labels {
				if k != key {
					labels[k] = v
				}
			}
			m.Labels = labels
		}
	}
}
