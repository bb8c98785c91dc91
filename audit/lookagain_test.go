package audit

import (
	"strconv"
	"testing"

	"assay"
)

// Rules that combine facts of one output, none of which says anything alone.
func TestWhatStoodStill(t *testing.T) {
	job := func(mean, most float64) Evidence {
		p := fioRun("read", 1/mean, mean, 60, "bs", "4k", "iodepth", "1", "pattern", "randread")
		p.figures["storage.read.latency.max"] = most
		return told(assay.Facts{}, p)
	}
	whole := func(mean, most float64) Evidence {
		p := fioRun("write", 1/mean, 184e-9, 10, "bs", "4k", "iodepth", "1", "pattern", "randwrite")
		delete(p.figures, "storage.write.latency.total.mean")
		p.more = append(p.more, assay.Measurement{Metric: "storage.write.latency.total.mean", Value: mean, Labels: map[string]string{"max": strconv.FormatFloat(most, 'f', 4, 64)}})
		return told(assay.Facts{}, p)
	}
	pool := func(least, ran float64) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "rados"}, figures: map[string]float64{
			"pool.write.bandwidth": 100e6, "pool.write.bandwidth.min": least, "tool.duration": ran}})
	}
	objects := func(least float64) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "warp"}, figures: map[string]float64{
			"object.get.ops": 50.4, "object.get.ops.min": least, "tool.duration": 298}})
	}
	checkForeign(t, []fires{
		{"stall", "681 ms where 1.26 is the mean", job(1.26e-3, .681), "I", "the slowest took 681 ms, 540 x the mean of 1.26 ms"},
		{"stall", "88 ms where 42 µs is the mean", job(41.9e-6, 87.9e-3), "I", "2,098 x"},
		{"stall", "182 ms where 1.56 is the mean", job(1.564e-3, .1817), "I", "116 x"},
		{"stall", "140 ms where 1.56 is the mean", job(1.564e-3, .140), "", ""},
		{"stall", "an engine that works when it is handed an operation", whole(1.828e-3, 1.6294), "I", "the slowest took 1.63 s, 891 x the mean of 1.83 ms"},
		{"stall", "dd went on past errors", told(assay.Facts{}, printout{labels: map[string]string{"tool": "dd", "read_errors": "2"}, figures: map[string]float64{"storage.read.bandwidth": 67.5e6}}), "I", "2 errors of reading"},
		{"stall", "a write of 10 s", job(40e-3, 10), "I", "250 x"},
		{"stall", "a tail", job(1e-3, 40e-3), "", ""},
		{"stall", "slow throughout", job(2, 8), "", ""},
		{"stall", "a second without a byte", pool(0, 60), "I", "the slowest second did 0 MB/s of the mean of 100 MB/s: 0 %"},
		{"stall", "an even pool", pool(70e6, 60), "", ""},
		{"stall", "the first of three seconds", pool(0, 3), "", ""},
		{"stall", "objects", objects(6.99), "I", "13.9 %"},
		{"stall", "even objects", objects(45), "", ""},
	})
}

func TestMeansThatFewMake(t *testing.T) {
	job := func(mean, median float64) Evidence {
		p := fioRun("read", 1/mean, mean, 60, "bs", "4k", "iodepth", "1", "pattern", "randread")
		p.figures["storage.read.latency.p50"] = median
		return told(assay.Facts{}, p)
	}
	tail := func(mean, median, slow float64) Evidence {
		p := fioRun("read", 1/mean, mean, 60, "bs", "4k", "iodepth", "1", "pattern", "randread")
		p.figures["storage.read.latency.p50"], p.figures["storage.read.latency.p99"] = median, slow
		if median == 0 {
			delete(p.figures, "storage.read.latency.p50")
		}
		return told(assay.Facts{}, p)
	}
	database := func(stddev float64) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindDirectory, labels: map[string]string{"tool": "pgbench"}, figures: map[string]float64{
			"database.transactions": 972, "database.latency.mean": 8.218e-3, "database.latency.stddev": stddev, "tool.duration": 60}})
	}
	checkForeign(t, []fires{
		{"skewed", "ten medians", job(10.24e-3, 1.074e-3), "I", "a mean of 10.2 ms against a median of 1.07 ms: 9.53 x"},
		{"skewed", "one in forty takes twenty means", tail(302e-6, 125e-6, 6.456e-3), "I", "a mean of 302 µs against a median of 125 µs: 2.42 x"},
		{"skewed", "one in a hundred takes five", tail(302e-6, 125e-6, 1.5e-3), "", ""},
		{"skewed", "less than one in a hundred make the mean", tail(2.522e-3, 0, 9e-6), "I", "a mean of 2.52 ms against a p99 of 9.00 µs: 280 x"},
		{"skewed", "a long tail", job(2e-3, 1e-3), "", ""},
		{"skewed", "scripts of 1 and 34 ms", database(27.827e-3), "I", "a deviation of 27.8 ms against a mean of 8.22 ms: 3.39 x"},
		{"skewed", "transactions that wait for each other", database(10e-3), "", ""},
	})
}

