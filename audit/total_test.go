package audit

import (
	"math"
	"testing"
	"time"

	"assay"

	"pgregory.net/rapid"
)

var (
	anyFloat = rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1, -1, .5, 1e-9, 1e9, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324}),
		rapid.Float64(), rapid.Float64Range(0, 1e6))
	anyInt   = rapid.OneOf(rapid.SampledFrom([]int64{0, 1, -1, 4096, math.MaxInt64, math.MinInt64}), rapid.Int64())
	anyTruth = rapid.SampledFrom([]*bool{nil, is(true), is(false)})
	anyWord  = rapid.OneOf(rapid.SampledFrom([]string{
		"", "0", "1", "-3", "4k", "1M", "4096B-4096B", "1e99", "9223372036854775807", "99999999999999999999", "k", "-", "randread", "write", "read", "rw",
		"fio", "dd", "sysbench", "warm", "cold: drop_caches", "unknown", "psync", "libaio", "zero", "dram", "cache", "sync", "dsync", "fdatasync", "NaN", "Inf",
		"rados", "not dropped", "10GiB", "300 TB", "1e308MB", "20s", "5 m", "/dev/sda", "/mnt/f", "allocated", "seq", "none", "disk",
	}), rapid.String())
	anyName = rapid.SampledFrom([]string{"", "sda", "sda1", "/data", "/dev/sda", "h", "tank/data", "x"})
	anyFS   = rapid.SampledFrom([]string{"", "ext4", "tmpfs", "overlay", "9p", "zfs", "btrfs", "nfs4", "x"})
	anyBus  = rapid.SampledFrom([]assay.Bus{"", "nvme", "sata", "usb", "mmc", "virtio", "loop", "x"})
	keys    = []string{"tool", "engine", "bs", "iodepth", "requested_iodepth", "jobs", "direct", "sync", "pattern", "cache", "source", "threads", "block", "scope", "size", "level", "upper",
		"file", "total", "runtime", "written_before", "samples", "device", "capacity", "model", "tbw", "requests", "clients", "layout", "overwrite", "offset_increment", "rate", "op", "object_size", "fs"}
)

// anyMetric favours the metrics that rules look at.
var anyMetric = rapid.Custom(func(t *rapid.T) string {
	if rapid.Bool().Draw(t, "percentile") {
		return assay.PercentileMetric("storage."+rapid.SampledFrom([]string{"read", "write"}).Draw(t, "dir")+".", rapid.SampledFrom([]float64{1, 20, 30, 40, 50, 60, 70, 80, 99, 99.9, 99.99, 0, 100}).Draw(t, "p"))
	}
	return rapid.SampledFrom(assay.Metrics).Draw(t, "metric").Name
})

