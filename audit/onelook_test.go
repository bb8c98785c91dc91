package audit

import (
	"fmt"
	"testing"

	"assay"
)

// Rules about how the load of one output was shared, queued and split.
func TestMoreThanCanBeServed(t *testing.T) {
	job := func(latency float64, jobs string) Evidence {
		p := fioRun("write", 315, latency, 60, "bs", "1M", "iodepth", "32", "pattern", "write", "jobs", jobs)
		return told(assay.Facts{}, p)
	}
	uploads := func(latency float64) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "warp", "concurrency": "64"}, figures: map[string]float64{
			"object.put.ops": 26, "object.put.latency.mean": latency, "tool.duration": 298}})
	}
	pool := func(latency float64) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados", "threads": "16"}, figures: map[string]float64{
			"pool.write.iops": 22, "pool.write.latency.mean": latency, "tool.duration": 60}})
	}
	database := func(rate, latency float64) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "sysbench"}, figures: map[string]float64{
			"database.transactions": rate, "database.latency.mean": latency, "tool.duration": 3600}})
	}
	checkForeign(t, []fires{
		{"overloaded", "2,304 writes", job(7.018, "72"), "I", "2,304 in flight, 7.02 s each: one done every 3.05 ms"},
		{"overloaded", "one disk that takes its time", job(.1, "1"), "", ""},
		{"overloaded", "uploads", uploads(1.6083), "I", "64 in flight, 1.61 s each: one done every 25.1 ms"},
		{"overloaded", "rados bench as it is by itself", pool(.709479), "I", "16 in flight, 709 ms each: one done every 44.3 ms"},
		{"overloaded", "a pool that keeps up", pool(.12), "", ""},
		{"overloaded", "nothing says how many clients", database(174.94, 1.46278), "I", "256 in flight, 1.46 s each: one done every 5.71 ms"},
		{"overloaded", "one client whose transactions are long", database(.5, 2), "", ""},
		{"overloaded", "quick uploads", uploads(.3), "", ""},
	})
}

func TestSubmissionsThatWait(t *testing.T) {
	job := func(submission float64, labels ...string) Evidence {
		p := fioRun("read", 142, .01, 60, append([]string{"bs", "1M", "iodepth", "16", "pattern", "read", "engine", "libaio", "jobs", "1"}, labels...)...)
		p.figures["storage.read.latency.submission.mean"] = submission
		return told(assay.Facts{}, p)
	}
	atOnce := func(completion, total float64) Evidence {
		p := fioRun("write", 1/total, completion, 60, "bs", "4k", "iodepth", "1", "pattern", "randwrite", "engine", "haura")
		p.figures["storage.write.latency.total.mean"] = total
		return told(assay.Facts{}, p)
	}
	checkForeign(t, []fires{
		{"submission-bound", "a buffered read", job(7e-3), "I", "142 IOPS x 7.00 ms = 0.994 in submission, of 1 job"},
		{"submission-bound", "past the cache", job(20e-6), "", ""},
		{"submission-bound", "shared by four jobs", job(7e-3, "jobs", "4"), "", ""},
		{"submission-bound", "an engine that works at once", atOnce(66e-9, 1.828e-3), "I", "completed after 0.066 µs of 1.83 ms: 0.004 %"},
		{"submission-bound", "a page cache", atOnce(1.2e-6, 1.4e-6), "", ""},
		{"submission-bound", "a synchronous engine", job(7e-3, "engine", "psync"), "", ""},
	})
}

