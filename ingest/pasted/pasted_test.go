package pasted

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/probe/probetest"
)

// read reads a capture with its tool's reader, as cut by ingest if the whole
// file is one output.
func read(t *testing.T, name, file, command string) ([]assay.Measurement, error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, name, string(text), command)
}

func parse(t *testing.T, name, text, command string) ([]assay.Measurement, error) {
	t.Helper()
	for _, r := range tools() {
		if r.name != name {
			continue
		}
		all, err := r.Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Argv: strings.Fields(command), Output: assay.Output{Stdout: []byte(text)}}}})
		probetest.CheckFigures(t, all, strings.Count(text, "\n")+1)
		return all, err
	}
	t.Fatalf("no tool %s", name)
	return nil, nil
}

// Figures as a person reads them in the file: "job metric" and value in base
// units.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		tool, file, command string
		count               int
		figures             map[string]float64
		labels              map[string]string // of the first figure
	}{
		{"crystaldiskmark", "cdm-8.0.4-gw560-usb.txt", "", 24, map[string]float64{
			"SEQ1M Q8T1 read storage.read.bandwidth": 384.064e6, "RND4K Q32T1 read storage.read.iops": 5283.2,
			"RND4K Q1T1 write storage.write.latency.mean": 158.92e-6, "SEQ1M Q8T1 write storage.write.bandwidth": 361.39e6,
		}, map[string]string{"version": "8.0.4", "size": "1073741824", "bs": "1048576", "iodepth": "8", "jobs": "1", "pattern": "read", "direct": "1"}},
		{"crystaldiskmark", "cdm-8-p3plus-nohead.txt", "", 24, map[string]float64{"RND4K Q32T1 read storage.read.iops": 204339.4}, nil},
		{"crystaldiskmark", "cdm-7.0.0-disk.txt", "", 24, map[string]float64{"RND4K Q32T16 write storage.write.iops": 168.7, "RND4K Q32T16 read storage.read.latency.mean": .63504304}, nil},
		{"crystaldiskmark", "cdm-3-pm851.txt", "", 12, map[string]float64{
			"SEQ1M read storage.read.bandwidth": 505.825e6, "RND512K write storage.write.bandwidth": 190.461e6, "RND4K Q32 write storage.write.iops": 42650.1,
		}, map[string]string{"size": "1048576000", "pattern": "read"}},
		{"kbench", "kbench-longhorn-nvme.txt", "", 12, map[string]float64{
			"randread iops storage.read.iops": 9380, "write iops storage.write.iops": 10262, "randwrite bandwidth storage.write.bandwidth": 160951 << 10,
			"randread latency storage.read.latency.mean": 902039e-9, "write latency storage.write.latency.mean": 1043971e-9,
		}, map[string]string{"bs": "4096", "iodepth": "64", "pattern": "randread", "direct": "1", "size": "30g", "runtime": ""}},
		{"kbench", "kbench-idleness.txt", "", 12, map[string]float64{"read bandwidth storage.read.bandwidth": 1047018 << 10}, nil},
		{"kbench", "kbench-compared.txt", "", 24, map[string]float64{"850-pro-raw randread iops storage.read.iops": 96735, "850-pro-ext4 randread latency storage.read.latency.mean": 114331e-9}, nil},
		{"kbench", "kbench-sys-usr.txt", "", 24, map[string]float64{"Local-Path randread bandwidth storage.read.bandwidth": 14168394 << 10, "Longhorn write latency storage.write.latency.mean": 236478e-9}, nil},
		{"bonnie++", "bonnie-1.97-csv.txt", "", 20, map[string]float64{"ceph-admin sequential create storage.files.create.rate": 20285, "ceph-admin random delete storage.files.delete.latency.max": 61e-6, "ceph-admin block input storage.read.bandwidth": 104162 << 10, "ceph-admin seeks storage.read.iops": 889.7}, map[string]string{"version": "1.97", "untimed": "sequential stat, sequential delete, random stat, random delete"}},
		{"bonnie++", "bonnie-1.03-fast.txt", "", 3, map[string]float64{
			"meghan block output storage.write.bandwidth": 118985 << 10, "meghan rewrite storage.write.bandwidth": 5173 << 10, "meghan block input storage.read.bandwidth": 294404 << 10,
		}, map[string]string{"version": "1.03", "size": "536870912"}},
		{"bonnie++", "bonnie-1.03-kernels.txt", "", 12, map[string]float64{
			"2.4.20-nas1 block input storage.read.bandwidth": 19056 << 10, "2.4.20-nas2 seeks storage.read.iops": 210.7,
		}, nil},
		{"bonnie++", "bonnie-1.03-mail.txt", "", 6, map[string]float64{"test seeks storage.read.iops": 1169, "test character output storage.write.bandwidth": 50317 << 10, "test block output storage.write.bandwidth": 232444 << 10, "test block input storage.read.bandwidth": 329821 << 10}, nil},
		{"bonnie++", "bonnie-nameless.txt", "", 5, map[string]float64{"character input storage.read.bandwidth": 102808 << 10, "block input storage.read.bandwidth": 415501 << 10, "block output storage.write.bandwidth": 312837 << 10}, map[string]string{"untimed": "seeks"}},
		{"iozone", "iozone-3.492-microsd.txt", "", 12, map[string]float64{
			"write 4k storage.write.bandwidth": 3087 << 10, "rewrite 4k storage.write.bandwidth": 3145 << 10, "read 4k storage.read.bandwidth": 10337 << 10,
			"reread 4k storage.read.bandwidth": 10376 << 10, "random read 4k storage.read.bandwidth": 9761 << 10, "random write 4k storage.write.bandwidth": 5744 << 10,
		}, map[string]string{"version": "3.492", "bs": "4096", "size": "104857600", "direct": "1", "pattern": "write", "cache": ""}},
		{"iozone", "iozone-3-vertex.txt", "", 8, map[string]float64{"random read 4k storage.read.bandwidth": 24719 << 10, "random write 4k storage.write.bandwidth": 11304 << 10}, nil},
		{"iozone", "iozone-3.408-buffered.txt", "", 8, map[string]float64{"random read 64k storage.read.bandwidth": 816017 << 10, "random write 64k storage.write.bandwidth": 10411 << 10},
			map[string]string{"direct": "0", "cache": "not dropped"}},
		{"iozone", "iozone-3.169-nfs.txt", "", 8, map[string]float64{
			"write 128k storage.write.bandwidth": 109333.84 * 1024, "reread 128k storage.read.bandwidth": 167226.50 * 1024,
		}, map[string]string{"jobs": "1", "bs": "131072"}},
		{"iozone", "iozone-nfs-mail.txt", "", 4, map[string]float64{
			"rewrite 256k storage.write.bandwidth": 516605.59 * 1024, "rewrite 256k tool.duration": 12 * 1048576 / 516605.59,
		}, map[string]string{"jobs": "12", "direct": "1"}},
		{"iozone", "iozone-mmap-table.txt", "", 36, map[string]float64{"random read 128k storage.read.bandwidth": 493423 << 10, "reread 256k storage.read.bandwidth": 870373 << 10}, nil},
		{"vdbench", "vdbench-50406-25g.txt", "", 7, map[string]float64{
			"rd1 storage.read.iops": 2136.74 * .3001, "rd1 storage.write.bandwidth": 2136.74 * .6999 * (1 << 20), "rd1 storage.read.latency.mean": 7.794e-3, "rd1 storage.write.latency.mean": 39.064e-3,
		}, map[string]string{"version": "50406", "bs": "1048576"}},
		{"hdparm", "hdparm-tT-xvda.txt", "hdparm -Tt /dev/xvda", 4, map[string]float64{
			"cached reads memory.read.bandwidth": 9423.90 * (1 << 20), "buffered disk reads storage.read.bandwidth": 392.62 * (1 << 20), "buffered disk reads tool.duration": 3,
		}, map[string]string{"scope": "cache"}},
		{"netperf", "../../../doc/apart/second/netperf-broken-line.txt", "", 2, map[string]float64{" net.tcp.throughput": 4742.36e6 / 8}, nil},
		{"pveperf", "pveperf-root.txt", "", 4, map[string]float64{
			"regex cpu.score": 3824412, "buffered reads storage.read.bandwidth": 239.96 * (1 << 20), "seek time storage.read.latency.mean": .00024, "fsync storage.sync.iops": 691.5,
		}, nil},
		{"pveperf", "pveperf-zfs.txt", "", 2, map[string]float64{"fsync storage.sync.iops": 96.6}, nil},
		{"yabs", "yabs-2024-epyc.txt", "", 21, map[string]float64{
			"4k storage.read.bandwidth": 388.78e6 * 1.024, "4k storage.write.iops": 389.81e6 * 1.024 / 4096, "64k storage.read.bandwidth": 1.23e9 * 1.024, "1m storage.write.iops": 540,
			"Clouvider London, UK (10G) send net.tcp.throughput": 8.18e9 / 8, "Clouvider Los Angeles, CA, US (10G) ping net.rtt.mean": .227,
		}, map[string]string{"device": "/dev/vda3", "pattern": "randrw", "iodepth": "64", "jobs": "2", "size": "2G", "bs": "4096"}},
		{"yabs", "yabs-2024-hetzner.txt", "", 18, map[string]float64{"geekbench single cpu.score": 1747, "geekbench multi cpu.score": 5374}, map[string]string{"version": "2024-01-01"}},
		{"ioping", "ioping-nvme-write.txt", "ioping -c10 /dev/nvme0n1 -D -WWW -s512", 7, map[string]float64{
			" storage.write.iops": 943, " storage.write.bandwidth": 471.9 * 1024, " storage.write.latency.mean": .00106, " storage.write.latency.max": .00183, " tool.duration": 9,
		}, map[string]string{"bs": "512", "pattern": "randwrite", "direct": "1", "file": "/dev/nvme0n1"}},
		{"ioping", "ioping-R-ssd.txt", "ioping -R /dev/sdf", 7, map[string]float64{" storage.read.iops": 23800, " storage.read.latency.max": .0879, " storage.read.latency.min": 33.1e-6}, nil},
		{"ioping", "ioping-0.6.txt", "ioping .", 7, map[string]float64{" tool.duration": 4.794, " storage.read.iops": 364, " storage.read.latency.mean": .0028}, map[string]string{"fs": "ext4", "bs": "4096"}},
		{"iostat", "iostat-12-one.txt", "", 13, map[string]float64{
			"nvme0n1 storage.read.iops": 2.45, "nvme0n1 storage.read.bandwidth": 126.93 * 1024, "sda storage.write.latency.mean": .03184,
		}, map[string]string{"observed": "since boot", "drive": "nvme0n1"}},
		{"iostat", "iostat-12-two.txt", "", 5, map[string]float64{
			"sda storage.write.iops": 395, "sda storage.write.bandwidth": 38116 * 1024, "sda storage.write.latency.mean": .00865, "sda storage.sync.iops": 2, "sda storage.sync.latency.mean": .0005,
		}, map[string]string{"observed": "1 interval"}},
		{"iostat", "../../../doc/tuned/iostat-human-narrow.txt", "", 5, map[string]float64{
			"sda storage.write.iops": 2062, "sda storage.write.bandwidth": 45.4 * (1 << 20), "sda storage.write.latency.mean": .00048, "sda storage.sync.iops": 576, "sda storage.sync.latency.mean": .0013,
		}, map[string]string{"observed": "since boot", "drive": "sda"}},
		{"stream", "../../../doc/tuned/stream-96-threads.txt", "", 4, map[string]float64{"copy memory.copy.bandwidth": 686067.7e6, "triad memory.copy.bandwidth": 718954.3e6}, map[string]string{"threads": "96"}},
		{"iostat", "iostat-10-vda.txt", "", 5, map[string]float64{"vda storage.read.latency.mean": .053}, nil},
		{"iostat", "iostat-plain.txt", "", 4, map[string]float64{"sdc storage.write.bandwidth": 24545.93 * 1024}, nil},
		{"zpool-iostat", "zpool-v.txt", "", 12, map[string]float64{
			"zroot storage.read.iops": 2.89 * 1024, "zroot storage.write.bandwidth": 850 << 20, "ada1p4 storage.write.iops": 383,
		}, map[string]string{"observed": "1 interval"}},
		{"zpool-iostat", "zpool-one.txt", "", 3, map[string]float64{"xwfs_test storage.read.bandwidth": 7.69 * 1024}, map[string]string{"observed": "since import"}},
		{"zpool-iostat", "zpool-comma.txt", "", 6, map[string]float64{"gggpool storage.read.bandwidth": 36.8 * (1 << 20)}, nil},
		{"diskspd", "diskspd-read-fsx.txt", "", 7, map[string]float64{
			" storage.read.bandwidth": 569.31 * (1 << 20), " storage.read.iops": 9108.89, " storage.read.latency.mean": .00351, " storage.read.ios": 1093208, " tool.duration": 120.02,
		}, map[string]string{"jobs": "1", "size": "99857989632", "file": `Z:\EC2AMAZ-07IMTRS-596612077.dat`}},
		{"diskspd", "../../../probe/diskspd/testdata/2.3.0-randread-4k.xml", "", 24, map[string]float64{
			" storage.read.iops": 54469 / 1.01, " storage.read.latency.p99": 2.778e-3, " tool.duration": 1.01,
		}, map[string]string{"version": "2.3.0", "pattern": "randread", "iodepth": "32", "direct": "1", "size": "67108864"}},
		{"bonnie++", "bonnie-2.00a-here.txt", "", 11, map[string]float64{
			"vm character input storage.read.latency.max": .795, "vm seeks storage.read.latency.max": .133,
			"vm block output storage.write.bandwidth": 43.7 * (1 << 20), "vm seeks storage.read.iops": 13305,
		}, map[string]string{"version": "2.00a", "size": "67108864", "untimed": "block input"}},
		{"bonnie++", "bonnie-1.97-ceph.txt", "", 20, map[string]float64{
			"ceph-admin block output storage.write.latency.max": 1.92,
			"ceph-admin block output storage.write.bandwidth":   86208 * 1024, "ceph-admin rewrite storage.write.bandwidth": 44422 * 1024,
			"ceph-admin block input storage.read.bandwidth": 104162 * 1024, "ceph-admin seeks storage.read.iops": 889.7,
		}, nil},
		{"bonnie++", "bonnie-1.03-raid5.txt", "", 10, map[string]float64{"uNAS random delete storage.files.delete.rate": 18930, "uNAS block input storage.read.bandwidth": 140359 * 1024}, map[string]string{"size": "4294967296"}},
		{"stream", "stream-threads.txt", "", 4, map[string]float64{"copy memory.copy.bandwidth": 8296.5e6, "triad memory.copy.bandwidth": 6155e6}, map[string]string{"threads": "4"}},
		{"stream", "stream-grace.txt", "", 4, map[string]float64{"add memory.copy.bandwidth": 348376.2e6}, nil},
		{"mbw", "mbw-1.2-here.txt", "mbw -n 2 16", 6, map[string]float64{"MEMCPY memory.copy.bandwidth": 2133.191 * (1 << 20), "MCBLOCK tool.duration": .03701}, nil},
		{"openssl", "openssl-3.0-here.txt", "", 6, map[string]float64{
			"AES-128-GCM 16 B cpu.cipher.throughput": 60795.2e3, "AES-128-GCM 16384 B cpu.cipher.throughput": 6431129.6e3,
		}, map[string]string{"cipher": "AES-128-GCM", "bs": "16", "threads": "1"}},
		{"openssl", "openssl-3.0-rsa-here.txt", "", 2, map[string]float64{"rsa 2048 sign cpu.score": 6233.3, "rsa 2048 verify cpu.score": 86380}, nil},
		{"7z", "7z-16.02-oracle.txt", "7z b", 3, map[string]float64{"compressing cpu.score": 8891, "decompressing cpu.score": 8403, "total cpu.score": 8647}, map[string]string{"threads": "3"}},
		{"pgbench", "pgbench-15.txt", "", 3, map[string]float64{" database.transactions": 4223.517576, " database.latency.mean": .001894, " tool.duration": 10}, map[string]string{"clients": "8", "threads": "4"}},
		{"pgbench", "pgbench-13.txt", "", 3, map[string]float64{" database.transactions": 997.0386}, map[string]string{"test": "builtin: TPC-B (sort of)", "scale": "3"}},
		{"pgbench", "pgbench-9-select.txt", "pgbench -h localhost -S -c 8 -t 25000 pgbench", 2, map[string]float64{" database.transactions": 540.624004, " tool.duration": 200000 / 540.590358}, nil},
		{"pgbench", "pgbench-15-instant.txt", "", 3, map[string]float64{" database.transactions": 7709.505821, " tool.duration": 500 / 7709.505821}, nil},
		{"netperf", "netperf-cpu.txt", "", 2, map[string]float64{" net.tcp.throughput": 8114.30e6 / 8, " tool.duration": 60}, map[string]string{"bs": "425984", "route": ""}},
		{"netperf", "netperf-stream.txt", "", 2, map[string]float64{" net.tcp.throughput": 9406.44e6 / 8, " tool.duration": 10}, map[string]string{"bs": "1500"}},
		{"netperf", "netperf-local.txt", "", 2, map[string]float64{" net.tcp.throughput": 41624.72e6 / 8}, map[string]string{"route": "local"}},
		{"netperf", "netperf-rr.txt", "", 2, map[string]float64{" net.rtt.mean": 1 / 43642.12, " tool.duration": 30}, nil},
		{"perftest", "perftest-send-ib.txt", "", 1, map[string]float64{"4096 B net.rdma.throughput": 11403.46 * (1 << 20)}, map[string]string{"test": "Send BW Test"}},
		{"perftest", "perftest-write-sizes.txt", "", 4, map[string]float64{"16 B net.rdma.throughput": 42.55 * (1 << 20)}, nil},
		{"as-ssd", "as-ssd-2.0-970evo.txt", "", 8, map[string]float64{
			"SEQ16M read storage.read.bandwidth": 2863.65 * (1 << 20), "RND4K T64 write storage.write.bandwidth": 1066.48 * (1 << 20), "access write storage.write.latency.mean": 46e-6,
		}, map[string]string{"version": "2.0.7316.34247", "direct": "1", "bs": "16777216", "pattern": "read", "jobs": "1", "interrupted": ""}},
		{"as-ssd", "as-ssd-2.0-mb.txt", "", 8, map[string]float64{"RND4K read storage.read.bandwidth": 60.63 * (1 << 20)}, nil},
		{"as-ssd", "as-ssd-2.0-iops.txt", "", 8, map[string]float64{
			"RND4K read storage.read.iops": 15521, "SEQ16M write storage.write.iops": 67.34, "access read storage.read.iops": 10204,
		}, nil},
		{"as-ssd", "as-ssd-2.0-hdd-stopped.txt", "", 4, map[string]float64{"SEQ16M write storage.write.bandwidth": 69.94 * (1 << 20)}, map[string]string{"interrupted": "there is no score"}},
		{"elbencho", "elbencho-3.0-direct.txt", "elbencho -w -b 4M -t 1 --blockvarpct 0 --direct -s 10g /local/scratch/tmp/file_elbencho", 4, map[string]float64{
			"WRITE storage.write.bandwidth": 885 << 20, "WRITE storage.write.iops": 221, "WRITE storage.write.bytes": 10240 << 20, "WRITE tool.duration": 11.559,
		}, map[string]string{"bs": "4194304", "jobs": "1", "iodepth": "1", "direct": "1", "pattern": "write"}},
		{"elbencho", "elbencho-1.8-latency.txt", "elbencho -r -b 4K --lat --direct --rand --size 1g /dev/sda", 7, map[string]float64{
			"READ storage.read.iops": 8219, "READ storage.read.latency.mean": 120e-6, "READ storage.read.latency.max": 1583e-6, "READ tool.duration": 6.001,
		}, map[string]string{"bs": "4096", "pattern": "randread", "direct": "1"}},
		{"elbencho", "elbencho-small-files.txt", "", 6, map[string]float64{
			"WRITE storage.write.bandwidth": 89 << 20, "READ storage.read.bandwidth": 116 << 20, "READ tool.duration": 1100.59,
		}, map[string]string{"pattern": "", "direct": "", "bs": ""}},
		{"elbencho", "elbencho-3.1-weka.csv", "", 14, map[string]float64{
			"WRITE storage.write.iops": 2941, "WRITE storage.write.bandwidth": 2941 << 20, "WRITE storage.write.bytes": 8192 << 20, "WRITE storage.write.latency.mean": 9383e-6,
			"READ storage.read.iops": 9048, "READ storage.read.latency.max": 6922e-6, "READ tool.duration": .905},
			map[string]string{"bs": "1048576", "iodepth": "4", "jobs": "8", "direct": "1", "pattern": "write", "tail": "yes"}},
		{"elbencho", "elbencho-3.1-percentiles.txt", "", 6, map[string]float64{
			"WRITE storage.write.iops": 653172, "WRITE storage.write.latency.p50": 4096e-6, "WRITE storage.write.latency.p99": 6889e-6, "WRITE tool.duration": 60.256}, nil},
		{"elbencho", "elbencho-cbt-write.txt", "", 4, map[string]float64{"WRITE storage.write.iops": 291, "WRITE storage.write.bandwidth": 36 << 20, "WRITE tool.duration": 30.196},
			map[string]string{"bs": "131072", "jobs": "4", "iodepth": "", "direct": ""}},
		{"elbencho", "elbencho-3.0-s3.txt", "", 3, map[string]float64{"WRITE object.put.ops": 84, "WRITE object.put.throughput": 21 << 20, "WRITE tool.duration": 1800.279},
			map[string]string{"jobs": "", "bs": "262144"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			all, err := read(t, c.tool, c.file, c.command)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]float64{}
			for _, m := range all {
				key := m.Labels["job"] + " " + m.Metric
				if _, twice := got[key]; twice {
					t.Errorf("%s twice", key)
				}
				got[key] = m.Value
			}
			if len(all) != c.count {
				t.Errorf("%d figures, want %d: %v", len(all), c.count, got)
			}
			for key, v := range c.figures {
				if g, ok := got[key]; !ok || math.Abs(g-v) > 1e-9*v {
					t.Errorf("%s is %v, want %v", key, g, v)
				}
			}
			for key, v := range c.labels {
				if all[0].Labels[key] != v {
					t.Errorf("label %s is %q, want %q", key, all[0].Labels[key], v)
				}
			}
		})
	}
}