// Flushes between writes have a distribution of their own.
func TestTwoKindsOfFlush(t *testing.T) {
	flushes := func(unit float64, deciles ...float64) Evidence {
		p := fioRun("write", 980, 18e-6, 60, "bs", "2300", "iodepth", "1", "pattern", "write", "fdatasync", "1")
		p.figures["storage.sync.latency.mean"] = 1e-3
		for i, v := range deciles {
			p.figures[assay.PercentileMetric("storage.sync.", float64(20+10*i))] = v * unit
		}
		return told(assay.Facts{}, p)
	}
	checkForeign(t, []fires{
		{"bimodal", "four of ten commit nothing", flushes(1e-6, 490, 498, 515, 1418, 1450, 1467, 1483), "I", "p40 = 515 µs, p50 = 1.42 ms: 2.75 x"},
		{"bimodal", "one kind", flushes(1e-6, 486, 537, 676, 938, 1074, 1254, 1549), "", ""},
		{"bimodal", "none that left the kernel", flushes(1e-9, 49, 50, 52, 142, 145, 147, 148), "", ""},
	})
}

func TestSamplesAndTheWhole(t *testing.T) {
	job := func(whole, own float64, samples, jobs string) Evidence {
		p := fioRun("write", whole/4096, 1e-4, 60, "bs", "4k", "iodepth", "1", "pattern", "randwrite", "jobs", jobs)
		p.more = append(p.more, assay.Measurement{Metric: "storage.write.bandwidth.stddev", Value: .03 * own, Labels: map[string]string{"samples": samples, "mean": strconv.FormatFloat(own, 'f', 0, 64)}})
		return told(assay.Facts{}, p)
	}
	slow := func(whole, own float64, samples, jobs string) Evidence {
		p := fioRun("write", whole/(1<<20), 7.24, 302, "bs", "1M", "iodepth", "32", "pattern", "write", "jobs", jobs)
		p.more = append(p.more, assay.Measurement{Metric: "storage.write.bandwidth.stddev", Value: .3 * own, Labels: map[string]string{"samples": samples, "mean": strconv.FormatFloat(own, 'f', 0, 64)}})
		return told(assay.Facts{}, p)
	}
	checkForeign(t, []fires{
		{"samples-total", "a flush at the end", job(114e6, 520.6e6, "33", "1"), "W", "the samples average 521 MB/s, the whole run 114 MB/s: 4.57 x"},
		{"samples-total", "the last job ran alone", job(1598e6, 1830e6, "73", "8"), "I", "1.15 x"},
		{"samples-total", "the mean of one of eight jobs", job(1598e6, 200e6, "73", "8"), "", ""},
		{"samples-total", "operations of seconds", slow(331e6, 29.6e6, "6610", "72"), "I", "the samples average 2,131 MB/s, the whole run 331 MB/s: 6.44 x"},
		{"samples-total", "of a number that old versions do not print", job(398e6, 2244e6, "", "1"), "W", "5.64 x"},
		{"samples-total", "the mean of one of several jobs, perhaps", job(398e6, 100e6, "", "1"), "", ""},
		{"samples-total", "alike", job(114e6, 115e6, "119", "1"), "", ""},
		{"samples-total", "three samples", job(114e6, 520e6, "3", "1"), "", ""},
	})
}

