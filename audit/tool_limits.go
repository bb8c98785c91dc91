package audit

import (
	"slices"
	"strings"

	"assay"
	"assay/internal/quantity"
)

var toolLimitsRule = Rule{
	ID: "tool-limits", Number: 80, Applies: "tools that assay only reads", Severities: "W I",
	Title:   "What the tool measures, and what it cannot show",
	Formula: "the output is of a tool in the table of this rule: I, with what its figures show, and the command that answers the question; W where a figure is not what its name says",
	Source:  "the tools' manuals and source: hdparm(8); CrystalDiskMark's and diskspd's documentation; pveperf of pve-manager; yabs.sh; ioping(1); iostat(1); zpool-iostat(8); the manuals of DiskSpd, bonnie++, pgbench, netperf and perftest; sysbench's Lua scripts; elbencho's documentation of its result columns; sysbench's fileio.c; stream.c; openssl-speed(1); rbd(8)",
	Example: "hdparm -T: 9,882 MB/s of cached reads",
	Check: func(e Evidence) []assay.Finding {
		const id = "tool-limits"
		var found []assay.Finding
		type of struct {
			limit  int
			output string
		}
		said := map[of]bool{} // once per output, not once per job
		for _, l := range e.looks() {
			tool := l.label("", "tool")
			if tool == "diskspd" && !l.foreign() {
				continue // assay has it write random data, uncached if the case says so
			}
			if untimed := l.label("", "untimed"); untimed != "" {
				found = append(found, l.finding(id, assay.Informs, nil, "+++++ for "+untimed,
					"too quick to be timed: bonnie++ shows no rate for what took less than half a second", "use a larger file (-s), and more files (-n 128)"))
			}
			if since := l.label("", "observed"); strings.HasPrefix(since, "since ") && !said[of{-1, l.Trial.From}] {
				said[of{-1, l.Trial.From}] = true
				found = append(found, l.finding(id, assay.Informs, nil, "one report",
					"the first report is the mean "+since+", idle hours included: it shows no particular load", "report every 5 s while the load runs, and leave out the first report: "+strings.ReplaceAll(tool, "-", " ")+" 5"))
			}
			for i, limit := range toolLimits {
				if limit.tool != tool {
					continue
				}
				metrics := l.printed(limit.of)
				if len(metrics) == 0 {
					continue
				}
				if said[of{i, l.Trial.From}] {
					break
				}
				said[of{i, l.Trial.From}] = true
				v, _ := l.median(metrics[0])
				found = append(found, l.finding(id, limit.severity, metrics, metrics[0]+" "+quantity.Of(metrics[0], v), limit.shows, limit.instead))
				break
			}
		}
		return found
	},
}

// printed returns the figures with a prefix that the output shows.
func (l look) printed(prefix string) []string {
	var found []string
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			described, known := assay.Describe(m.Metric)
			if known && !described.Support && strings.HasPrefix(m.Metric, prefix) && l.positive(m.Metric) && !slices.Contains(found, m.Metric) {
				found = append(found, m.Metric)
			}
		}
	}
	return found
}

// Commands that answer what such tools leave open.
const (
	fioRandom = "for the drive under load: fio --name=t --filename=FILE --size=10G --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=32 --numjobs=1 --runtime=60 --time_based"
	fioFull   = "for what the drive sustains: fio --name=t --filename=FILE --size=100G --rw=write --bs=1M --direct=1 --ioengine=libaio --iodepth=8 --numjobs=1 --end_fsync=1 --runtime=600 --time_based"
	fioRead   = "for the drive: fio --name=t --filename=FILE --size=10G --rw=read --bs=1M --direct=1 --ioengine=libaio --iodepth=8 --numjobs=1 --runtime=60 --time_based"
	// memoryWalk exceeds every cache.
	memoryWalk = "for the modules alone: sysbench memory --memory-block-size=1G --memory-total-size=1000G --memory-oper=read --threads=4 --time=60 run"
	fioSync    = "for its latency too: fio --name=t --filename=FILE --size=1G --rw=write --bs=4k --ioengine=psync --iodepth=1 --numjobs=1 --fdatasync=1 --runtime=60 --time_based"
)