// Notes kept in a script have the tool's lines after a #.
func TestLinesOfHdparmAsComments(t *testing.T) {
	all, err := parse(t, "hdparm", "# Timing O_DIRECT cached reads:   6324 MB in  2.00 seconds = 3163.52 MB/sec\n# Timing O_DIRECT disk reads: 9538 MB in  3.00 seconds = 3178.72 MB/sec\n", "hdparm -Tt --direct /dev/nvme0n1")
	if err != nil || len(all) != 4 {
		t.Fatal(all, err)
	}
	for _, m := range all {
		if m.Metric == "storage.read.bandwidth" && (m.Value != 3178.72*(1<<20) || m.Labels["direct"] != "1") {
			t.Error(m)
		}
	}
}

// If the size of the files is not printed, the wall time gives the length of a
// test.
func TestWallTimeOfIOzone(t *testing.T) {
	text := "\tChildren see throughput for 12 initial writers \t= 4732581.09 kB/sec\n\tMin xfer \t\t\t\t\t= 1017344.00 kB\n\tCPU Utilization: Wall time    2.671    CPU time    1.974    CPU utilization  73.89 %\n"
	all, err := parse(t, "iozone", text, "")
	if err != nil || len(all) != 2 || all[1].Metric != "tool.duration" || all[1].Value != 2.671 || all[1].Labels["job"] != all[0].Labels["job"] {
		t.Error(all, err)
	}
	if all, err = parse(t, "iozone", "\tFile size set to 1048576 kB\n"+text, ""); err != nil || len(all) != 2 || all[1].Value == 2.671 {
		t.Error(all, err)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ tool, file, says string }{
		{"crystaldiskmark", "cdm-7-two-columns.txt", "line 2: several results in one row"},
		{"hdparm", "hdparm-failed.txt", "no figure in the output"},
	} {
		all, err := read(t, c.tool, c.file, "")
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s gives %d figures and %v, want %q", c.file, len(all), err, c.says)
		}
	}
	for _, c := range []struct{ tool, text, says string }{
		{"crystaldiskmark", "  SEQ    1MiB (Q=  8, T= 1):  5024.997 MB/s [   4792.2 IOPS] <  1667.96 us>\n", "cannot tell a read from a write"},
		{"yabs", `{"version":"v2024","time":"x","os":{},"net":{},"cpu":{},"fio":[{"bs":"4k","speed_r":1,"iops_r":2,"speed_units":"MBps"}]}`, `the unit "MBps" of a speed is unknown`},
	} {
		all, err := parse(t, c.tool, c.text, "")
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.40q gives %d figures and %v, want %q", c.text, len(all), err, c.says)
		}
	}
}