func TestSmallPieces(t *testing.T) {
	dd := func(bs string, bytes, seconds float64, labels ...string) Evidence {
		all := with(map[string]string{"tool": "dd", "direct": "0", "sync": "0", "bs": bs, "pattern": "write", "file": "/data/f"}, labels...)
		return told(assay.Facts{}, printout{labels: all, figures: map[string]float64{
			"storage.write.bandwidth": bytes / seconds, "storage.write.bytes": bytes, "tool.duration": seconds}})
	}
	net := func(block string) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindLink, labels: map[string]string{"tool": "iperf3", "protocol": "tcp", "block": block, "from": "10.0.0.1", "to": "10.0.0.2"},
			figures: map[string]float64{"net.tcp.throughput": 93e6, "tool.duration": 11}})
	}
	checkForeign(t, []fires{
		{"piecemeal", "half a million a second", dd("512", 1073741824, 4.06865), "I", "2,097,152 blocks of 512 B in 4.07 s: 1.94 µs each"},
		{"piecemeal", "a flush each", dd("512", 512000, 9.26722, "sync", "dsync"), "I", "1,000 blocks of 512 B in 9.27 s: 9.27 ms each"},
		{"piecemeal", "past the cache", dd("16k", 1677721600, 73.5538, "direct", "1"), "I", "102,400 blocks of 16.0 KiB in 73.6 s: 718 µs each"},
		{"piecemeal", "onto a device", dd("512", 5368709120, 750.516, "file", "/dev/sdd"), "I", "10,485,760 blocks of 512 B in 751 s: 71.6 µs each"},
		{"piecemeal", "pages onto a device", dd("4k", 5368709120, 750.516, "file", "/dev/sdd"), "", ""},
		{"piecemeal", "large ones", dd("1M", 1073741824, 4), "", ""},
		{"piecemeal", "small ones that wait for the drive", dd("4k", 409600000, 4), "", ""},
		{"piecemeal", "large ones, flushed", dd("1M", 1073741824, 4, "sync", "dsync"), "", ""},
		{"piecemeal", "writes of 1 KiB", net("1024"), "I", "1.00 KiB a write at 744 Mb/s: 11.0 µs each"},
		{"piecemeal", "writes as they are by themselves", net("131072"), "", ""},
	})
}

func TestUnequalShares(t *testing.T) {
	database := func(mean, deviation string) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "sysbench", "threads": "4", "thread_events": mean, "thread_events_stddev": deviation}, figures: map[string]float64{
			"database.transactions": 14892, "tool.duration": 60}})
	}
	net := func(least, most string) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindLink, labels: map[string]string{"tool": "iperf3", "protocol": "tcp", "streams": "3", "least_share": least, "most_share": most, "from": "10.0.0.1", "to": "10.0.0.2"},
			figures: map[string]float64{"net.tcp.throughput": 1.16e9, "tool.duration": 10}})
	}
	checkForeign(t, []fires{
		{"unfair", "threads", database("223385.5000", "31600.09"), "I", "31,600 of 223,386 events a thread: 14.1 %"},
		{"unfair", "equal threads", database("16149.0000", "18.12"), "", ""},
		{"unfair", "streams", net("333750000", "492500000"), "I", "from 334 MB/s to 492 MB/s: 1.48 x"},
		{"unfair", "equal streams", net("330000000", "350000000"), "", ""},
	})
}

func TestJobsThatAreMissing(t *testing.T) {
	jobs := func(started string, each ...string) Evidence {
		var all []printout
		for _, n := range each {
			p := fioRun("read", 1000, 1e-3, 60, "bs", "4k", "iodepth", "1", "pattern", "randread", "jobs", n, "started", started)
			p.from = "mail.txt:1"
			all = append(all, p)
		}
		return told(assay.Facts{}, all...)
	}
	checkForeign(t, []fires{
		{"jobs-missing", "one of sixteen", jobs("16", "1"), "I", "1 of 16 jobs"},
		{"jobs-missing", "grouped", jobs("16", "16"), "", ""},
		{"jobs-missing", "each printed", jobs("2", "1", "1"), "", ""},
	})
}