func TestHeldToALimit(t *testing.T) {
	job := func(low, high float64) Evidence {
		p := fioRun("read", 101, 9.74e-3, 60, "bs", "1M", "iodepth", "1", "pattern", "read")
		p.figures["storage.read.latency.p1"], p.figures["storage.read.latency.p99"] = low, high
		return told(assay.Facts{}, p)
	}
	net := func(protocol string, bits float64, pairs ...string) Evidence {
		labels := with(map[string]string{"tool": "iperf3", "protocol": protocol, "from": "10.0.0.1", "to": "10.0.0.2"}, pairs...)
		return told(assay.Facts{}, printout{kind: assay.KindLink, labels: labels, figures: map[string]float64{"net." + protocol + ".throughput": bits / 8, "tool.duration": 15, "net.udp.loss": 0}})
	}
	yabs := func(iops ...float64) Evidence {
		var all []printout
		for i, size := range []string{"4096", "65536", "524288", "1048576"} {
			bytes, _ := parseSize(size)
			p := printout{from: "review.txt:1", labels: map[string]string{"tool": "yabs", "bs": size, "pattern": "randrw", "job": size}, figures: map[string]float64{}}
			for _, dir := range []string{"read", "write"} {
				p.figures["storage."+dir+".iops"], p.figures["storage."+dir+".bandwidth"] = iops[i]/2, iops[i]/2*float64(bytes)
			}
			all = append(all, p)
		}
		return told(assay.Facts{}, all...)
	}
	pool := func(written, read float64, sizes ...string) Evidence {
		row := func(op, from string, v float64, size string) printout {
			return printout{kind: assay.KindPool, from: from, labels: map[string]string{"tool": "rados", "op": op, "bs": size}, figures: map[string]float64{"pool." + op + ".bandwidth": v}}
		}
		return told(assay.Facts{}, row("write", "a.txt:1", written, sizes[0]), row("read", "a.txt:22", read, sizes[1]))
	}
	checkForeign(t, []fires{
		{"rate-limited", "a pool both ways", pool(139.666e6, 139.772e6, "4194304", "4194304"), "I", "140 MB/s read, 140 MB/s written: 1.00 x"},
		{"rate-limited", "a pool whose reads are faster", pool(107e6, 172e6, "4194304", "4194304"), "", ""},
		{"rate-limited", "a pool with other sizes", pool(139.666e6, 139.772e6, "4194304", "4096"), "", ""},
		{"rate-limited", "102 MiB/s in even steps", job(9.503e-3, 10.421e-3), "I", "p1 = 9.50 ms, p99 = 10.4 ms: 1.10 x"},
		{"rate-limited", "a disk", job(6e-3, 20e-3), "", ""},
		{"rate-limited", "a memory", job(19e-6, 20e-6), "", ""},
		{"rate-limited", "what -b allows", net("tcp", 1.99e9, "streams", "2", "target_bitrate", "1000000000"), "I", "1.99 Gb/s of the 2 x 1.00 Gb/s that it was told to send: 99.5 %"},
		{"rate-limited", "less than -b allows", net("tcp", .9e9, "streams", "1", "target_bitrate", "1000000000"), "", ""},
		{"rate-limited", "UDP as it is by itself", net("udp", 1.04e6), "I", "1.04 Mb/s of the 1 x 1.05 Mb/s"},
		{"rate-limited", "TCP without a limit", net("tcp", 1.04e6), "", ""},
		{"rate-limited", "6,200 a second at 4 and at 64 KiB", yabs(6250, 6284, 1778, 992), "I", "6,250 IOPS at 4.00 KiB and 6,284 at 64.0 KiB: 0.995 x"},
		{"rate-limited", "204 MB/s from 64 KiB on", yabs(24300, 3110, 389, 194.6), "I", "from 64 KiB on 204 MB/s to 204 MB/s: 1.00 x"},
		{"rate-limited", "larger blocks, slower", yabs(194500, 37500, 1600, 1012), "I", "839 MB/s in blocks of 512 KiB, 2,458 MB/s of 64.0 KiB: 0.341 x"},
		{"rate-limited", "a drive", yabs(190000, 56000, 8000, 3900), "", ""},
	})
}

func TestNothingWasFlushed(t *testing.T) {
	dd := func(size string, ram int64, labels ...string) Evidence {
		bytes, _ := parseSize(size)
		all := with(map[string]string{"tool": "dd", "direct": "0", "sync": "0", "size": size, "bs": "1M", "pattern": "write", "file": "/data/f"}, labels...)
		return told(assay.Facts{Memory: assay.MemoryFacts{Total: ram}}, printout{labels: all, figures: map[string]float64{
			"storage.write.bandwidth": 400e6, "storage.write.bytes": float64(bytes), "tool.duration": float64(bytes) / 400e6}})
	}
	unknown := dd("1048576000", 0)
	for i := range unknown.Results[0].Repeats[0].Measurements {
		delete(unknown.Results[0].Repeats[0].Measurements[i].Labels, "direct")
		delete(unknown.Results[0].Repeats[0].Measurements[i].Labels, "sync")
	}
	checkForeign(t, []fires{
		{"unflushed", "1 GB into memory", dd("1048576000", 0), "W", "1,049 MB written to the page cache and never flushed"},
		{"unflushed", "much of it reached the drive", dd("64G", 0), "I", "68.7 GB written"},
		{"unflushed", "with a flush", dd("1048576000", 0, "sync", "fdatasync"), "", ""},
		{"unflushed", "past the cache", dd("1048576000", 0, "direct", "1"), "", ""},
		{"unflushed", "onto a device", dd("1048576000", 0, "file", "/dev/sdb"), "", ""},
		{"unflushed", "file-lt-ram knows the RAM", dd("1048576000", 8<<30), "", ""},
		{"unflushed", "without its command", unknown, "-", "whether it was flushed"},
	})
}

