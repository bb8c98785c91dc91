package named

import (
	"sync"

	"assay/internal/lazyregexp"
)

// byWord indexes the tools by the first word of their lines.
var byWord = sync.OnceValue(func() map[string][]*Tool {
	all := map[string][]*Tool{}
	for i := range tools {
		if t := &tools[i]; t.line != nil {
			all[t.word] = append(all[t.word], t)
		}
	}
	return all
})

func like(pattern string) *lazyregexp.Regexp { return lazyregexp.New(pattern) }

// What to run instead of a benchmark that does not answer the question.
const (
	forStorage  = "for storage, run: fio --name=t --filename=FILE --size=10G --direct=1 --ioengine=libaio --rw=randread --bs=4k --iodepth=32 --runtime=60 --time_based"
	forCPU      = "for one number of the CPU, run: sysbench cpu --threads=1 --time=30 run, and once more with all threads"
	forMemory   = "for memory, run: sysbench memory --memory-block-size=1M --memory-total-size=100G run"
	forNetwork  = "for the link itself, run iperf3 -s on one host and on the other: iperf3 -c HOST -t 30 -O 3"
	forDatabase = "for the storage under a database, run: fio --name=t --filename=FILE --size=4G --rw=write --bs=8k --fdatasync=1 --runtime=60 --time_based"
	forObjects  = "for object storage, run: warp mixed --host HOST:PORT --duration 5m"
	notASpeed   = "assay audit takes what a benchmark printed; run: assay diagnose, for what the machine says of its faults"
)