var anyMeasurement = rapid.Custom(func(t *rapid.T) assay.Measurement {
	m := assay.Measurement{Metric: anyMetric.Draw(t, "metric"), Value: anyFloat.Draw(t, "value")}
	if rapid.Bool().Draw(t, "labelled") {
		m.Labels = map[string]string{}
		for _, key := range rapid.SliceOfN(rapid.SampledFrom(keys), 0, 12).Draw(t, "keys") {
			m.Labels[key] = anyWord.Draw(t, key)
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "samples") {
		m.Samples = append(m.Samples, assay.Sample{At: anyFloat.Draw(t, "at"), Value: anyFloat.Draw(t, "sample")})
	}
	for range rapid.IntRange(0, 5).Draw(t, "bins") {
		m.Histogram = append(m.Histogram, assay.Bin{Upper: anyFloat.Draw(t, "upper"), Count: anyInt.Draw(t, "count")})
	}
	return m
})

var anySnapshot = rapid.Custom(func(t *rapid.T) assay.Snapshot {
	s := assay.Snapshot{
		CPU:    assay.CPUTime{User: anyFloat.Draw(t, "user"), Idle: anyFloat.Draw(t, "idle"), Steal: anyFloat.Draw(t, "steal")},
		Kernel: anyFloat.Draw(t, "kernel"), Throttles: anyInt.Draw(t, "throttles"),
	}
	if rapid.Bool().Draw(t, "devices") {
		s.Devices = map[string]assay.DeviceCounts{anyName.Draw(t, "device"): {ReadBytes: anyInt.Draw(t, "rb"), WriteBytes: anyInt.Draw(t, "wb")}}
	}
	if rapid.Bool().Draw(t, "contended") {
		s.Uptime = anyFloat.Draw(t, "uptime")
		s.Pressure = &assay.Pressure{CPU: anyFloat.Draw(t, "cpu"), MemoryFull: rapid.Ptr(anyFloat, true).Draw(t, "memory")}
		s.Quota = &assay.QuotaCounts{Periods: anyInt.Draw(t, "periods"), Throttled: anyInt.Draw(t, "throttled"), Time: anyFloat.Draw(t, "time")}
		s.Swap = &assay.SwapCounts{In: anyInt.Draw(t, "in"), Out: anyInt.Draw(t, "out")}
	}
	return s
})

var anyRepeat = rapid.Custom(func(t *rapid.T) assay.Repeat {
	r := assay.Repeat{
		N: rapid.IntRange(0, 3).Draw(t, "n"), Outcome: assay.Done, Elapsed: time.Duration(anyInt.Draw(t, "elapsed")),
		Started:      time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "started"), 0),
		Measurements: rapid.SliceOfN(anyMeasurement, 0, 20).Draw(t, "measurements"),
	}
	if rapid.Bool().Draw(t, "watched") {
		r.Watch = &assay.Watch{Before: anySnapshot.Draw(t, "before"), After: anySnapshot.Draw(t, "after"), ToolCPU: anyFloat.Draw(t, "tool")}
		for range rapid.IntRange(0, 15).Draw(t, "ticks") {
			r.Watch.Ticks = append(r.Watch.Ticks, assay.Tick{At: anyFloat.Draw(t, "at"), Clock: anyFloat.Draw(t, "clock"), Temps: map[string]float64{"k": anyFloat.Draw(t, "temp")}})
		}
	}
	if rapid.Bool().Draw(t, "transcript") {
		r.Transcript.Steps = []assay.Step{{Name: "measure", Argv: []string{"fio", "--size=" + anyWord.Draw(t, "size"), "--numjobs=" + anyWord.Draw(t, "jobs"), "--filename=f"}}}
	}
	return r
})

var anyFacts = rapid.Custom(func(t *rapid.T) assay.Facts {
	f := assay.Facts{
		CPU: assay.CPUFacts{Threads: rapid.IntRange(-1, 8).Draw(t, "threads"), Governor: anyWord.Draw(t, "governor"), Vendor: anyWord.Draw(t, "vendor"), Turbo: anyTruth.Draw(t, "turbo"), Virtual: anyTruth.Draw(t, "virtual"),
			TurboWindow: anyFloat.Draw(t, "window"), Caches: []assay.Cache{{Level: 3, Type: "Unified", Bytes: anyInt.Draw(t, "cache"), Count: rapid.IntRange(-1, 64).Draw(t, "caches")}}},
		Memory:  assay.MemoryFacts{Total: anyInt.Draw(t, "total"), Available: anyInt.Draw(t, "available"), Channels: rapid.IntRange(-1, 8).Draw(t, "channels"), DIMMs: []assay.DIMM{{MTs: rapid.IntRange(-1, 8000).Draw(t, "mts")}}},
		Sensors: []assay.Sensor{{Key: "k", Kind: rapid.SampledFrom([]string{"", "cpu", "drive"}).Draw(t, "kind"), Drive: anyName.Draw(t, "drive")}},
		Pools:   []assay.PoolFacts{{Name: anyName.Draw(t, "pool"), Version: anyWord.Draw(t, "version"), Properties: map[string]string{"recordsize": anyWord.Draw(t, "record"), "compression": anyWord.Draw(t, "compression"), "direct": rapid.SampledFrom([]string{"", "standard", "disabled"}).Draw(t, "direct property")}}},
		Missing: []assay.MissingFact{{Fact: anyWord.Draw(t, "fact"), Why: anyWord.Draw(t, "why")}},
	}
	for range rapid.IntRange(0, 2).Draw(t, "drives") {
		d := assay.BlockDevice{Name: anyName.Draw(t, "name"), Bytes: anyInt.Draw(t, "bytes"), Model: anyWord.Draw(t, "model"), Bus: anyBus.Draw(t, "bus"),
			Rotational: anyTruth.Draw(t, "rotational"), PLP: anyTruth.Draw(t, "plp"), RPM: rapid.IntRange(-1, 20000).Draw(t, "rpm"), WriteCache: anyWord.Draw(t, "cache")}
		if rapid.Bool().Draw(t, "linked") {
			d.Link = &assay.Link{Kind: rapid.SampledFrom([]string{"", "pcie", "sata", "usb", "sd"}).Draw(t, "link"), Ceiling: anyFloat.Draw(t, "ceiling"), GTs: anyFloat.Draw(t, "gts"), Lanes: rapid.IntRange(-1, 16).Draw(t, "lanes")}
		}
		f.Block = append(f.Block, d)
	}
	if rapid.Bool().Draw(t, "dir") {
		f.Dirs = []assay.DirFacts{{Path: "/data", FileSystem: anyFS.Draw(t, "fs"), Device: anyName.Draw(t, "device"), Dataset: anyName.Draw(t, "dataset"), Drives: rapid.SliceOfN(anyName, 0, 2).Draw(t, "under")}}
	}
	return f
})

