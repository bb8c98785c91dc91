package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// shown returns what was read, one line a figure: "subject: 4k randread iops 12800 [depth 32, jobs 4]".
func shown(t Table) []string {
	var all []string
	for _, r := range t.Results {
		for _, m := range r.Repeats[0].Measurements {
			var how []string
			for _, key := range []string{"bs", "pattern", "iodepth", "jobs", "direct", "varies"} {
				if v := m.Labels[key]; v != "" {
					how = append(how, key+"="+v)
				}
			}
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %.6g %s", m.Labels["subject"], strings.TrimPrefix(m.Metric, "storage."), m.Value, strings.Join(how, " "))))
		}
	}
	return all
}

// How people lay out the results of fio in Markdown, and what each figure is.
func TestShapesOfTables(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		unread     int
	}{
		{"what was done in the row's name, in brackets too", `
| Test | Bandwidth | IOPS | Avg Latency | Total I/O |
|---|---|---|---|---|
| Sequential Write (1 MiB, 1 job) | 200 MiB/s (210 MB/s) | 200 | 5.00 ms | 6,000 MiB |
| Random Read (4 KiB, 4j x 32d) | 80 MiB/s | 20,480 | 6.25 ms | 2 GiB |
`, []string{
			"write.bandwidth 2.09715e+08 bs=1m pattern=write jobs=1", "write.iops 200 bs=1m pattern=write jobs=1", "write.latency.mean 0.005 bs=1m pattern=write jobs=1",
			"read.bandwidth 8.38861e+07 bs=4k pattern=randread iodepth=32 jobs=4", "read.iops 20480 bs=4k pattern=randread iodepth=32 jobs=4", "read.latency.mean 0.00625 bs=4k pattern=randread iodepth=32 jobs=4",
		}, 0},
		{"columns of settings beside columns of things", `
| Test | Pattern | Block Size | Jobs | Depth | ssd | pool |
|---|---|---|---|---|---|---|
| Seq. write | write | 1 MiB | 1 | 1 | 300 MiB/s | 120 MiB/s |
| Rand read | randread | 4 KiB | 4 | 32 | 21.5k IOPS | 419 IOPS |
`, []string{
			"ssd write.bandwidth 3.14573e+08 bs=1mib pattern=write iodepth=1 jobs=1 varies=subject", "ssd read.iops 21500 bs=4kib pattern=randread iodepth=32 jobs=4 varies=subject",
			"pool write.bandwidth 1.25829e+08 bs=1mib pattern=write iodepth=1 jobs=1 varies=subject", "pool read.iops 419 bs=4kib pattern=randread iodepth=32 jobs=4 varies=subject",
		}, 0},
		{"reads and writes of one test", `
| Test | R BW MB/s | W BW MB/s | R IOPS | W IOPS | R p99 ms |
|---|---|---|---|---|---|
| Mixed randrw Zipf 70/30 | 2.0 | 0.9 | 509 | 223 | 37.5 |
| Seq write, HDD | — | 139.4 | — | 139 | — |
`, []string{
			"Mixed randrw Zipf 70/30 read.bandwidth 2e+06 pattern=randrw", "Mixed randrw Zipf 70/30 write.bandwidth 900000 pattern=randrw",
			"Mixed randrw Zipf 70/30 read.iops 509 pattern=randrw", "Mixed randrw Zipf 70/30 write.iops 223 pattern=randrw", "Mixed randrw Zipf 70/30 read.latency.p99 0.0375 pattern=randrw",
			"Seq write, HDD write.bandwidth 1.394e+08 pattern=write", "Seq write, HDD write.iops 139 pattern=write",
		}, 0},
		{"both directions in one cell", `
| Test | Throughput | IOPS (Read/Write) |
|---|---|---|
| Mixed R/W (256 KiB, 4j x 16d) | R: 693 / W: 300 MiB/s | 2,772 / 1,200 |
`, []string{
			"read.bandwidth 7.26663e+08 bs=256k pattern=mixed iodepth=16 jobs=4", "write.bandwidth 3.14573e+08 bs=256k pattern=mixed iodepth=16 jobs=4",
			"read.iops 2772 bs=256k pattern=mixed iodepth=16 jobs=4", "write.iops 1200 bs=256k pattern=mixed iodepth=16 jobs=4",
		}, 0},
		{"several figures in one cell", `
| Test | Config | Result | Spec Target |
|---|---|---|---|
| 4K randread | QD1, 1 job | **84 µs avg**, 11,862 IOPS | 1,600,000 IOPS |
| 128K seq read | QD32, 1 job | 2,149 MB/s · 3 runs | 7,000 MB/s |
`, []string{
			"read.latency.mean 8.4e-05 bs=4k pattern=randread iodepth=1 jobs=1", "read.iops 11862 bs=4k pattern=randread iodepth=1 jobs=1",
			"read.bandwidth 2.149e+09 bs=128k pattern=read iodepth=32 jobs=1",
		}, 1},
		{"two things with several measures each, and what was calculated from them", `
| phase | old IOPS | old BW | new IOPS | new BW | new vs old |
|---|---|---|---|---|---|
| 4k randread | 250k | 1024 MB/s | 225.5k | 924 MB/s | **−10 %** |
`, []string{
			"old read.iops 250000 bs=4k pattern=randread varies=subject", "old read.bandwidth 1.024e+09 bs=4k pattern=randread varies=subject",
			"new read.iops 225500 bs=4k pattern=randread varies=subject", "new read.bandwidth 9.24e+08 bs=4k pattern=randread varies=subject",
		}, 0},
		{"figures of a table with tests that another describes", `
| Test | Block Size | Pattern | IO Depth | Jobs | Measures |
|---|---|---|---|---|---|
| Random Read 4K | 4K | randread | 64 | 4 | IOPS |
| Random Read 4K (Latency) | 4K | randread | 1 | 1 | Latency (μs) |

| Test | IOPS | Lat p50 (µs) |
|---|---|---|
| Random Read 4K | 19,980 | 828 |
| Random Read 4K (Latency) | 3,842 | 236 |
`, []string{
			"read.iops 19980 bs=4k pattern=randread iodepth=64 jobs=4", "read.latency.p50 0.000828 bs=4k pattern=randread iodepth=64 jobs=4",
			"read.iops 3842 bs=4k pattern=randread iodepth=1 jobs=1", "read.latency.p50 0.000236 bs=4k pattern=randread iodepth=1 jobs=1",
		}, 0},
		{"a column of reads and one of writes", `
| Test | Read | Write |
|---|---|---|
| SEQ1M Q8T1 | 3,500 MB/s | 3,000 MB/s |
| RND4K Q32T16 | 600k IOPS | 500 K IOPS |
`, []string{
			"read.bandwidth 3.5e+09 bs=1m pattern=read iodepth=8 jobs=1", "write.bandwidth 3e+09 bs=1m pattern=write iodepth=8 jobs=1",
			"read.iops 600000 bs=4k pattern=randread iodepth=32 jobs=16", "write.iops 500000 bs=4k pattern=randwrite iodepth=32 jobs=16",
		}, 0},
		{"thousands apart", `
| Disk | Random read IOPS |
|---|---|
| a | 5 682 |
| b | 1 005 682.5 |
`, []string{"a read.iops 5682 pattern=randread varies=drive", "b read.iops 1.00568e+06 pattern=randread varies=drive"}, 0},
		{"a path that is a place", `
| Path | Seq Read | Seq Write |
|---|---|---|
| mdadm RAID0 | 27.7 GB/s | 25.5 GB/s |
`, []string{"mdadm RAID0 read.bandwidth 2.77e+10 pattern=read", "mdadm RAID0 write.bandwidth 2.55e+10 pattern=write"}, 0},
		{"names made of words, and a unit for the whole row", `
| Workload | raw | file | Change |
|---|---|---|---|
| seq_read | 4,391 MB/s | 2,902 (66%) | −34 % |
| randread-4k-qd32 | 141K IOPS | 14.7K (10%) | −90 % |
| rand-write | 63.2 kIOPS | 29.4 | - |
`, []string{
			"raw read.bandwidth 4.391e+09 pattern=read varies=subject", "raw read.iops 141000 bs=4k pattern=randread iodepth=32 varies=subject", "raw write.iops 63200 pattern=randwrite varies=subject",
			"file read.bandwidth 2.902e+09 pattern=read varies=subject", "file read.iops 14700 bs=4k pattern=randread iodepth=32 varies=subject",
		}, 1},
		{"a column of blocks", `
| workload | block | IOPS | MiB/s | mean ms |
|---|---:|---:|---:|---:|
| randwrite | 128k | 256 | 32 | 15.3 |
| write | 4k | 99,254 | 387.7 | 0.035 |
`, []string{
			"write.iops 256 bs=128k pattern=randwrite", "write.bandwidth 3.35544e+07 bs=128k pattern=randwrite", "write.latency.mean 0.0153 bs=128k pattern=randwrite",
			"write.iops 99254 bs=4k", "write.bandwidth 4.06533e+08 bs=4k", "write.latency.mean 3.5e-05 bs=4k",
		}, 0},
		{"percentiles without the word latency, engines, marks of footnotes", `
| Job | P50 | P99 | avg clat mean (us) |
|---|---|---|---|
| randread 4k psync QD1 | 39 µs ¹ | 1.1 ms* | 41.5 |
`, []string{"read.latency.p50 3.9e-05 bs=4k pattern=randread iodepth=1", "read.latency.p99 0.0011 bs=4k pattern=randread iodepth=1", "read.latency.mean 4.15e-05 bs=4k pattern=randread iodepth=1"}, 0},
		{"a unit once in a column, and a spread before it", `
| recordsize | random read 4K | sequential write |
|---|---|---|
| small | 52,289 IOPS | 823 (31) MB/s |
| large | 11,787 | 1,107 (9) MB/s |
`, []string{
			"small read.iops 52289 bs=4k pattern=randread varies=subject", "small write.bandwidth 8.23e+08 pattern=write varies=subject",
			"large read.iops 11787 bs=4k pattern=randread varies=subject", "large write.bandwidth 1.107e+09 pattern=write varies=subject",
		}, 0},
		{"a median is no mean, and the first of three runs no mix", `
| Run | Result |
|---|---|
| 4k randread 1/3 | 84 µs median, 11k IOPS |
`, []string{"4k randread 1/3 read.latency.p50 8.4e-05 bs=4k pattern=randread", "4k randread 1/3 read.iops 11000 bs=4k pattern=randread"}, 0},
		{"shares of something else", `
| Job | a / b |
|---|---|
| seq write 1M | 22.0% |
`, nil, 0},
		{"Russian units", `
| Тест | SD | SSD |
|---|---|---|
| seq read 1M | 93.5 МБ/с | 370 МБ/с |
| rand read 4K | 2476 IOPS | 2743 IOPS |
`, []string{
			"SD read.bandwidth 9.35e+07 bs=1m pattern=read varies=subject", "SD read.iops 2476 bs=4k pattern=randread varies=subject",
			"SSD read.bandwidth 3.7e+08 bs=1m pattern=read varies=subject", "SSD read.iops 2743 bs=4k pattern=randread varies=subject",
		}, 0},
		{"what contradicts itself or is not said", `
| Test | Read IOPS | MB/s |
|---|---|---|
| Random write | 400 | - |
| Random write IOPS | - | 1 |
| Sustained write 60s | - | 25 |
| Mixed 4k | - | 9.2 K + 4.0 K |
`, nil, 4},
		{"goals", `
| Metric | Target (NVMe) | Target (SATA) |
|---|---|---|
| Random read 4K | 50k IOPS | 30k IOPS |
`, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Blog([]byte(c.text))
			if all := shown(got); !slices.Equal(all, c.want) || len(got.Unread) != c.unread {
				t.Errorf("got\n\t%s\nwant\n\t%s\nunread, %d wanted: %v", strings.Join(all, "\n\t"), strings.Join(c.want, "\n\t"), c.unread, got.Unread)
			}
			stands(t, got)
		})
	}
}

