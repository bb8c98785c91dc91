package audit

import (
	"slices"
	"strings"
	"testing"

	"assay"
)

// fires is a printout and the rule that must, or must not, fire on it.
type fires struct {
	rule string
	name string
	e    Evidence
	want assay.Severity
	says string
}

func checkForeign(t *testing.T, cases []fires) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			var of []assay.Finding
			for _, f := range Audit(c.e) {
				if f.Rule == c.rule {
					of = append(of, f)
				}
				advicePasses(t, f, c.e.Inventory.Facts[""].CPU, true)
			}
			if c.want == "" {
				for _, f := range of {
					t.Errorf("must be silent, says %s: %s%s", f.Severity, f.Arithmetic, f.Missing)
				}
				return
			}
			if !slices.ContainsFunc(of, func(f assay.Finding) bool {
				return f.Severity == c.want && strings.Contains(f.Arithmetic+f.Missing+f.Message, c.says)
			}) {
				t.Errorf("want %s %q, says %+v", c.want, c.says, of)
			}
		})
	}
}

// row returns a row of a table.
func row(figures map[string]float64, labels ...string) printout {
	return printout{labels: with(map[string]string{"tool": "fio", "direct": "1", "runtime": "30"}, labels...), figures: figures}
}

// fioAlone returns an output without its command line.
func fioAlone(iops, latency float64, labels ...string) printout {
	p := row(map[string]float64{"storage.read.iops": iops, "storage.read.latency.mean": latency, "storage.read.latency.total.mean": latency, "tool.duration": 60}, append(labels, "bs", "4k", "pattern", "randread")...)
	for _, key := range []string{"runtime", "direct"} {
		delete(p.labels, key)
	}
	if p.labels["jobs"] == "" {
		p.labels["jobs"] = "1"
	}
	return p
}

// sharesOf returns a run with these options and latency buckets of these
// shares, in percent.
func sharesOf(labels []string, shares ...float64) Evidence {
	p := fioAlone(1000, 1e-3, append(labels, "engine", "psync", "iodepth", "1")...)
	for i, s := range shares {
		p.more = append(p.more, assay.Measurement{Metric: "storage.latency_bucket.share", Value: s / 100, Labels: map[string]string{"upper": string(rune('1' + i))}})
	}
	return told(assay.Facts{}, p)
}