// toolLimits describes the limits of each tool; the first entry with a figure
// counts. of is the metric prefix that it applies to, "" for all.
var toolLimits = []struct {
	tool, of       string
	severity       assay.Severity
	shows, instead string
}{
	{"crystaldiskmark", "storage.write.", assay.Informs,
		"CrystalDiskMark shows the best of several passes of seconds over a file of 1 GiB by default: an SSD's SLC cache takes all of it, and nothing is flushed", fioFull},
	{"crystaldiskmark", "storage.read.", assay.Informs,
		"CrystalDiskMark shows the best of several passes of seconds over a file of 1 GiB by default, which was written just before: it is a peak figure and hides slow requests", fioRandom},
	{"dd", "storage.copy.", assay.Informs,
		"without the command line, there is no telling whether dd read or wrote, bypassed the page cache or flushed: this may not be the speed of storage at all", fioFull},
	{"as-ssd", "storage.write.", assay.Informs,
		"AS SSD writes a file of 1 GiB by default, past Windows' cache, for seconds: an SSD's SLC cache takes all of it. Its MB are MiB, its score adds up unrelated measurements", fioFull},
	{"as-ssd", "storage.read.", assay.Informs,
		"AS SSD reads back a file of 1 GiB by default that it has just written: the peak of an idle drive, which hides slow requests. Its MB are MiB", fioRandom},
	{"elbencho", "storage.write.", assay.Informs,
		"elbencho's first column is taken when the fastest thread finishes, its last one (used here) when all have; it goes through the page cache unless --direct is given, and flushes nothing", fioFull},
	{"elbencho", "storage.read.", assay.Informs,
		"elbencho's first column is taken when the fastest thread finishes, its last one (used here) when all have; without --direct it reads what the page cache still has of the writes before", fioRandom},
	{"kbench", "storage.", assay.Informs,
		"kbench prints averages (and p99 in newer versions), but no spread. It measures IOPS with 4 KiB blocks and bandwidth with 128 KiB blocks, at depth 64 with a single job, which may be the bottleneck rather than the volume. Latency comes from a separate run, at depth 1 or 4 depending on the version", "for the full results: assay audit PREFIX-iops.json PREFIX-bandwidth.json PREFIX-latency.json (fio's own output, kept in the kbench pod)"},
	{"hdparm", "memory.", assay.Warns,
		"hdparm -T reads the page cache: it measures CPU and memory, and says nothing about the drive", fioRead},
	{"hdparm", "storage.", assay.Informs,
		"hdparm -t reads the beginning of the drive for three seconds, one request after the other through the page cache: on a hard disk the fastest part, on an SSD far from its limit", fioRead},
	{"pveperf", "storage.sync.", assay.Informs,
		"pveperf's FSYNCS/SECOND is how often one thread flushes a small write in three seconds: the figure for databases and VMs, of the directory that was named (default /)", fioSync},
	{"pveperf", "storage.read.bandwidth", assay.Informs,
		"pveperf's buffered reads are of the device under the directory for some seconds, one at a time: no load, and no file system", fioRead},
	{"pveperf", "storage.read.latency", assay.Informs,
		"pveperf's seek time is the mean of some hundred reads in a second: it tells a hard disk from an SSD, but no more", fioRandom},
	{"pveperf", "cpu.", assay.Informs,
		"pveperf's regular expressions per second are of Perl on one core", "for the CPU: sysbench cpu --threads=1 --time=30 run"},
	{"yabs", "storage.", assay.Informs,
		"YABS runs fio for 30 s on a file of 2 GiB with half reads and half writes at depth 64 in two jobs: each direction gets half the drive, an SSD's cache may hold the file, and there are no latencies. Its MB are 1,024,000 B", fioRandom},
	{"yabs", "net.", assay.Informs,
		"YABS measures the path over the Internet to a public server with eight streams, not a link of your own", "for a link: iperf3 -s on one host, and on the other: iperf3 -c HOST -t 30 -O 3"},
	{"yabs", "cpu.", assay.Informs,
		"Geekbench's score averages short bursts of integer, floating-point and cryptographic work: it says nothing about storage or sustained load", "for the CPU: sysbench cpu --threads=1 --time=60 run"},
	{"ioping", "storage.write.", assay.Informs,
		"ioping sends one request at a time, by default one a second: the latency of a drive that is otherwise idle, waking included. Its iops are the inverse of that latency", fioSync},
	{"ioping", "storage.", assay.Informs,
		"ioping sends one request at a time, by default one a second: the latency of a drive that is otherwise idle, waking included. Its iops are the inverse of that latency", fioRandom},
	{"rbd", "pool.write.", assay.Informs,
		"rbd bench writes through librbd, whose cache makes large writes of sequential small ones: unless the pattern is random, a rate of small writes is the client's, not the drives'. Its data is one byte repeated", "for the drives: rbd bench --io-type write --io-pattern rand --io-size 4K --io-threads 16 --io-total 10G POOL/IMAGE"},
	{"iostat", "storage.", assay.Informs,
		"iostat shows what the programs asked of the device in that time, not what it can do; its await includes the time in the kernel's queue", fioRandom},
	{"zpool-iostat", "storage.", assay.Informs,
		"zpool iostat shows what ZFS did with the devices in that time: without what the ARC served, with parity, metadata and several seconds' writes at once", fioRandom},
	{"diskspd", "storage.write.", assay.Informs,
		"DiskSpd repeats one pattern unless run with -Zr, and goes through Windows' file cache unless run with -Sh: compression in the drive or the cache inflates the figure", fioFull},
	{"bonnie++", "storage.", assay.Informs,
		"bonnie++ goes through the page cache, one request at a time: it needs a file of twice the RAM to reach the drive, and never loads an SSD; its seeks come from three processes that also rewrite every tenth block", fioRandom},
	{"iozone", "storage.read.", assay.Informs,
		"IOzone reads back the file that it has just written, one request after the other in each process: without -I, and with a file that fits in memory, that is the page cache; its kB are 1,024 B", fioRandom},
	{"iozone", "storage.write.", assay.Informs,
		"IOzone writes one file once, one request after the other in each process: into the page cache without -I, -e or -o, and briefly if the file is small; its kB are 1,024 B", fioFull},
	{"vdbench", "storage.", assay.Informs,
		"Vdbench shows the means of one load from a parameter file that is not in its output: without it, it is unknown how many threads ran, whether it was direct, and whether its rate was limited; its MB are MiB", fioRandom},
	{"stream", "memory.", assay.Informs,
		"STREAM shows the best pass of all its threads, and counts neither the reads that precede each write nor a wrong NUMA node: compare it with channels x 8 B x MT/s only if its arrays are four times the last-level cache", memoryWalk},
	{"mbw", "memory.", assay.Informs,
		"mbw copies on one core, and counts a byte once that was read and written; arrays smaller than four times the last-level cache never leave it", memoryWalk},
	{"openssl", "cpu.", assay.Informs,
		"openssl speed encrypts one small buffer in the L1 cache: no memory, no storage, no protocol", "for a disk's encryption: cryptsetup benchmark, then fio on the opened device and on the bare one"},
	{"7z", "cpu.", assay.Informs,
		"7-Zip's MIPS are for LZMA with all threads: decompressing follows the cores, compressing the latency of memory", "for the CPU alone: sysbench cpu --threads=1 --time=60 run"},
	{"pgbench", "database.", assay.Informs,
		"pgbench's rate depends on scale against shared_buffers, on the number of clients and on how often WAL is flushed: at a scale that fits in memory it measures fsync and locks, not the drive's throughput", fioSync},
	{"sysbench", "storage.", assay.Informs,
		"sysbench fileio goes through the page cache unless --file-extra-flags=direct is given, on files that its own prepare step has just written: reads come from memory as long as the files fit. Its latency covers reads, writes and flushes together, unless there was only one kind", fioRandom},
	{"sysbench", "database.", assay.Informs,
		"sysbench's OLTP tests measure a database: how much of the tables its memory holds, how many threads query at once, and how often it flushes its log. Tables that fit into memory are never read from the drive, and writes wait for flushes, not for throughput", fioSync},
	{"netperf", "net.", assay.Informs,
		"netperf's stream is one TCP or UDP flow: one core on either side can be its limit; its requests a second are the inverse of the round trip", "for the link: iperf3 -s on one host, and on the other: iperf3 -c HOST -P 4 -t 30 -O 3"},
	{"perftest", "net.", assay.Informs,
		"perftest moves the same buffer over and over by RDMA, past kernel and TCP: what the adapters and the slot can do, not what a program with sockets gets", "for TCP over the same link: iperf3 -s on one host, and on the other: iperf3 -c HOST -P 4 -t 30 -O 3"},
}