func TestCopiesFromStorageToStorage(t *testing.T) {
	dd := func(argv ...string) Evidence {
		return told(assay.Facts{}, printout{argv: argv, labels: map[string]string{"tool": "dd", "direct": "0", "sync": "fdatasync", "bs": "1M", "pattern": "write", "size": "1073741824"}, figures: map[string]float64{
			"storage.write.bandwidth": 1e8, "storage.write.bytes": 1073741824, "tool.duration": 10.7}})
	}
	of := func(records, bs string, bytes float64, argv ...string) Evidence {
		return told(assay.Facts{}, printout{argv: argv, labels: map[string]string{"tool": "dd", "direct": "0", "sync": "0", "pattern": "write", "records": records, "bs": bs}, figures: map[string]float64{
			"storage.write.bandwidth": bytes / 2151, "storage.write.bytes": bytes, "tool.duration": 2151}})
	}
	checkForeign(t, []fires{
		{"copied", "an image onto a card", dd("dd", "bs=1m", "if=image.img", "of=/dev/disk2"), "I", "from image.img to /dev/disk2"},
		{"copied", "zeros", dd("dd", "if=/dev/zero", "of=f", "bs=1M"), "", ""},
		{"copied", "out of memory", dd("dd", "if=/dev/shm/random", "of=f", "bs=1M"), "", ""},
		{"other-command", "other blocks than the command's", of("2911+1", "512k", 3053371392, "dd", "if=image.img", "of=/dev/sdb", "bs=512k"), "W", "blocks of 512 KiB in the command, of 1.00 MiB in the output"},
		{"other-command", "the command's blocks", of("2911+1", "1M", 3053371392, "dd", "if=image.img", "of=/dev/sdb", "bs=1M"), "", ""},
		{"other-command", "parts of blocks, out of a pipe", of("7+46600", "1M", 3053371392, "dd", "of=/dev/sdb", "bs=1M"), "", ""},
		{"other-command", "dd copied more than it was told to", dd("dd", "if=/dev/zero", "of=f", "bs=1M", "count=100"), "W", "size 105 MB in the command, 1,074 MB in the output"},
		{"other-command", "dd copied what it was told to", dd("dd", "if=/dev/zero", "of=f", "bs=1M", "count=1024"), "", ""},
		{"other-command", "the source was shorter", dd("dd", "if=f", "of=g", "bs=1M", "count=99999"), "", ""},
	})
}

func TestSlowerThanAnyDrive(t *testing.T) {
	disk := func(tool string, bandwidth float64, labels ...string) Evidence {
		return told(assay.Facts{}, printout{labels: with(map[string]string{"tool": tool, "pattern": "read", "direct": "1"}, labels...), figures: map[string]float64{
			"storage.read.bandwidth": bandwidth, "tool.duration": 3}})
	}
	checkForeign(t, []fires{
		{"below-any", "a disk without DMA", disk("hdparm", 1.36e6), "I", "1.36 MB/s against 8.00 MB/s: 0.170 x"},
		{"below-any", "an old disk", disk("hdparm", 15e6), "", ""},
		{"below-any", "an NVMe drive that something holds back", disk("hdparm", 137e6, "file", "/dev/nvme0n1"), "I", "137 MB/s against 300 MB/s: 0.457 x"},
		{"below-any", "an NVMe drive on one lane", disk("hdparm", 390e6, "file", "/dev/nvme0n1"), "", ""},
		{"below-any", "a SATA disk as fast", disk("hdparm", 137e6, "file", "/dev/sda"), "", ""},
		{"below-any", "random reads", disk("crystaldiskmark", .6e6, "pattern", "randread", "bs", "4096"), "", ""},
		{"below-any", "a tool that may read a network", disk("fio", 1e6), "", ""},
	})
}

