package fio

import (
	"math"
	"slices"
	"strings"
	"testing"

	"assay"
)

// flushed is the output of fio 3.33 with --fdatasync=1 on ext4, without the ignored
// parts.
const flushed = `{"fio version" : "fio-3.33", "jobs" : [ { "jobname" : "wal", "job options" : {"rw" : "write", "bs" : "4k", "ioengine" : "psync", "fdatasync" : "1"},
"write" : { "io_bytes" : 9015296, "io_kbytes" : 8804, "bw_bytes" : 4507648, "iops" : 1100.5, "runtime" : 2000, "total_ios" : 2201,
 "clat_ns" : { "min" : 2000, "max" : 90000, "mean" : 9000.5, "stddev" : 100 } },
"sync" : { "total_ios" : 0,
 "lat_ns" : { "min" : 48122, "max" : 89282846, "mean" : 1767645.412540, "stddev" : 3706709.863704, "N" : 2201,
 "percentile" : { "50.000000" : 342016, "99.000000" : 12124160, "99.900000" : 36962304 } } } } ] }
`

func TestParseFlushes(t *testing.T) {
	ms, err := New().Parse(measured([]byte(flushed)))
	if err != nil {
		t.Fatal(err)
	}
	for metric, want := range map[string]float64{
		"storage.sync.latency.mean": 1767645.412540e-9, "storage.sync.latency.p50": 342016e-9, "storage.sync.latency.p99": 12124160e-9,
		"storage.sync.latency.p99_9": 36962304e-9, "storage.write.iops": 1100.5, "storage.sync.latency.max": 89282846e-9,
	} {
		i := slices.IndexFunc(ms, func(m assay.Measurement) bool { return m.Metric == metric })
		if i < 0 || math.Abs(ms[i].Value/want-1) > 1e-12 {
			t.Errorf("%s is not %g: %+v", metric, want, ms)
		} else if ms[i].Labels["fdatasync"] != "1" {
			t.Errorf("%s does not say that each write was flushed: %v", metric, ms[i].Labels)
		}
	}
	for _, none := range []string{`"N" : 0, "mean" : 0`, `"N" : 0`} {
		text := flushed[:strings.Index(flushed, `"sync"`)] + `"sync" : { "lat_ns" : { ` + none + ` } } } ] }` + "\n"
		ms, err := New().Parse(measured([]byte(text)))
		if err != nil || slices.ContainsFunc(ms, func(m assay.Measurement) bool { return strings.HasPrefix(m.Metric, "storage.sync.") }) {
			t.Errorf("a job without flushes has some: %+v, %v", ms, err)
		}
	}
}

// A flush after all writes is labelled, in whatever form it was asked for.
func TestAFinalFlushIsLabelled(t *testing.T) {
	for option, want := range map[string][2]string{
		`"end_fsync" : "1"`: {"1", ""}, `"end_fsync" : ""`: {"1", ""}, `"fsync_on_close" : "1"`: {"", "1"}, `"end_fsync" : "0"`: {"", ""},
	} {
		ms, err := New().Parse(measured([]byte(strings.Replace(flushed, `"fdatasync" : "1"`, option, 1))))
		if err != nil {
			t.Fatal(err)
		}
		m := figure(t, ms, "storage.write.iops")
		if got := [2]string{m.Labels["end_fsync"], m.Labels["fsync_on_close"]}; got != want {
			t.Errorf("%s: %q, want %q", option, got, want)
		}
	}
}

func TestAFlushIsAskedFor(t *testing.T) {
	one := trial(t, inventory(nil), map[string]string{"rw": "write", "bs": "8k", "engine": "psync", "direct": "0", "fdatasync": "1", "size": "256m"})
	argv, err := measureArgv(one, assay.Scratch{File: "/srv/x/data", Bytes: 256 << 20}, 1e9)
	if err != nil || !slices.Contains(argv, "--fdatasync=1") {
		t.Errorf("%q, %v", argv, err)
	}
	if _, err := readSettings("case-1", map[string]string{"rw": "randread", "fdatasync": "1"}); err == nil {
		t.Error("reads are flushed")
	}
}

// Drives are read only if measured storage is on them, and only by root.
func TestDrivesAreOnlyRead(t *testing.T) {
	for _, root := range []bool{true, false} {
		inv := inventory(func(f *assay.Facts) {
			f.Root = root
			f.Block = []assay.BlockDevice{{Name: "nvme0n1", Path: "/dev/nvme0n1", Kind: "disk", Bytes: 1 << 40}, {Name: "sda", Path: "/dev/sda", Kind: "disk", Bytes: 1 << 40}}
		})
		for _, name := range []string{"nvme0n1", "sda"} {
			inv.Subjects = append(inv.Subjects, assay.Subject{ID: "pve1/drive/" + name, Kind: assay.KindDrive, Host: "pve1", Name: name})
		}
		c := caseOf(map[string]string{"rw": "randread", "bs": "4k"})
		c.On = assay.KindDrive
		all, err := New().Trials(inv, c)
		if err != nil || len(all) != 1 || all[0].Subject.Name != "nvme0n1" || all[0].Risk != assay.Reads || (all[0].Absent == nil) != root {
			t.Fatalf("root %v: %+v, %v", root, all, err)
		}
		if space := ground(all[0], assay.Scratch{}); space.File != "/dev/nvme0n1" || all[0].Scratch != 0 {
			t.Errorf("%+v, scratch %d", space, all[0].Scratch)
		}
		c.Set["rw"] = "randwrite"
		if _, err := New().Trials(inv, c); err == nil {
			t.Error("a drive is written to")
		}
	}
}