func TestYABSAsJSON(t *testing.T) {
	// Keys and units are those of yabs.sh v2024-06-09.
	all, err := parse(t, "yabs", `{"version":"v2024-06-09","time":"20240618-085029","os":{"arch":"x64"},"net":{"ipv4":true},"cpu":{"model":"x"},"mem":{"ram":1},
"partition":"/dev/vda3","fio":[{"bs":"4k","speed_r":388782,"iops_r":97195,"speed_w":389807,"iops_w":97451,"speed_rw":778589,"iops_rw":194646,"speed_units":"KBps"}],
"iperf":[{"mode":"IPv4","provider":"Clouvider","loc":"London, UK (10G)","send":"8.18 Gbits/sec","recv":"busy ","latency":"4.29 ms"}],
"geekbench":[{"version":6,"single":1747,"multi":5374,"url":"https://browser.geekbench.com/v6/cpu/1"}]}
`, "")
	if err != nil || len(all) != 8 {
		t.Fatalf("%d figures, %v", len(all), err)
	}
	got := map[string]float64{}
	for _, m := range all {
		got[m.Labels["job"]+" "+m.Metric] = m.Value
	}
	for key, v := range map[string]float64{
		"4k storage.read.bandwidth": 388782 * 1024, "4k storage.write.iops": 97451, "geekbench single cpu.score": 1747,
		"Clouvider London, UK (10G) IPv4 send net.tcp.throughput": 8.18e9 / 8, "Clouvider London, UK (10G) IPv4 ping net.rtt.mean": .00429,
	} {
		if math.Abs(got[key]-v) > 1e-9*v {
			t.Errorf("%s is %v, want %v: %v", key, got[key], v, got)
		}
	}
}