func TestDepthThatDoesNothing(t *testing.T) {
	rows := func(deep float64) Evidence {
		one := func(depth string, iops float64) printout {
			return printout{from: "cdm.txt:1", labels: map[string]string{"tool": "crystaldiskmark", "job": "RND4K Q" + depth, "pattern": "randread", "bs": "4096", "iodepth": depth, "jobs": "1", "direct": "1"},
				figures: map[string]float64{"storage.read.iops": iops, "storage.read.bandwidth": iops * 4096}}
		}
		return told(assay.Facts{}, one("32", deep), one("1", 5078.6))
	}
	checkForeign(t, []fires{
		{"depth-idle", "a bridge without a queue", rows(5283.2), "I", "5,283 IOPS with 32 in flight against 5,079 with 1: 1.04 x"},
		{"depth-idle", "an SSD", rows(98000), "", ""},
	})
}

func TestSpeedThatDrifts(t *testing.T) {
	pool := func(rows ...float64) Evidence {
		m := assay.Measurement{Metric: "pool.write.bandwidth", Value: 1e6, Labels: map[string]string{"tool": "rados"}}
		for i, v := range rows {
			m.Samples = append(m.Samples, assay.Sample{At: float64(i + 1), Value: v})
		}
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "rados"}, figures: map[string]float64{"tool.duration": 60}, more: []assay.Measurement{m}})
	}
	checkForeign(t, []fires{
		{"drifts", "a cache that filled", pool(400e6, 410e6, 390e6, 300e6, 200e6, 150e6, 140e6, 150e6, 160e6), "I", "400 MB/s at the start, 150 MB/s at the end: 0.375 x"},
		{"drifts", "even rows", pool(400e6, 410e6, 390e6, 400e6, 410e6, 390e6, 400e6, 410e6, 390e6), "", ""},
		{"drifts", "three rows", pool(400e6, 200e6, 100e6), "", ""},
	})
}

func TestOneCommandSeveralResults(t *testing.T) {
	dd := func(seconds float64, line string, argv ...string) printout {
		metric := "storage.copy."
		if argv != nil {
			metric = "storage.read."
		}
		return printout{from: "mail.txt:" + line, argv: argv, labels: map[string]string{"tool": "dd"}, figures: map[string]float64{
			metric + "bandwidth": 1048576000 / seconds, metric + "bytes": 1048576000, "tool.duration": 60}}
	}
	read := []string{"dd", "if=f", "of=/dev/null", "bs=1M"}
	net := func(speeds ...float64) Evidence {
		var all []printout
		for i, v := range speeds {
			all = append(all, printout{from: fmt.Sprintf("mail.txt:%d", i), kind: assay.KindLink, argv: []string{"iperf3", "-c", "10.0.0.2"}, labels: map[string]string{"tool": "iperf3", "from": "10.0.0.1", "to": "10.0.0.2"},
				figures: map[string]float64{"net.tcp.throughput": v, "tool.duration": 10}})
		}
		return told(assay.Facts{}, all...)
	}
	checkForeign(t, []fires{
		{"repeats-apart", "three reads under one command", told(assay.Facts{}, dd(19.458, "1", read...), dd(17.0205, "2"), dd(5.1026, "3")), "I", "3 runs from 53.9 MB/s to 205 MB/s: 3.81 x"},
		{"repeats-apart", "three alike", told(assay.Facts{}, dd(19.458, "1", read...), dd(17.0205, "2"), dd(18.1, "3")), "", ""},
		{"repeats-apart", "twice", told(assay.Facts{}, dd(19.458, "1", read...), dd(5.1026, "2")), "", ""},
		{"repeats-apart", "other commands", told(assay.Facts{}, dd(19.458, "1", read...), dd(17, "2", append(read, "count=9")...), dd(5.1, "3", append(read, "count=8")...)), "", ""},
		{"repeats-apart", "what a variable stands for", told(assay.Facts{}, dd(19.458, "1", append(read, "count=$i")...), dd(17, "2", append(read, "count=$i")...), dd(5.1, "3", append(read, "count=$i")...)), "", ""},
		{"repeats-apart", "a line", net(117e6, 30e6, 116e6), "I", "3 runs from 30.0 MB/s to 117 MB/s: 3.90 x"},
	})
}