func TestLinksBelowTheirEnds(t *testing.T) {
	host := func(f assay.Facts) Evidence { return told(f, row(map[string]float64{"storage.read.iops": 1000})) }
	nic := func(n assay.NICFacts) Evidence { n.Name = "eth0"; return host(assay.Facts{NICs: []assay.NICFacts{n}}) }
	slow := &assay.Link{Kind: "pcie", Mode: "Gen2 x1", Ceiling: 500e6, At: "01:00.0 (downgraded from Gen3 x4)"}
	checkForeign(t, []fires{
		{"link-below", "a gigabit port at 100 Mbit/s", nic(assay.NICFacts{Speed: 1e8, Fastest: 1e9, State: "up"}), "W", "eth0: 100 Mb/s, supports 1.00 Gb/s"},
		{"link-below", "at its best", nic(assay.NICFacts{Speed: 1e9, Fastest: 1e9}), "", ""},
		{"link-below", "nothing is plugged in", nic(assay.NICFacts{Speed: 1e7, Fastest: 1e9, State: "down"}), "", ""},
		{"link-below", "what it supports is not known", nic(assay.NICFacts{Speed: 1e8}), "", ""},
		{"link-below", "half duplex", nic(assay.NICFacts{Speed: 1e8, Duplex: "half"}), "W", "eth0: half duplex"},
		{"link-below", "a card in a narrow slot", nic(assay.NICFacts{Link: slow}), "W", "eth0: Gen2 x1 of Gen3 x4"},
		{"link-below", "a drive in a narrow slot", host(assay.Facts{Block: []assay.BlockDevice{{Name: "nvme0n1", Link: slow}}}), "W", "nvme0n1: Gen2 x1 of Gen3 x4"},
		{"link-below", "a drive in a good one", host(assay.Facts{Block: []assay.BlockDevice{nvme}}), "", ""},
	})
}

func TestCopiesThatAreMissing(t *testing.T) {
	host := func(s *assay.StackFacts) Evidence {
		return told(assay.Facts{Stack: s}, row(map[string]float64{"storage.read.iops": 1000}))
	}
	checkForeign(t, []fires{
		{"redundancy", "placement groups", host(&assay.StackFacts{Kind: "ceph", Health: "HEALTH_WARN", Lacking: "1021 pgs not clean, most of them active+undersized+degraded"}), "W", "ceph: 1021 pgs not clean"},
		{"redundancy", "a warning about something else", host(&assay.StackFacts{Kind: "ceph", Health: "HEALTH_WARN"}), "", ""},
		{"redundancy", "a peer that is being filled", host(&assay.StackFacts{Kind: "drbd", Health: "Inconsistent"}), "W", "drbd: Inconsistent"},
		{"redundancy", "all there", host(&assay.StackFacts{Kind: "drbd", Health: "UpToDate"}), "", ""},
		{"redundancy", "no health was printed", host(&assay.StackFacts{Kind: "drbd"}), "", ""},
		{"redundancy", "no replicas", host(nil), "", ""},
	})
}

func TestTheCommandOfAnother(t *testing.T) {
	job := func(argv []string, labels ...string) Evidence {
		p := fioRun("write", 1000, 1e-3, 60, append([]string{"bs", "4096", "iodepth", "1", "pattern", "randwrite"}, labels...)...)
		p.argv = argv
		return told(assay.Facts{}, p)
	}
	rbd := func(argv ...string) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "rbd", "bs": "8388608", "threads": "5"}, argv: argv, figures: map[string]float64{"pool.write.bandwidth": 277e6, "pool.write.iops": 33}})
	}
	checkForeign(t, []fires{
		{"other-command", "8 KiB and 4 KiB", job([]string{"fio", "--name=x", "--bs=8k", "--rw=randwrite"}), "W", "bs 8k in the command, 4096 in the output"},
		{"other-command", "as fio writes it", job([]string{"fio", "--name=x", "--bs=4k", "--rw=randwrite"}), "", ""},
		{"other-command", "with one dash", job([]string{"fio", "-name=x", "-bs=8k"}), "W", "bs 8k"},
		{"other-command", "another pattern", job([]string{"fio", "--rw=randread", "--bs=4k"}), "W", "rw randread in the command, randwrite in the output"},
		{"other-command", "a half of a mix", job([]string{"fio", "--rw=randrw", "--bs=4k"}), "", ""},
		{"other-command", "several jobs", job([]string{"fio", "--name=a", "--bs=8k", "--name=b", "--bs=4k"}), "", ""},
		{"other-command", "a job file", job([]string{"fio", "job.fio"}), "", ""},
		{"other-command", "rbd bench", rbd("rbd", "bench", "pool/x", "--io-size", "8192", "--io-threads", "10"), "W", "io-size 8192 in the command, 8388608 in the output"},
		{"other-command", "rbd bench, alike", rbd("rbd", "bench", "pool/x", "--io-size", "8M", "--io-threads", "5"), "", ""},
	})
}