// A netperf header that a narrow window wrapped before its second end.
func TestNetperfBrokenHead(t *testing.T) {
	const head = " TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET\nto 127.0.0.1 () port 0 AF_INET\n"
	tcp, err := parse(t, "netperf", "MIGRATED TCP STREAM"+head+"Recv   Send    Send\nSocket Socket  Message  Elapsed\nSize   Size    Size     Time     Throughput\n"+
		"bytes  bytes   bytes    secs.    10^6bits/sec\n\n131072  16384  16384    10.03     915.55\n", "")
	if err != nil || tcp[0].Metric != "net.tcp.throughput" || tcp[0].Value != 915.55e6/8 || tcp[0].Labels["route"] != "local" {
		t.Errorf("%+v, %v", tcp, err)
	}
	udp, err := parse(t, "netperf", "MIGRATED UDP STREAM"+head+"Socket  Message  Elapsed      Messages\nSize    Size     Time         Okay Errors   Throughput\n"+
		"bytes   bytes    secs            #      #   10^6bits/sec\n\n212992   65507   10.00       18192      0     953.35\n212992           10.00       18192            953.35\n", "")
	if err != nil || udp[0].Metric != "net.udp.throughput" || udp[0].Value != 953.35e6/8 {
		t.Errorf("%+v, %v", udp, err)
	}
}