// A heading may say that it was memory.
func TestTmpfsOfAHeading(t *testing.T) {
	got := Blog([]byte("### Storage — tmpfs (memory)\n\n| Test | box |\n|---|---|\n| Sequential write 1M | 21,376 MB/s |\n"))
	if m := find(got, "box 1m write", "storage.write.bandwidth"); m == nil || m.Labels["fs"] != "tmpfs" {
		t.Errorf("%+v", got)
	}
}

// Rows of different tests are not compared with each other, even if one of them has a name
// that says more than the test.
func TestTestsAreNoComparison(t *testing.T) {
	got := Blog([]byte("| Test | IOPS | MB/s |\n|---|---|---|\n| 4k random read | 1000 | 4.1 |\n| 4k random write, cold | 500 | 2.0 |\n| seq read | 3 | 3 |\n"))
	if len(got.Results) != 3 {
		t.Fatalf("%d results, unread %v", len(got.Results), got.Unread)
	}
	for _, r := range got.Results {
		if r.Trial.Comparison != "" {
			t.Errorf("%s belongs to %q", r.Trial.ID, r.Trial.Comparison)
		}
	}
}

// What typing may have cut off a figure: one unit of its last digit.
func TestLastDigit(t *testing.T) {
	got := Blog([]byte("| Test | IOPS | Bandwidth |\n|---|---|---|\n| 1m seq read | 27K | 27.7 GB/s |\n| 1m seq write | 1,234 | 1.294e3 MB/s |\n"))
	lost := map[string]string{}
	for _, r := range got.Results {
		for _, m := range r.Repeats[0].Measurements {
			lost[m.Metric] = m.Labels["rounding"]
		}
	}
	if want := map[string]string{"storage.read.iops": "1e+03", "storage.read.bandwidth": "1e+08", "storage.write.iops": "1", "storage.write.bandwidth": "1e+06"}; !maps.Equal(lost, want) {
		t.Errorf("%v, want %v", lost, want)
	}
	for text, want := range map[string]float64{"5K": 1000, "0": 0, "5.25": .01, "1e3": 1000, "12,345.6": .1} {
		v, _, err := cutNumber(text)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(text, "K") {
			v *= 1000
		}
		var off float64
		if _, err := fmt.Sscan(lastDigit(text, v), &off); err != nil || math.Abs(off-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", text, off, want)
		}
	}
}