var anyResult = rapid.Custom(func(t *rapid.T) assay.Result {
	return assay.Result{
		Trial: assay.Trial{
			ID: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id"), Quick: rapid.Bool().Draw(t, "quick"), Settings: map[string]string{"rate": anyWord.Draw(t, "rate"), "idle": anyWord.Draw(t, "idle")},
			Scratch: anyInt.Draw(t, "planned"), Repeats: rapid.IntRange(-1, 8).Draw(t, "planned repeats"), Length: time.Duration(anyInt.Draw(t, "length")),
			Subject: assay.Subject{Host: anyName.Draw(t, "host"), Name: anyName.Draw(t, "subject"),
				Kind: rapid.SampledFrom([]assay.SubjectKind{"", assay.KindDirectory, assay.KindDrive, assay.KindCPU}).Draw(t, "kind")},
		},
		Scratch: assay.Scratch{Bytes: anyInt.Draw(t, "scratch")},
		Repeats: rapid.SliceOfN(anyRepeat, 0, 8).Draw(t, "repeats"),
	}
})

// No evidence makes a rule panic, and every finding is readable.
func TestNoRulePanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Evidence{Results: rapid.SliceOfN(anyResult, 0, 4).Draw(t, "results")}
		if rapid.Bool().Draw(t, "known") {
			e.Inventory.Facts = map[string]assay.Facts{"h": anyFacts.Draw(t, "facts"), "": anyFacts.Draw(t, "more facts")}
		}
		readable(t, Audit(e))
	})
}

// The same on a good machine with a few things spoiled: random evidence alone
// rarely reaches deep into a rule.
func TestNoRulePanicsOnSpoiledEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := good()
		for range rapid.IntRange(1, 6).Draw(t, "times") {
			r := &w.results[rapid.IntRange(0, len(w.results)-1).Draw(t, "result")]
			rep := &r.Repeats[rapid.IntRange(0, len(r.Repeats)-1).Draw(t, "repeat")]
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				rep.Watch = nil
			case 1:
				for i := range rep.Measurements {
					rep.Measurements[i].Value = anyFloat.Draw(t, "value")
				}
			case 2:
				key, word := rapid.SampledFrom(keys).Draw(t, "key"), anyWord.Draw(t, "word")
				for i := range rep.Measurements {
					if rep.Measurements[i].Labels != nil {
						rep.Measurements[i].Labels[key] = word
					}
				}
			case 3:
				w.facts = anyFacts.Draw(t, "facts")
			case 4:
				r.Repeats = []assay.Repeat{anyRepeat.Draw(t, "other")}
			case 5:
				rep.Measurements = append(rep.Measurements, anyMeasurement.Draw(t, "more"))
			case 6:
				r.Trial.Subject.Kind = assay.KindDrive
			}
			if len(r.Repeats) < repeats {
				break
			}
		}
		readable(t, Audit(w.evidence()))
	})
}

func readable(t *rapid.T, found []assay.Finding) {
	last := -1
	for _, f := range found {
		if f.Rule == "" || f.Message == "" || rank(f.Severity) < 0 || (f.Severity == assay.NotChecked) != (f.Missing != "") {
			t.Fatalf("cannot be read: %+v", f)
		}
		if rank(f.Severity) < last {
			t.Fatalf("out of order: %+v", f)
		}
		last = rank(f.Severity)
	}
}