func TestPgbenchRows(t *testing.T) {
	all, err := parse(t, "pgbench", "progress: 60.0 s, 920.3 tps, lat 8.682 ms stddev 5.071\nprogress: 120.0 s, 552.1 tps, lat 14.447 ms stddev 23.955\n"+
		"transaction type: <builtin: TPC-B (sort of)>\nnumber of clients: 8\nduration: 120 s\nlatency average = 11.561 ms\ntps = 736.2 (without initial connection time)\n", "")
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Sample{{At: 60, Value: 920.3}, {At: 120, Value: 552.1}}
	if i := slices.IndexFunc(all, func(m assay.Measurement) bool { return m.Metric == "database.transactions" }); i < 0 || !slices.Equal(all[i].Samples, want) {
		t.Errorf("%+v", all)
	}
}

// The operations tell the script that divides KiB by 1024 from older ones: 4 KiB at
// 164,800 per second are 675 MB/s, but were printed as 659.
func TestYABSOfBothUnits(t *testing.T) {
	for speed, want := range map[string]float64{"675.02": 675.02e6, "659.20": 659.2e6 * 1.024} {
		all, err := parse(t, "yabs", "fio Disk Speed Tests (Mixed R/W 50/50) (Partition /dev/md3):\n---\n"+
			"Block Size | 4k            (IOPS) | 512k          (IOPS)\n  ------   | ---            ----  | ----           ---- \n"+
			"Read       | "+speed+" MB/s (164.8k) | 834.42 MB/s   (1.5k)\n", "")
		if err != nil || len(all) != 4 {
			t.Fatalf("%d figures, %v", len(all), err)
		}
		if got := all[0].Value; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s MB/s is %v, want %v", speed, got, want)
		}
	}
}

