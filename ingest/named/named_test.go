package named

import (
	"strings"
	"testing"
)

// Each tool is recognised by a line of its own, and by no other's.
var firstLines = map[string]string{
	"Geekbench":                    "Geekbench 6.2.1 : https://www.geekbench.com/",
	"Phoronix Test Suite":          "Phoronix Test Suite v10.8.4",
	"UnixBench":                    "   BYTE UNIX Benchmarks (Version 5.1.3)",
	"PassMark PerformanceTest":     "                   PassMark PerformanceTest Linux (11.0.1000)",
	"Cinebench":                    "CINEBENCH R23.200 (RBBENCHMARK330542)",
	"bench.sh":                     "-------------------- A Bench.sh Script By Teddysun -------------------",
	"nench":                        " nench.sh v2019.07.20 -- https://git.io/nench.sh",
	"vpsbench":                     "VPSBench Script by hidden refuge",
	"stress-ng":                    "stress-ng: info:  [2107] dispatching hogs: 4 cpu",
	"hyperfine":                    "Benchmark 1: sleep 0.3",
	"CoreMark":                     "CoreMark Size    : 666",
	"HPL (Linpack)":                "HPLinpack 2.3  --  High-Performance Linpack benchmark  --   December 2, 2018",
	"HPCG":                         "HPCG-Benchmark version=3.1",
	"Dhrystone":                    "Dhrystone Benchmark, Version 2.1 (Language: C)",
	"y-cruncher":                   "y-cruncher v0.8.3 Build 9530",
	"John the Ripper":              "Benchmarking: descrypt, traditional crypt(3) [DES 256/256 AVX2]... (8xOMP) DONE",
	"hashcat":                      "hashcat (v6.2.6) starting in benchmark mode",
	"cryptsetup benchmark":         "# Tests are approximate using memory only (no storage IO).",
	"Intel Memory Latency Checker": "Intel(R) Memory Latency Checker - v3.10",
	"lmbench":                      "                 L M B E N C H  3 . 0   S U M M A R Y",
	"lmbench lat_mem_rd":           `"stride=64`,
	"stressapptest":                "Log: Commandline - stressapptest -s 60 -M 256",
	"Memtest86+":                   "Memtest86+ v6.20",
	"tinymembench":                 "tinymembench v0.4.9 (simple benchmark for memory throughput and latency)",
	"ATTO Disk Benchmark":          "ATTO Disk Benchmark 4.01.0f1",
	"rsync":                        "sent 1,074,004,071 bytes  received 35 bytes  102,286,105.33 bytes/sec",
	"dbench":                       "dbench version 4.00 - Copyright Andrew Tridgell 1999-2004",
	"JuiceFS bench":                "|       ITEM       |       VALUE      |      COST     |",
	"Bonnie":                       "              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---",
	"Filebench":                    "Filebench Version 1.5-alpha3",
	"IOR":                          "IOR-3.3.0: MPI Coordinated Test of Parallel I/O",
	"mdtest":                       "mdtest-3.3.0 was launched with 8 total task(s) on 1 node(s)",
	"HD Tune":                      "HD Tune: WDC WD10EZEX-08WN4A0 Benchmark",
	"H2testw":                      "Warning: Only 1000 of 7580 MByte tested.",
	"F3":                           "F3 read 8.0",
	"PostMark":                     "PostMark v1.51 : 8/14/01",
	"fs_mark":                      "#  ./fs_mark  -d  /mnt/x  -s  10240  -n  1000",
	"etcdctl check perf":           "PASS: Throughput is 150 writes/s",
	"HammerDB":                     "Vuser 1:TEST RESULT : System achieved 50000 NOPM from 116000 PostgreSQL TPM",
	"mysqlslap":                    "\tAverage number of seconds to run all queries: 0.012 seconds",
	"redis-benchmark":              "====== PING_INLINE ======",
	"memtier_benchmark":            "[RUN #1] Preparing benchmark client...",
	"YCSB":                         "[OVERALL], RunTime(ms), 10110",
	"db_bench":                     "RocksDB:    version 7.9.2",
	"Speedtest":                    "   Speedtest by Ookla",
	"speedtest-cli":                "Retrieving speedtest.net configuration...",
	"nuttcp":                       "nuttcp-t: v6.1.2: socket",
	"qperf":                        "tcp_bw:",
	"NTttcp":                       "NTTTCP for Linux 1.4.0",
	"mtr":                          "HOST: pve1                        Loss%   Snt   Last   Avg  Best  Wrst StDev",
	"ping":                         "PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.",
	"ApacheBench":                  "This is ApacheBench, Version 2.3 <$Revision: 1879490 $>",
	"wrk":                          "Running 30s test @ http://127.0.0.1:8080/index.html",
	"COSBench":                     "COSBench driver 0.4.2",
	"mc support perf":              "MinIO 2023-05-04T21:44:30Z, 4 servers, 16 drives, 64 MiB objects, 6 threads",
	"k6":                           "     execution: local",
	"a kernel log":                 "[    1.234567] nvme nvme0: 8/0/0 default/read/poll queues",
	"vmstat":                       "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----",
	"mpstat":                       "Average:     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle",
	"lsblk":                        "NAME        MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS",
	"zpool status":                 "  pool: rpool",
	"perf stat":                    " Performance counter stats for 'dd if=/dev/zero of=/dev/null count=1000000':",
	"nvidia-smi":                   "| NVIDIA-SMI 535.104.05             Driver Version: 535.104.05   CUDA Version: 12.2     |",
	"blkparse":                     "CPU0 (8,0):",
}

func TestEachToolIsNamedByItsFirstLine(t *testing.T) {
	for _, tool := range tools {
		line, ok := firstLines[tool.Name]
		if !ok {
			t.Errorf("%s has no first line here", tool.Name)
			continue
		}
		if got := Of(line); got == nil || got.Name != tool.Name {
			t.Errorf("%q is of %v, want %s", line, got, tool.Name)
		}
		if tool.About == "" || tool.Instead == "" || strings.HasSuffix(tool.About, ".") {
			t.Errorf("%s: say what it is and what to do instead", tool.Name)
		}
	}
	if got := Of("[Tue Nov 14 20:20:26 2023] nvme nvme0: I/O 12 QID 3 timeout, aborting"); got == nil || !got.Log {
		t.Errorf("dmesg -T is of %v", got)
	}
}

func TestNothingElseIsNamed(t *testing.T) {
	for _, line := range []string{
		"", " ", "Benchmark", "Benchmarks: none", "Running the test for 30s", "Warning: Only root can do this", "This is a test", "# Tests", "====", "------",
		"[Read]", "[1]  1.00-2.00", "PING me", "NAME", "pool:", "Average: 12", "Geekbench gave 1747 points", "CPU0", "Log: none", "HD movies", "Vuser", "F3",
		"stress-ng is a tool", "Speedtest was slow", "ping -c 3 host", "IOR is a tool",
	} {
		if got := Of(line); got != nil {
			t.Errorf("%q is of %s", line, got.Name)
		}
	}
}

func TestJSONIsNamedByItsKeys(t *testing.T) {
	for name, keys := range map[string][]string{
		"lsblk": {"blockdevices"}, "Speedtest": {"type", "timestamp", "ping", "download", "upload", "packetLoss"}, "": {"name", "ping"},
	} {
		got := ""
		if tool := OfKeys(keys); tool != nil {
			got = tool.Name
		}
		if got != name {
			t.Errorf("%v are of %q, want %q", keys, got, name)
		}
	}
}