func TestPublishedTables(t *testing.T) {
	latency := func(dir string, iops, seconds float64, labels ...string) Evidence {
		return told(assay.Facts{}, row(map[string]float64{"storage." + dir + ".iops": iops, "storage." + dir + ".latency.mean": seconds}, labels...))
	}
	sd := onDisk(assay.BlockDevice{Bus: assay.BusMMC, Link: &assay.Link{Kind: "sd", Mode: "DDR50", Ceiling: 50e6}}, "", 0)
	large := func(mbs, iops, ms float64) Evidence {
		return told(sd, row(map[string]float64{"storage.read.bandwidth": mbs * 1e6, "storage.read.iops": iops, "storage.read.latency.mean": ms / 1e3}, "bs", "1m", "iodepth", "32", "pattern", "read"))
	}
	pm9a1Facts := onDisk(assay.BlockDevice{Bus: assay.BusNVMe, Link: gen3x4, Model: pm9a1, Bytes: 512110190592}, "", 24<<30)
	smart := func(figures map[string]float64, labels ...string) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindDrive, labels: with(map[string]string{"tool": "smart"}, labels...), figures: figures})
	}
	memory := told(assay.Facts{CPU: assay.CPUFacts{Caches: []assay.Cache{{Level: 3, Bytes: 9 << 20, Count: 1}}}, Memory: assay.MemoryFacts{Channels: 2, DIMMs: []assay.DIMM{{MTs: 2667}}}},
		printout{kind: assay.KindMemory, labels: map[string]string{"tool": "sysbench", "threads": "6", "block": "1M", "total": "10GiB"}, figures: map[string]float64{"memory.read.bandwidth": 112164 * (1 << 20)}})
	cpu := func(model string) Evidence {
		return told(assay.Facts{CPU: assay.CPUFacts{Model: model}}, printout{kind: assay.KindThermal, labels: map[string]string{"duration": "20"}, figures: map[string]float64{"thermal.idle": 49, "thermal.load": 75}})
	}
	requests := func(ms float64) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindBucket, labels: map[string]string{"requests": "20", "object_size": "1024"}, figures: map[string]float64{"object.put.latency.mean": ms / 1e3}})
	}
	seconds := func(deviation, most float64) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados", "object_size": "4M"}, figures: map[string]float64{
			"pool.write.bandwidth": 998e6, "pool.write.iops": 249, "pool.write.bandwidth.stddev": deviation, "pool.write.bandwidth.max": most, "tool.duration": 600}})
	}
	vm := with(map[string]string{"tool": "fio", "engine": "psync", "bs": "4k", "jobs": "4", "pattern": "write", "direct": "1", "sync": "1", "file": "/dev/mapper/test_fio", "requested_iodepth": "32", "iodepth": "1", "runtime": "600"})
	drive := func(kib, iops float64) Evidence {
		return told(assay.Facts{}, row(map[string]float64{"storage.write.iops": iops, "storage.write.bandwidth": kib * 1024}, "bs", "4k", "iodepth", "1", "jobs", "1", "sync", "1", "pattern", "write"))
	}
	checkForeign(t, []fires{
		{"pcie-ceiling", "7,659 MiB/s over Gen3 x4", told(pm9a1Facts, row(map[string]float64{"storage.read.bandwidth": 7659 << 20}, "bs", "1m", "pattern", "read")), "E", "2.04 x"},
		{"rated-exceeded", "the same drive", told(pm9a1Facts, row(map[string]float64{"storage.read.bandwidth": 7659 << 20}, "bs", "1m", "pattern", "read")), "W", "rated 6,900 MB/s"},
		{"rated-exceeded", "named in the table alone", told(assay.Facts{}, row(map[string]float64{"storage.read.bandwidth": 7659 << 20}, "bs", "1m", "pattern", "read", "drive", "Samsung PM9A1", "capacity", "512GB")), "W", "rated 6,900 MB/s"},
		{"sd-emmc-ceiling", "44 MB/s at the slot's 50", large(44.34, 44.3, 713.22), "I", "0.887 x"},
		{"dram-ceiling", "117 GB/s of DDR4", memory, "E", "2.76 x"},
		{"mem-working-set", "1 MiB blocks", memory, "E", "6 threads x 1.00 MiB"},
		{"too-short", "10 GiB at 117 GB/s", memory, "E", "10.7 GB / 117,612 MB/s = 91.3 ms"},
		{"too-short", "20 requests of 30 ms", requests(29.79), "E", "20 requests x 29.8 ms = 596 ms"},
		{"too-short", "20 requests of 340 ms", requests(340.15), "W", "6.80 s against 30.0 s"},
		{"too-short", "30 s of fio", large(44.34, 44.3, 713.22), "", ""},
		{"turbo-window", "20 s of load", cpu("i7-8700T"), "W", "20.0 s against 3 x 28.0 s"},
		{"turbo-window", "of a processor that nobody named", cpu(""), "-", "turbo window of the processor"},
		{"turbo-window", "of another vendor's", cpu("AMD Ryzen 7 5700G"), "-", "turbo window of the processor"},
		{"smart-media", "519 media errors", smart(map[string]float64{"smart.media_errors": 519, "smart.available_spare": .96}), "E", "519 media errors"},
		{"smart-media", "spare blocks used", smart(map[string]float64{"smart.media_errors": 0, "smart.available_spare": .96}), "W", "96.0 %"},
		{"endurance", "193 TB and 26 %", smart(map[string]float64{"smart.data_written": 193e12, "smart.percentage_used": .26}, "drive", "WDC PC SN720", "capacity", "512GB", "tbw", "400TB"), "W", "38.3 % apart"},
		{"endurance", "by the table's own TBW", smart(map[string]float64{"smart.data_written": 193e12, "smart.percentage_used": .26}, "drive", "Something else", "tbw", "400TB"), "W", "193 TB of 400 TB"},
		{"endurance", "a drive that nobody named", smart(map[string]float64{"smart.data_written": 193e12, "smart.percentage_used": .26}), "-", "model of"},

		{"little", "SD card, random reads", latency("read", 3243.7, .01972, "bs", "4k", "iodepth", "16", "pattern", "randread"), "W", "the real concurrency was 64.0, not 16: there were probably 4 jobs"},
		{"little", "Longhorn, random reads", latency("read", 7477, .00854, "bs", "4k", "iodepth", "16", "pattern", "randread"), "W", "63.9"},
		{"little", "USB, random reads", latency("read", 1255.8, .01272, "bs", "4k", "iodepth", "16", "pattern", "randread"), "", ""},
		{"little", "with the jobs named", latency("read", 3243.7, .01972, "bs", "4k", "iodepth", "16", "jobs", "1", "pattern", "randread"), "E", "4.00 x"},
		{"little", "SD card, sequential", large(44.34, 44.3, 713.22), "", ""},
		{"little", "USB, sequential writes", latency("write", 12.5, 2.45446, "bs", "1m", "iodepth", "32", "pattern", "write"), "", ""},
		{"little", "too little, and no command line that says why", told(assay.Facts{}, fioAlone(8, 237e-6, "engine", "psync", "iodepth", "1")), "-", "whether a rate limit, think time or fsync held it back"},
		{"little", "too little under an engine that explains it", told(assay.Facts{}, fioAlone(9582, 103e-6, "engine", "psync", "iodepth", "1", "requested_iodepth", "16")), "E", "against 16 x 1"},
		{"little", "the tool's own time at two of three jobs", told(assay.Facts{}, fioAlone(103000, 55e-6, "engine", "posixaio", "iodepth", "2", "jobs", "3")), "", ""},
		{"little", "the two parts of a latency", told(assay.Facts{}, row(map[string]float64{"storage.read.iops": 1438, "storage.read.latency.mean": 649.07e-6, "storage.read.latency.submission.mean": 36.83e-6}, "engine", "libaio", "iodepth", "1", "jobs", "1", "bs", "4k")), "", ""},
		{"little", "no depth", latency("read", 100, .01, "bs", "4k"), "-", "queue depth"},
		{"little", "a synchronous engine that was asked for 32", told(assay.Facts{}, printout{labels: vm, figures: map[string]float64{"storage.write.iops": 4000, "storage.write.latency.mean": .001}}), "E", "4.00 in flight against 32 x 4 = 128"},
		{"bw-iops-bs", "MB for MiB", large(44.34, 44.3, 713.22), "E", "MB and MiB"},
		{"bw-iops-bs", "MB for MiB, with three digits", told(assay.Facts{}, row(map[string]float64{"storage.write.bandwidth": 12.5e6, "storage.write.iops": 12.5}, "bs", "1m", "pattern", "write")), "E", "MB and MiB"},
		{"bw-iops-bs", "the 9300's row", drive(205824, 51000), "E", "1.01 x"},
		{"bw-iops-bs", "its neighbour", drive(322931, 80732), "", ""},
		{"bw-iops-bs", "the hard disk", drive(471, 117), "", ""},
		{"bw-iops-bs", "a pool whose figures disagree", told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados", "object_size": "4194304"}, figures: map[string]float64{"pool.read.iops": 765, "pool.read.bandwidth": 3063.95e6}}), "E", "MB and MiB"},
		{"qd-capped", "psync, 32 asked for", told(assay.Facts{}, printout{labels: vm, figures: map[string]float64{"storage.write.iops": 4000}}), "E", "iodepth=32 under psync"},
		{"bw-iops-bs", "rounded, as its reader says", told(assay.Facts{}, row(map[string]float64{"storage.read.iops": 1300, "storage.read.bandwidth": 5.2 * (1 << 20)}, "bs", "4k", "rounding", "50")), "", ""},
		{"bw-iops-bs", "not rounded, as nobody says", told(assay.Facts{}, row(map[string]float64{"storage.read.iops": 1301, "storage.read.bandwidth": 5.2 * (1 << 20)}, "bs", "4k")), "E", "1.02 x"},
		{"jobs-overlap", "four of them on one device", told(assay.Facts{}, printout{labels: vm, figures: map[string]float64{"storage.write.iops": 4000}}), "I", "4 jobs of write"},
		{"jobs-overlap", "four that read one device", told(assay.Facts{}, printout{labels: with(vm, "pattern", "read"), figures: map[string]float64{"storage.read.iops": 4000}}), "W", "4 jobs of read"},
		{"jobs-overlap", "nobody names the file", told(assay.Facts{}, printout{labels: with(vm, "file", ""), figures: map[string]float64{"storage.write.iops": 4000}}), "-", "offset increment"},
		{"compressible", "rados bench writes one byte", told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados"}, figures: map[string]float64{"pool.write.bandwidth": 1e9}}), "I", "one byte repeated"},
		{"compressible", "on a pool that compresses", told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados", "compression": "aggressive"}, figures: map[string]float64{"pool.write.bandwidth": 1e9}}), "W", "compression aggressive"},
		{"compressible", "a pool that was asked, and compresses nothing", told(assay.Facts{Stack: &assay.StackFacts{Kind: "ceph", Settings: map[string]string{"pg_num": "32"}}}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados"}, figures: map[string]float64{"pool.write.bandwidth": 1e9}}), "", ""},
		{"compressible", "a pool that was asked, and compresses", told(assay.Facts{Stack: &assay.StackFacts{Kind: "ceph", Settings: map[string]string{"pg_num": "32", "compression_mode": "force"}}}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados"}, figures: map[string]float64{"pool.write.bandwidth": 1e9}}), "W", "compression force"},
		{"compressible", "reads write nothing", told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados"}, figures: map[string]float64{"pool.read.bandwidth": 1e9}}), "", ""},
		{"little", "four operations are all ends", told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados", "threads": "4"}, figures: map[string]float64{"pool.write.iops": 307, "pool.write.latency.mean": .011263, "pool.write.ios": 4}}), "", ""},
		{"little", "a pool of 16 threads that had 8 at work", told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados", "threads": "16"}, figures: map[string]float64{"pool.write.iops": 500, "pool.write.latency.mean": .016}}), "E", "8.00 in flight"},
		{"cov", "a pool that stumbles", told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados", "object_size": "4M"}, figures: map[string]float64{"pool.write.bandwidth": 1e9, "pool.write.iops": 250, "pool.write.bandwidth.stddev": 4e8, "tool.duration": 60}}), "E", "40.0 %"},
		{"cov", "ten minutes of seconds about one mean", seconds(365e6, 1956e6), "W", "36.6 %"},
		{"cov", "ten minutes at two speeds", seconds(365e6, 1456e6), "E", "36.6 %"},
		{"bucket-sum", "more than all, after a ramp perhaps", sharesOf(nil, 60.48, 40), "", ""},
		{"bucket-sum", "more than all, after a ramp", sharesOf([]string{"runtime", "60", "ramp_time", "5"}, 60.48, 40), "", ""},
		{"bucket-sum", "less than all", sharesOf(nil, 50.48, 40), "W", "90.48 %"},
		{"bucket-sum", "a rounded 100.03", sharesOf([]string{"size", "1G"}, .01, 66.85, 32.25, .46, .14, .23, .06, .02, .01), "", ""},
		{"jobs-overlap", "a command alone", told(assay.Facts{}, printout{labels: vm, figures: map[string]float64{"tool.duration": 600}}), "I", "4 jobs of write"},
		{"qd-capped", "a command alone", told(assay.Facts{}, printout{labels: vm, figures: map[string]float64{"tool.duration": 600}}), "E", "iodepth=32 under psync"},
		{"rated-exceeded", "named in the table, its size among the facts", told(onDisk(assay.BlockDevice{Model: "PM9A1", Bytes: 512e9}, "", 0), row(map[string]float64{"storage.read.bandwidth": 7659 << 20}, "bs", "1m", "pattern", "read", "drive", "Samsung PM9A1")), "W", "rated 6,900 MB/s"},
		{"rated-exceeded", "several names that nobody knows", told(assay.Facts{}, row(map[string]float64{"storage.read.bandwidth": 1e9}, "drive", "USB"), row(map[string]float64{"storage.read.bandwidth": 1e9}, "drive", "SD card")), "-", "vendor's rating of \"USB\" and of 1 more"},
		{"cache-state", "20 objects that the same script wrote", told(assay.Facts{}, printout{kind: assay.KindBucket, labels: map[string]string{"tool": "boto3", "requests": "20", "object_size": "10MB"}, figures: map[string]float64{"object.put.latency.mean": .34015, "object.get.latency.mean": .1436}}), "W", "reads of the 191 MiB that the same test had written before"},
		{"cache-state", "more objects than memory holds", told(assay.Facts{}, printout{kind: assay.KindBucket, labels: map[string]string{"tool": "warp", "requests": "200000", "object_size": "10MiB"}, figures: map[string]float64{"object.put.latency.mean": .34015, "object.get.latency.mean": .1436}}), "", ""},
		{"cache-state", "reads alone", told(assay.Facts{}, printout{kind: assay.KindBucket, labels: map[string]string{"tool": "warp", "requests": "20", "object_size": "10MiB"}, figures: map[string]float64{"object.get.latency.mean": .1436}}), "", ""},
		{"cache-state", "objects read right after they were written", told(assay.Facts{}, printout{kind: assay.KindBucket, labels: map[string]string{"cache": "not dropped"}, figures: map[string]float64{"object.get.latency.mean": .01}}), "W", "caches not dropped"},
	})
}

// linstor returns the four runs of one blog, in its order, as fio printed them.
func linstor() Evidence {
	run := func(ios, seconds, iops, mean, deviation float64, unit float64, greatest float64, percentiles map[float64]float64, deviceBytes, deviceIOs float64, labels ...string) printout {
		p := printout{labels: with(map[string]string{"tool": "fio", "version": "3.39", "engine": "psync", "pattern": "write", "bs": "4k", "jobs": "1", "iodepth": "1", "direct": "1", "sync": "0", "size": "1G", "file": "/mnt/fio/testfile", "runtime": "60"}, labels...),
			figures: map[string]float64{
				"storage.write.iops": iops, "storage.write.bandwidth": math4k(ios, seconds), "storage.write.bytes": ios * 4096, "storage.write.ios": ios,
				"storage.write.latency.mean": mean, "storage.write.latency.total.mean": mean, "storage.write.latency.max": greatest * unit, "tool.duration": seconds,
			}}
		for percent, v := range percentiles {
			p.figures[assay.PercentileMetric("storage.write.", percent)] = v * unit
		}
		p.more = []assay.Measurement{
			{Metric: "storage.write.iops.stddev", Value: deviation, Labels: map[string]string{"samples": "119"}},
			{Metric: "storage.write.device.bytes", Value: deviceBytes, Labels: map[string]string{"device": "dm-1"}},
			{Metric: "storage.write.device.ios", Value: deviceIOs, Labels: map[string]string{"device": "dm-1"}},
			{Metric: "storage.iodepth.share", Value: 1, Labels: map[string]string{"level": "1"}},
		}
		return p
	}
	return told(assay.Facts{},
		run(8280, 60.005, 137, 7.24e-3, 23.78, 1e-3, 277, syncStandard, 430144*512, 50255, "sync", "1", "layout", "allocated"),
		run(34195, 60.002, 569, 1753.14e-6, 45.31, 1e-6, 16360, asyncStandard, 274320*512, 34301, "requested_iodepth", "16"),
		run(91681, 60.001, 1527, 653.29e-6, 731.06, 1e-6, 9992, syncDisabled, 2637864*512, 421324, "sync", "1"),
		run(250199, 60.001, 4169, 238.87e-6, 187.79, 1e-6, 11142, asyncDisabled, 1999824*512, 249989, "requested_iodepth", "16"))
}

func math4k(ios, seconds float64) float64 { return ios * 4096 / seconds }

func TestPublishedRuns(t *testing.T) {
	all := linstor()
	only := func(i int) Evidence { e := linstor(); e.Results = e.Results[i : i+1]; return e }
	// The same without sectors, as printed by fio before 3.36.
	operations := only(0)
	operations.Results[0].Repeats[0].Measurements = slices.DeleteFunc(operations.Results[0].Repeats[0].Measurements, func(m assay.Measurement) bool { return strings.HasSuffix(m.Metric, "device.bytes") })
	for i, m := range operations.Results[0].Repeats[0].Measurements {
		if strings.HasSuffix(m.Metric, "device.ios") {
			operations.Results[0].Repeats[0].Measurements[i].Value, m.Labels["device"] = 33377, "sda"
		}
	}
	stats := func(direct string, bs string, own, bytes, ios, merges float64) Evidence {
		p := row(map[string]float64{"storage.read.iops": own / 60, "storage.read.bytes": bytes, "storage.read.ios": own, "tool.duration": 60}, "direct", direct, "bs", bs, "pattern", "randread", "cache", "cold")
		p.more = []assay.Measurement{{Metric: "storage.read.device.ios", Value: ios, Labels: map[string]string{"device": "vda"}}, {Metric: "storage.read.device.merges", Value: merges}}
		return told(assay.Facts{}, p)
	}
	// The kernel counted nothing in either direction at the device that fio asked about.
	uncounted := func(device, direct string, latency float64) Evidence {
		e := stats(direct, "4k", 600000, 600000*4096, 0, 0)
		e.Results[0].Repeats[0].Measurements = append(e.Results[0].Repeats[0].Measurements, assay.Measurement{Metric: "storage.read.latency.mean", Value: latency})
		for _, m := range e.Results[0].Repeats[0].Measurements {
			if m.Labels["device"] != "" {
				m.Labels["device"], m.Labels["device_counted"] = device, "nothing"
			}
		}
		return e
	}
	before := func(written string) Evidence {
		e := only(2)
		for _, m := range e.Results[0].Repeats[0].Measurements {
			m.Labels["written_before"] = written
		}
		return e
	}
	checkForeign(t, []fires{
		{"device-reconcile", "6.5 times the bytes", only(0), "W", "220 MB at dm-1 against 33.9 MB that the tool wrote: 6.49 x"},
		{"device-reconcile", "4.03 times the operations", operations, "W", "sda did 33,377 writes for 8,280 operations: 4.03 each"},
		{"device-reconcile", "as many as there were", only(1), "", ""},
		{"device-reconcile", "direct reads that never came down", stats("1", "4k", 600000, 600000*4096, 1000, 0), "E", "vda did 1,000 reads (0 merged) for 600,000 operations"},
		{"device-reconcile", "a megabyte each, cut into pieces", stats("1", "1m", 6000, 6000<<20, 12000, 0), "", ""},
		{"device-reconcile", "buffered and merged", stats("0", "4k", 600000, 600000*4096, 20000, 0), "", ""},
		{"device-reconcile", "buffered, and from memory", stats("0", "4k", 600000, 600000*4096, 12, 0), "E", "32.0 MiB at most"},
		{"device-reconcile", "NVMe multipath, counted at a path", uncounted("nvme0n1", "1", 80e-6), "-", "bytes that reached nvme0n1"},
		{"device-reconcile", "a device that always counts", uncounted("sdx", "1", 80e-6), "E", "sdx did 0 reads"},
		{"device-reconcile", "nothing counted, at the speed of memory", uncounted("nvme0n1", "0", 2e-6), "E", "never came from the device"},
		{"device-reconcile", "a table", told(assay.Facts{}, row(map[string]float64{"storage.read.iops": 100}, "bs", "4k")), "-", "bytes at the device"},
		{"little", "16 asked for, 1 in flight", only(1), "E", "in flight against 16 x 1 = 16"},
		{"little", "one at a time", only(0), "", ""},
		{"qd-capped", "psync", only(1), "E", "iodepth=16 under psync"},
		{"pct-support", "p99.99 of 8,280", only(0), "W", "p99.99 needs 29,956 operations"},
		{"pct-support", "of 250,199", only(3), "", ""},
		{"pct-order", "p99.99 = 279 and a greatest of 277", only(0), "", ""},
		{"bimodal", "two humps", only(2), "W", "p30 = 359 µs, p40 = 660 µs"},
		{"bimodal", "one hump", only(3), "", ""},
		{"extent-state", "a third was written before", all, "E", "after 37.3 % of it the blocks were new"},
		{"extent-state", "alone, nobody knows", only(2), "-", "which blocks of the file"},
		{"extent-state", "laid out for this run: all is new", only(0), "", ""},
		{"extent-state", "told", before("140062720"), "E", "after 37.3 % of it the blocks were new"},
		{"extent-state", "told that nothing was", before("0"), "", ""},
		{"extent-state", "told that all was", before("1GiB"), "", ""},
		{"cov", "47.9 per cent", only(2), "E", "731 / 1,527 = 47.9 % over 119 samples of half a second"},
		{"cov", "17 per cent, of which 12 are counting", only(0), "W", "23.8 / 137 = 17.4 % over 119 samples"},
		{"cov", "8 per cent", only(1), "", ""},
		{"too-short", "a minute", all, "", ""},
		{"file-lt-ram", "direct", all, "", ""},
		{"flush-too-fast", "nobody says what is under it", only(0), "-", "whether the drive is a spinning disk"},
	})
}

func TestPastedCopies(t *testing.T) {
	copied := func(dir, cache, source string, bandwidth, seconds float64) printout {
		labels := map[string]string{"tool": "dd", "engine": "psync", "iodepth": "1", "jobs": "1", "bs": "1m", "direct": "0", "sync": "0", "pattern": dir, "cache": cache, "source": source, "size": "1073741824", "file": "/root-tempfile"}
		if dir == "write" {
			labels["sync"] = "fdatasync"
		}
		return printout{labels: labels, figures: map[string]float64{"storage." + dir + ".bandwidth": bandwidth, "storage." + dir + ".bytes": 1 << 30, "tool.duration": seconds}}
	}
	ram := assay.Facts{Memory: assay.MemoryFacts{Total: 1928172 << 10, Available: 445024 << 10}}
	ext4 := onDisk(assay.BlockDevice{}, "ext4", 0)
	zfs := onDisk(assay.BlockDevice{}, "zfs", 0)
	remote := func(rtt, latency float64, protocol string) Evidence {
		p := fioRun("write", 1/latency, latency, 60, "engine", "psync", "iodepth", "1", "bs", "4k", "pattern", "randwrite", "sync", "1")
		return told(assay.Facts{RTT: rtt, Stack: &assay.StackFacts{Kind: "ceph", Remote: 2, Protocol: protocol}}, p)
	}
	checkForeign(t, []fires{
		{"compressible", "zeros on who knows what", told(ram, copied("write", "", "zero", 10.8e6, 99.4)), "W", "source zero on an unknown file system"},
		{"compressible", "zeros on ext4", told(ext4, copied("write", "", "zero", 10.8e6, 99.4)), "I", "ext4"},
		{"compressible", "zeros on zfs", told(zfs, copied("write", "", "zero", 10.8e6, 99.4)), "W", "zfs"},
		{"compressible", "no command line", told(ram, copied("write", "", "", 10.8e6, 99.4)), "-", "what was written"},
		{"cache-state", "a re-read of more than memory holds", told(ram, copied("read", "not dropped", "", 134e6, 8.02)), "W", "a re-read of 1.00 GiB with 435 MiB available"},
		{"cache-state", "a re-read of what memory may hold", told(assay.Facts{}, copied("read", "not dropped", "", 134e6, 8.02)), "W", "caches not dropped"},
		{"cache-state", "after a drop", told(ram, copied("read", "cold", "", 130e6, 8.23)), "", ""},
		{"cache-state", "nothing known", told(assay.Facts{}, copied("read", "", "", 130e6, 8.23)), "-", "state of the cache"},
		{"file-lt-ram", "a gibibyte and 32 of RAM", told(assay.Facts{Memory: assay.MemoryFacts{Total: 32 << 30}}, copied("read", "not dropped", "", 5e9, .21)), "E", "a file of 1.00 GiB"},
		{"file-lt-ram", "more than memory has to spare", told(ram, copied("read", "not dropped", "", 134e6, 8.02)), "", ""},
		{"file-lt-ram", "written and flushed", told(ram, copied("write", "", "zero", 10.8e6, 99.4)), "", ""},
		{"file-lt-ram", "how much RAM", told(assay.Facts{}, copied("read", "", "", 5e9, .21)), "-", "size of RAM"},
		{"too-short", "8 s of dd", told(ram, copied("read", "cold", "", 130e6, 8.23)), "W", "8.23 s against 30.0 s"},
		{"too-short", "99 s of dd", told(ram, copied("write", "", "zero", 10.8e6, 99.4)), "", ""},
		{"too-short", "a flash in the pan", told(ram, copied("read", "cold", "", 5e9, .21)), "E", "ran 210 ms"},
		{"direct-not-honoured", "on tmpfs", told(onDisk(assay.BlockDevice{}, "tmpfs", 0), fioRun("read", 500000, 1./500000, 60, "engine", "libaio", "iodepth", "1", "bs", "4k", "pattern", "randread")), "E", "direct=1 on tmpfs"},
		{"direct-not-honoured", "a table of tmpfs", told(assay.Facts{}, printout{labels: map[string]string{"fs": "tmpfs", "bs": "1m", "pattern": "write"}, figures: map[string]float64{"storage.write.bandwidth": 21e9}}), "E", "file system: tmpfs"},
		{"direct-not-honoured", "a buffered table of ext4", told(assay.Facts{}, printout{labels: map[string]string{"fs": "ext4", "direct": "0", "bs": "1m", "pattern": "write"}, figures: map[string]float64{"storage.write.bandwidth": 2e9}}), "", ""},
		{"little", "the reads of a mix", told(assay.Facts{}, printout{labels: map[string]string{"iodepth": "32", "jobs": "1", "bs": "4k", "pattern": "randrw"}, figures: map[string]float64{"storage.read.iops": 7000, "storage.read.latency.mean": 3.2e-3}}), "", ""},
		{"little", "reads alone", told(assay.Facts{}, printout{labels: map[string]string{"iodepth": "32", "jobs": "1", "bs": "4k", "pattern": "randread"}, figures: map[string]float64{"storage.read.iops": 7000, "storage.read.latency.mean": 3.2e-3}}), "-", "whether a rate limit"},
		{"direct-not-honoured", "on who knows what", told(assay.Facts{}, fioRun("read", 5000, 1./5000, 60, "engine", "libaio", "iodepth", "1", "bs", "4k", "pattern", "randread")), "-", "file system"},
		{"flush-too-fast", "acknowledged before the peer had it", remote(.2e-3, .08e-3, ""), "E", "80.0 µs against a round trip of 200 µs"},
		{"flush-too-fast", "as long as it must take", remote(.2e-3, .9e-3, ""), "", ""},
		{"flush-too-fast", "how far is the peer", remote(0, .9e-3, ""), "-", "round-trip time"},
	})
}