// No line of any capture opens two tools' output, and each capture is opened by
// its own tool.
func TestBeginnings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			var claims []string
			for _, r := range tools() {
				if line = strings.TrimPrefix(line, "> "); r.starts(line) != r.begins(line) {
					t.Errorf("%s: the first byte of %q is not listed", r.name, line)
				}
				if r.starts(line) {
					claims = append(claims, r.name)
				}
			}
			if len(claims) > 1 {
				t.Errorf("%s, line %d is claimed by %v: %s", file, i+1, claims, line)
			}
		}
	}
	for _, line := range []string{
		"[Read", "[Mix]", "Sequential reads are fast: 500 MB/s", "Device: /dev/sda", "Device         Boot Start       End   Sectors  Size Id Type",
		"Timing is everything", "--- a/file.go", "--- fio statistics ---", "pool: tank", "capacity", "# v2024", "12 bytes from a to b", "Function", "AVG 12", "type of 16 bytes", "Doing it for 3s", "RAM size: 16 GB", "tps = 12",
		"Results for me", "TCP STREAM", "#bytes", "Version 2.0", "Command Line: fio", "REGEX/SECOND is a number", "AS SSD Benchmark is for Windows", "OPERATION RESULT", "COMMAND LINE: fio",
	} {
		for _, r := range tools() {
			if r.starts(line) {
				t.Errorf("%s begins with %q", r.name, line)
			}
		}
	}
}

// AS SSD's MB are MiB: one run on one drive, copied in MB/s and in iops.
func TestMegabytesOfASSSDAreBinary(t *testing.T) {
	speed, err := read(t, "as-ssd", "as-ssd-2.0-mb.txt", "")
	if err != nil {
		t.Fatal(err)
	}
	counts, err := read(t, "as-ssd", "as-ssd-2.0-iops.txt", "")
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range speed {
		bs := number(m.Labels["bs"])
		if counts[i].Labels["job"] != m.Labels["job"] || strings.HasSuffix(m.Metric, "bandwidth") && math.Abs(counts[i].Value*bs/m.Value-1) > 1e-3 {
			t.Errorf("%s is %v, and %v times %v B", m.Labels["job"], m.Value, counts[i].Value, bs)
		}
	}
}