func TestTCPHasFoundItsRate(t *testing.T) {
	net := func(protocol string, seconds float64) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindLink, labels: map[string]string{"tool": "iperf3", "protocol": protocol, "from": "10.0.0.1", "to": "10.0.0.2"},
			figures: map[string]float64{"net." + protocol + ".throughput": 6.5e6, "tool.duration": seconds}})
	}
	checkForeign(t, []fires{
		{"too-short", "a second for a dashboard", net("tcp", 1), "I", "ran 1.00 s against 5.00 s"},
		{"too-short", "ten seconds", net("tcp", 10), "", ""},
		{"too-short", "a second of UDP", net("udp", 1), "", ""},
	})
}

func TestTheDiskOfAMac(t *testing.T) {
	dd := func(to string) Evidence {
		return told(assay.Facts{}, printout{argv: []string{"dd", "if=image.img", "of=" + to, "bs=1m"}, labels: map[string]string{"tool": "dd", "bs": "1M"}, figures: map[string]float64{
			"storage.write.bandwidth": 2e6, "storage.write.bytes": 3e9, "tool.duration": 1500}})
	}
	checkForeign(t, []fires{
		{"mac-disk", "buffered", dd("/dev/disk2"), "I", "of=/dev/disk2"},
		{"mac-disk", "raw", dd("/dev/rdisk2"), "", ""},
		{"mac-disk", "a link of Linux", dd("/dev/disk/by-id/usb-Stick"), "", ""},
	})
}

func TestFlushesWithNothingToWrite(t *testing.T) {
	files := func(written, flushed float64) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "sysbench", "pattern": "randrw", "jobs": "1", "iodepth": "1", "engine": "psync", "direct": "0", "sync": "fsync", "bs": "16k", "size": "21474836480"}, figures: map[string]float64{
			"storage.write.iops": written, "storage.write.bandwidth": written * 16384, "storage.sync.iops": flushed, "tool.duration": 60}})
	}
	checkForeign(t, []fires{
		{"flush-too-fast", "all 128 files after each hundred", files(2794.37, 8942.31), "I", "8,942 flushes against 2,794 writes a second: 3.20 x"},
		{"flush-too-fast", "one after each write", files(300, 300), "", ""},
	})
}

func TestAmountsThatContradict(t *testing.T) {
	walk := func(moved string) Evidence {
		labels := map[string]string{"tool": "sysbench", "threads": "1", "block": "262144"}
		if moved != "" {
			labels["moved"] = moved
		}
		return told(assay.Facts{}, printout{kind: assay.KindMemory, labels: labels, figures: map[string]float64{"memory.write.bandwidth": 5237e6, "tool.duration": 10.0002}})
	}
	checkForeign(t, []fires{
		{"bw-iops-bs", "typed", walk("2254392262656"), "E", "5,237 MB/s against 2,254 GB / 10.0 s = 225,435 MB/s: 0.023 x"},
		{"bw-iops-bs", "as it was", walk(""), "", ""},
	})
}

func TestHeadsThatAreParked(t *testing.T) {
	disk := func(cycles, hours float64) Evidence {
		figures := map[string]float64{"smart.passed": 1, "smart.load_cycles": cycles}
		if hours > 0 {
			figures["smart.power_on_hours"] = hours * 3600
		}
		return told(assay.Facts{}, printout{kind: assay.KindDrive, labels: map[string]string{"tool": "smartctl", "protocol": "ATA"}, figures: figures})
	}
	checkForeign(t, []fires{
		{"smart-wear", "one in 51 s", disk(447000, 6342), "I", "447,000 load cycles in 6,342 h: one in 51.1 s"},
		{"smart-wear", "nothing says for how long", disk(378406, 0), "I", "378,406 load cycles against 300,000"},
		{"smart-wear", "often, and not yet many", disk(150000, 3000), "I", "one in 72.0 s"},
		{"smart-wear", "over many years", disk(150000, 60000), "", ""},
		{"smart-wear", "a few", disk(900, 6342), "", ""},
	})
}