// tools is the table. word is the first word of the line.
var tools = []Tool{
	// The machine as a whole.
	{Name: "Geekbench", About: "its score mixes integer, floating-point, cryptography and memory work of a second each, and no storage at all",
		Instead: forCPU, word: "Geekbench", line: like(`^Geekbench \d+(\.\d+)*( |$)`)},
	{Name: "Phoronix Test Suite", About: "it runs other tools, and a result is that tool's with its default settings",
		Instead: "paste what the tool itself printed: phoronix-test-suite result-file-to-text NAME, or its log", word: "Phoronix", line: like(`^Phoronix Test Suite v?\d`)},
	{Name: "UnixBench", About: "its index is a mean over shell scripts, pipes, file copies through the page cache and arithmetic, relative to a machine of 1995",
		Instead: forCPU, word: "BYTE", line: like(`^BYTE UNIX Benchmarks \(Version`)},
	{Name: "PassMark PerformanceTest", About: "its mark is a weighted mean of a dozen CPU and memory tests of a few seconds",
		Instead: forCPU, word: "PassMark", line: like(`^PassMark PerformanceTest`)},
	{Name: "Cinebench", About: "its score is a rendering of one scene on the CPU", Instead: forCPU, word: "CINEBENCH", line: like(`^CINEBENCH `)},
	{Name: "bench.sh", About: "its I/O figure is dd of 1 GB of zeros through the page cache with one flush, its speeds are downloads over the Internet",
		Instead: forStorage, word: "-", line: like(`^-+ A Bench\.sh Script By Teddysun -+$`)},
	{Name: "nench", About: "its I/O figures are ioping and dd of zeros for seconds, its CPU figures are sha256 and bzip2 of one core",
		Instead: forStorage, word: "nench", line: like(`^nench\.sh v\d`)},
	{Name: "vpsbench", About: "its I/O figure is dd of zeros", Instead: forStorage, word: "VPSBench", line: like(`^VPSBench `)},
	{Name: "stress-ng", About: "its bogo ops count its own loops: they compare one machine with itself and measure nothing that can be named",
		Instead: "for one resource, run the tool that measures it: fio, sysbench cpu, sysbench memory, iperf3", word: "stress", line: like(`^stress-ng: info: +\[\d+\]`)},
	{Name: "hyperfine", About: "it times a command from start to end, whatever that does",
		Instead: "paste the output of the command itself", word: "Benchmark", line: like(`^Benchmark (#?\d+): .`)},

	// The CPU and memory.
	{Name: "CoreMark", About: "its score is four small loops that fit into the first-level cache: no memory, no storage", Instead: forCPU, word: "CoreMark", line: like(`^CoreMark (Size +:|1\.0 : )`)},
	{Name: "HPL (Linpack)", About: "its Gflop/s are of one dense matrix, with a tuned library: few programs come near", Instead: forCPU, word: "HPLinpack", line: like(`^HPLinpack \d`)},
	{Name: "HPCG", About: "its Gflop/s follow memory bandwidth", Instead: forMemory, word: "HPCG", line: like(`^HPCG-Benchmark`)},
	{Name: "Dhrystone", About: "its score is string and integer work of 1984 that compilers remove", Instead: forCPU, word: "Dhrystone", line: like(`^Dhrystone Benchmark, Version`)},
	{Name: "y-cruncher", About: "it times the digits of a constant: vector units and memory bandwidth together", Instead: forCPU, word: "y", line: like(`^y-cruncher v\d`)},
	{Name: "John the Ripper", About: "it counts password hashes of one kind a second", Instead: forCPU, word: "Benchmarking", line: like(`^Benchmarking: .*\[.*\]\.\.\.`)},
	{Name: "hashcat", About: "it counts password hashes a second, on a GPU where there is one", Instead: forCPU, word: "hashcat", line: like(`^hashcat \(v\d`)},
	{Name: "cryptsetup benchmark", About: "its MiB/s are ciphers in memory on one core, without storage: an upper bound for LUKS",
		Instead: "for the encrypted device itself, " + forStorage[len("for storage, "):], word: "#", line: like(`^# Tests are approximate using memory only`)},
	{Name: "Intel Memory Latency Checker", About: "its latencies and GB/s are of memory alone", Instead: forMemory, word: "Intel", line: like(`^Intel\(R\) Memory Latency Checker`)},
	{Name: "lmbench", About: "it times system calls, pipes and memory, most of them out of the caches", Instead: forMemory, word: "L", line: like(`^L M B E N C H +[\d. ]+ +S U M M A R Y`)},
	{Name: "lmbench lat_mem_rd", About: "its columns are the size of the data and the ns of one dependent load", Instead: forMemory, word: `"`, line: like(`^"stride=64$`)},
	{Name: "stressapptest", About: "it tests whether memory keeps what was written; its MB/s are a by-product", Instead: forMemory, word: "Log", line: like(`^Log: Commandline - .*(stressapptest|sat)`)},
	{Name: "Memtest86+", About: "it tests whether memory keeps what was written; its MB/s are of one core, uncached", Instead: forMemory, word: "Memtest", line: like(`^Memtest86\+ v?\d`)},
	{Name: "tinymembench", About: "its MB/s and ns are memory copies by one core", Instead: forMemory, word: "tinymembench", line: like(`^tinymembench v\d`)},

	// Files and drives.
	{Name: "ATTO Disk Benchmark", About: "its MB/s are of compressible data, by block size, on a file of 256 MiB by default", Instead: forStorage, word: "ATTO", line: like(`^ATTO Disk Benchmark`)},
	{Name: "rsync", About: "its rate is that of reading, comparing, enciphering, sending and writing through two page caches: the slowest of these", Instead: forStorage, word: "sent", line: like(`^sent [\d,.]+[KMGT]? bytes +received [\d,.]+[KMGT]? bytes +[\d,.]+[KMGT]? bytes/sec`)},
	{Name: "dbench", About: "its MB/s replay a file server's calls, most of them on cached metadata", Instead: forDatabase, word: "dbench", line: like(`^dbench version \d`)},
	{Name: "JuiceFS bench", About: "its big files pass through the client's buffers, its small ones wait for metadata: means of some seconds",
		Instead: forStorage, word: "|", line: like(`^\| +ITEM +\| +VALUE +\| +COST +\|$`)},
	{Name: "Bonnie", About: "its K/sec go through the page cache, one request at a time; its successor bonnie++ is read",
		Instead: forStorage, word: "-", line: like(`^-Per Char- +-+Block-+ `)},
	{Name: "Filebench", About: "its ops/s are of a workload model, much of it in the page cache", Instead: forStorage, word: "Filebench", line: like(`^Filebench Version \d`)},
	{Name: "IOR", About: "its MiB/s are the total of all MPI tasks; without -F, -C and -e it may be of the client's cache",
		Instead: forStorage, word: "IOR", line: like(`^IOR-\d\S*: MPI Coordinated Test of Parallel I/O`)},
	{Name: "mdtest", About: "it counts creations, stats and removals of files: metadata, not data", Instead: forStorage, word: "mdtest", line: like(`^mdtest-\d\S* was launched`)},
	{Name: "HD Tune", About: "it reads the raw drive in 64 KiB pieces at depth 1: a hard disk's curve, and too little for an SSD", Instead: forStorage, word: "HD", line: like(`^HD Tune(:| Pro:)`)},
	{Name: "H2testw", About: "it tests whether a card keeps what was written; its speed is of large sequential files", Instead: forStorage, word: "Warning", line: like(`^Warning: Only \d+ of \d+ MByte tested`)},
	{Name: "F3", About: "it tests whether a card keeps what was written; its speed is of large sequential files", Instead: forStorage, word: "F", line: like(`^F3 (read|write|probe) \d`)},
	{Name: "PostMark", About: "its files a second live in the page cache", Instead: forDatabase, word: "PostMark", line: like(`^PostMark v\d`)},
	{Name: "fs_mark", About: "it counts small files created and flushed a second: a file system's journal", Instead: forDatabase, word: "#", line: like(`^#\s+(\./)?fs_mark\s+-`)},
	{Name: "etcdctl check perf", About: "it says whether etcd kept its own limits for a minute, not what the disk can do",
		Instead: "for etcd's disk, run: fio --name=etcd --filename=FILE --size=22m --bs=2300 --rw=write --ioengine=sync --fdatasync=1", word: "PASS", line: like(`^PASS: Throughput is \d+ writes/s`)},

	// Databases.
	{Name: "HammerDB", About: "its NOPM and TPM depend on schema size, virtual users and the database's memory", Instead: forDatabase, word: "Vuser", line: like(`^Vuser \d+:(TEST RESULT|Beginning rampup)`)},
	{Name: "mysqlslap", About: "it times whole queries, mostly out of the buffer pool", Instead: forDatabase, word: "Average", line: like(`^Average number of seconds to run all queries: \d`)},
	{Name: "redis-benchmark", About: "its requests per second measure memory and the loopback interface unless AOF with fsync is on", Instead: forDatabase, word: "=", line: like(`^====== .+ ======$`)},
	{Name: "memtier_benchmark", About: "its ops/s are of memory and network, unless the server flushes", Instead: forDatabase, word: "[", line: like(`^\[RUN #\d`)},
	{Name: "YCSB", About: "its ops/s depend on the record count against the database's memory", Instead: forDatabase, word: "[", line: like(`^\[OVERALL\], (RunTime|Throughput)\(`)},
	{Name: "db_bench", About: "its ops/s are of RocksDB's or LevelDB's memory tables unless the data exceed RAM and sync=1", Instead: forDatabase, word: "RocksDB", line: like(`^RocksDB: +version \d`)},

	// Networks and services.
	{Name: "Speedtest", About: "it measures the Internet connection to a server that it chose, not a link of your own", Instead: forNetwork, word: "Speedtest", line: like(`^Speedtest by Ookla`), keys: []string{"ping", "download", "upload"}},
	{Name: "speedtest-cli", About: "it measures the Internet connection to a server that it chose, not a link of your own", Instead: forNetwork, word: "Retrieving", line: like(`^Retrieving speedtest\.net configuration`)},
	{Name: "nuttcp", About: "its last line is one TCP or UDP flow", Instead: forNetwork, word: "nuttcp", line: like(`^nuttcp-t: `)},
	{Name: "qperf", About: "its tests are of some seconds each, of one flow", Instead: forNetwork, word: "tcp", line: like(`^tcp_(bw|lat):$`)},
	{Name: "NTttcp", About: "its throughput is the total of many connections", Instead: forNetwork, word: "NTTTCP", line: like(`^NTTTCP (for Linux|Version) `)},
	{Name: "mtr", About: "it times replies of routers, which answer when they have time: loss at one hop that does not last to the end is no loss", Instead: forNetwork, word: "HOST", line: like(`^HOST: .*Loss%\s+Snt\s+Last`)},
	{Name: "ping", About: "it times single packets of an idle link, and no bandwidth", Instead: forNetwork, word: "PING", line: like(`^PING \S+ \(.*\)[: ].*\d+.* bytes`)},
	{Name: "ApacheBench", About: "its requests a second are of one web server's page, from one core", Instead: forNetwork, word: "This", line: like(`^This is ApacheBench, Version`)},
	{Name: "wrk", About: "its requests a second are of one web server's page; it waits for slow replies, and its latencies leave them out", Instead: forNetwork, word: "Running", line: like(`^Running \d+(\.\d+)?[smh] test @ `)},
	{Name: "COSBench", About: "its report has stages whose workload stands in another file", Instead: forObjects, word: "COSBench", line: like(`^COSBench `)},
	{Name: "mc support perf", About: "it is MinIO's own test from within the cluster: no client, no client's network", Instead: forObjects, word: "MinIO", line: like(`^MinIO \d{4}-.*, \d+ servers?, \d+ drives?`)},
	{Name: "k6", About: "its report is of HTTP requests of a script that does not stand in it", Instead: forObjects, word: "execution", line: like(`^execution: (local|cloud)$`), keys: []string{"metrics", "root_group"}},

	// What a machine reports about itself.
	{Name: "a kernel log", About: "it has events, and no figures", Instead: "look for faults in it with: assay diagnose FILE", Log: true, word: "[", line: like(`^\[ *\d+\.\d{6}\] \S`)},
	{Name: "a kernel log", About: "it has events, and no figures", Instead: "look for faults in it with: assay diagnose FILE", Log: true, word: "[", line: like(`^\[(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\] \S`)},
	{Name: "vmstat", About: "it shows what the machine does, not what it can do", Instead: notASpeed, word: "procs", line: like(`^procs -+memory-+`)},
	{Name: "mpstat", About: "it shows what the processors do, not what they can do", Instead: notASpeed, word: "Average", line: like(`^Average:\s+CPU\s+%usr`)},
	{Name: "lsblk", About: "it lists block devices and their sizes", Instead: notASpeed, word: "NAME", line: like(`^NAME\s+(MAJ:MIN|TYPE|FSTYPE|SIZE)\b`), keys: []string{"blockdevices"}},
	{Name: "zpool status", About: "it has the pool's layout and errors", Instead: notASpeed, word: "pool", line: like(`^pool: \S+$`)},
	{Name: "perf stat", About: "it counts events of the processor during a command", Instead: notASpeed, word: "Performance", line: like(`^Performance counter stats for '`)},
	{Name: "nvidia-smi", About: "it shows what the GPUs do", Instead: notASpeed, word: "|", line: like(`^\| NVIDIA-SMI \d`)},
	{Name: "blkparse", About: "its lines are single requests", Instead: "summarise it with: btt -i FILE, and measure with fio", word: "CPU", line: like(`^CPU0 \(\S+\):$`)},
}