// AS SSD prints in the locale of Windows, access times with three decimals.
func TestDecimalCommaOfASSSD(t *testing.T) {
	point := regexp.MustCompile(`(?m)^((?:Read|Write): \d+)\.(\d+ \S+)$`)
	for _, file := range []string{"as-ssd-2.0-970evo.txt", "as-ssd-2.0-hdd-stopped.txt", "as-ssd-2.0-iops.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, access := range []string{"Read: 0.090 ms", "Read: 15.203 ms"} {
			original := strings.Replace(string(text), "Read: 0.090 ms", access, 1)
			want, err := parse(t, "as-ssd", original, "")
			if err != nil {
				t.Fatal(err)
			}
			got, err := parse(t, "as-ssd", point.ReplaceAllString(original, "$1,$2"), "")
			if err != nil || len(got) != len(want) {
				t.Fatalf("%s: %d figures, want %d, %v", file, len(got), len(want), err)
			}
			for i, m := range got {
				if m.Metric != want[i].Metric || m.Value != want[i].Value {
					t.Errorf("%s, %s: %s is %v, want %v", file, access, m.Metric, m.Value, want[i].Value)
				}
			}
		}
	}
}

func TestDecimalCommas(t *testing.T) {
	for text, want := range map[string]float64{"0,054": .054, "1,054": 1054, "1,05": 1.05, "15,521.5": 15521.5, "1,234,567": 1234567, ",": -1} {
		if got := number(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

// iostat -y omits the report since boot if there is an interval: all reports are of intervals.
func TestIostatWithoutTheReportSinceBoot(t *testing.T) {
	text, err := os.ReadFile("testdata/iostat-12-two.txt")
	if err != nil {
		t.Fatal(err)
	}
	one := strings.LastIndex(string(text), "\n\n\n")
	for _, c := range []struct {
		command, text, observed string
		iops                    float64
	}{
		{"iostat -xy 1 2", string(text), "2 intervals", (9.58 + 395) / 2},
		{"iostat -x -y sda 1", string(text), "2 intervals", (9.58 + 395) / 2},
		{"iostat -xy 1 1", string(text[:one]), "1 interval", 9.58},
		{"iostat -xy", string(text[:one]), "since boot", 9.58},
		{"iostat -x 1 2", string(text), "1 interval", 395},
		{"", string(text), "1 interval", 395},
	} {
		all, err := parse(t, "iostat", c.text, c.command)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			if m.Metric == "storage.write.iops" && (m.Value != c.iops || m.Labels["observed"] != c.observed) {
				t.Errorf("%s: %v, %s", c.command, m.Value, m.Labels["observed"])
			}
		}
	}
}

// The percentiles of DiskSpd stand below the parts, whose last is Write IO: each column has
// its own pattern.
func TestPatternOfDiskspdPercentiles(t *testing.T) {
	text, err := os.ReadFile("testdata/diskspd-read-fsx.txt")
	if err != nil {
		t.Fatal(err)
	}
	const rest = `
Write IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
-----------------------------------------------------------------------------------------------------
total:                 0 |            0 |       0.00 |       0.00 |    0.000 |       N/A

total:
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |      1.200 |        N/A |      1.200
   50th |      3.400 |        N/A |      3.400
   99th |      8.100 |        5.2 |      8.100
    max |     40.100 |        N/A |     40.100
`
	const random = "\tusing random I/O (alignment: 64KiB)\n"
	for head, want := range map[string][2]string{
		random:                                 {"randread", "randwrite"},
		"\tusing sequential I/O\n":             {"read", "write"},
		random + "\tperforming mix test (r)\n": {"randrw", "randrw"},
		"":                                     {"", ""},
	} {
		all, err := parse(t, "diskspd", head+string(text)+rest, "")
		if err != nil {
			t.Fatal(err)
		}
		p99 := 0
		for _, m := range all {
			if strings.HasSuffix(m.Metric, "latency.p99") {
				p99++
			}
			for k, stem := range []string{"storage.read.", "storage.write."} {
				if strings.HasPrefix(m.Metric, stem) && m.Labels["pattern"] != want[k] {
					t.Errorf("%q: %s has pattern %q, want %q", head, m.Metric, m.Labels["pattern"], want[k])
				}
			}
		}
		if p99 != 2 {
			t.Errorf("%q: %d figures are a p99", head, p99)
		}
	}
}

// So does zpool iostat -y.
func TestZpoolIostatWithoutTheReportSinceImport(t *testing.T) {
	text, err := os.ReadFile("testdata/zpool-v.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(text), "\n")
	one := rows[:strings.LastIndex(rows, "              capacity")]
	for _, c := range []struct {
		command, text, observed string
		iops                    float64
	}{
		{"zpool iostat -vy zroot 5", rows, "2 intervals", (25 + 2.89*1024) / 2},
		{"zpool iostat -y -v zroot 0.5 2", rows, "2 intervals", (25 + 2.89*1024) / 2},
		{"zpool iostat -vy zroot 5 1", one, "1 interval", 25},
		{"zpool iostat -v zroot 5", rows, "1 interval", 2.89 * 1024},
		{"zpool iostat -v zroot", one, "since import", 25},
	} {
		all, err := parse(t, "zpool-iostat", c.text, c.command)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range all {
			if m.Metric == "storage.read.iops" && m.Labels["job"] == "zroot" {
				if found++; m.Value != c.iops || m.Labels["observed"] != c.observed {
					t.Errorf("%s: %v, %s", c.command, m.Value, m.Labels["observed"])
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %d figures", c.command, found)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), text, "x -D -W -L -s 4k /dev/sda")
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte, command string) {
		all := tools()
		r := all[int(which)%len(all)]
		if !figuresAreSound(t, r, text, command) {
			return
		}
		for _, line := range strings.SplitN(string(text), "\n", 50) {
			bare := strings.TrimLeft(line, " \t") // indented lines begin an output, too
			if (r.begins(line) || r.begins(bare)) != r.starts(line) && bare == strings.TrimSpace(line) {
				t.Fatalf("%s begins with %q, whose first byte is not listed", r.name, line)
			}
			r.splits(text, line)
		}
	})
}

// The CSV line below a table has the same figures, unrounded.
func TestBonnieTableAndCSVAgree(t *testing.T) {
	for _, file := range []string{"bonnie-1.97-ceph.txt", "bonnie-2.00a-here.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		parse := func(text string) (map[string]float64, string) {
			all, err := bonnie.Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: []byte(text)}}}})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			figures := map[string]float64{}
			for _, m := range all {
				figures[m.Labels["job"]+" "+m.Metric] = m.Value
			}
			return figures, all[0].Labels["untimed"]
		}
		table, quick := parse(strings.Join(lines[:len(lines)-1], "\n"))
		record, alsoQuick := parse(lines[len(lines)-1])
		if len(table) != len(record) || quick == "" || quick != alsoQuick {
			t.Errorf("%s: %d figures and %d, too quick were %q and %q", file, len(table), len(record), quick, alsoQuick)
		}
		for name, v := range table {
			if math.Abs(record[name]-v) > .01*v {
				t.Errorf("%s: %s is %g in the table and %g in CSV", file, name, v, record[name])
			}
		}
	}
}

// Without a command, the heading names the drive.
func TestDriveOfHdparmsHeading(t *testing.T) {
	all, err := parse(t, "hdparm", "/dev/nvme0n1:\n Timing buffered disk reads: 410 MB in  3.00 seconds = 136.67 MB/sec\n", "")
	if err != nil || len(all) == 0 || all[0].Labels["file"] != "/dev/nvme0n1" {
		t.Errorf("%+v, %v", all, err)
	}
}

// A line of hdparm may end with a full stop, as in prose.
func TestHdparmBeforeAFullStop(t *testing.T) {
	all, err := parse(t, "hdparm", "Timing buffered disk reads: 64 MB in 1.09 seconds = 58.57 MB/sec.\n", "")
	if err != nil || len(all) != 2 || all[0].Value != 58.57*(1<<20) {
		t.Errorf("%+v, %v", all, err)
	}
}

// Mail puts hdparm's unit on a line of its own.
func TestHdparmWrappedByMail(t *testing.T) {
	all, err := parse(t, "hdparm", "/dev/md0:\n Timing buffered disk reads:  64 MB in  3.05 seconds = 20.98\nMB/sec\n", "")
	if err != nil || len(all) != 2 || all[0].Value != 20.98*(1<<20) {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err := parse(t, "hdparm", " Timing buffered disk reads:  64 MB in  3.05 seconds = 20.98\n", ""); err == nil {
		t.Errorf("cut off before its unit: %+v", all)
	}
}

// What bonnie++ left out with -f is no column, and an output of only plus signs has no figure.
func TestBonnieWithoutCharacters(t *testing.T) {
	const head = "Version  1.97       ------Sequential Output------ --Sequential Input- --Random-\nMachine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP\n"
	all, err := bonnie.Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: []byte(head +
		"box              4G           56561  10 32386  12           88826  16 +++++ +++\nLatency                        5549ms     228ms             43102us     430ms\n")}}}})
	var got []string
	for _, m := range all {
		got = append(got, fmt.Sprint(m.Labels["job"], " ", m.Metric, " ", m.Value))
	}
	want := []string{
		"box block output storage.write.bandwidth 5.7918464e+07", "box rewrite storage.write.bandwidth 3.3163264e+07", "box block input storage.read.bandwidth 9.0957824e+07",
		"box block output storage.write.latency.max 5.549", "box rewrite storage.write.latency.max 0.228", "box block input storage.read.latency.max 0.043102", "box seeks storage.read.latency.max 0.43",
	}
	if err != nil || !slices.Equal(got, want) || all[0].Labels["untimed"] != "seeks" {
		t.Errorf("%q, %v", got, err)
	}
	_, err = bonnie.Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: []byte(head + "box 4G +++++ +++ +++++ +++ +++++ +++ +++++ +++ +++++ +++ +++++ +++\n")}}}})
	if err == nil || !strings.Contains(err.Error(), "too quick to be timed") {
		t.Errorf("plus signs alone give %v", err)
	}
}

// What yabs prints side by side is always in the same order.
func TestOrderOfYabs(t *testing.T) {
	for _, file := range []string{"yabs-2024-epyc.txt", "yabs-2024-hetzner.txt"} {
		var first string
		for range 20 {
			all, err := read(t, "yabs", file, "")
			if err != nil {
				t.Fatal(err)
			}
			var order string
			for _, m := range all {
				order += m.Labels["job"] + " " + m.Metric + "\n"
			}
			if first == "" {
				first = order
			} else if order != first {
				t.Fatalf("%s: first\n%s\nthen\n%s", file, first, order)
			}
		}
	}
}
