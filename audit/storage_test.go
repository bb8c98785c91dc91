package audit

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

// concurrency makes a result with that many operations at that latency.
func concurrency(name, dir string, iops, latency float64, depth, jobs string) func(*world) {
	p := "storage." + dir + "."
	return both(only(name), set(name, p+"iops", iops), set(name, p+"latency.mean", latency), set(name, p+"latency.total.mean", latency),
		label(name, "iodepth", depth), label(name, "requested_iodepth", depth), label(name, "jobs", jobs))
}

// ramped returns what eight jobs at depth 64 counted after such a ramp: 2,815 operations,
// and the bytes of 227 more.
func ramped(ramp string) func(*world) {
	return both(concurrency("seqwrite", "write", 45.6, 10.1, "64", "8"), label("seqwrite", "ramp_time", ramp),
		set("seqwrite", "storage.write.bandwidth", 51.6e6), set("seqwrite", "storage.write.ios", 2815))
}

// printed gives a result the percentiles of a published output, in seconds.
func printed(name, dir string, unit, greatest float64, values map[float64]float64) func(*world) {
	return func(w *world) {
		r := w.only(name)
		for i := range r.Repeats {
			like := r.Repeats[i].Measurements[0].Labels
			var kept []assay.Measurement
			for _, m := range r.Repeats[i].Measurements {
				if _, ok := assay.Percentile(m.Metric); !ok {
					kept = append(kept, m)
				}
			}
			for p, v := range values {
				kept = append(kept, assay.Measurement{Metric: assay.PercentileMetric("storage."+dir+".", p), Value: v * unit, Labels: like})
			}
			r.Repeats[i].Measurements = kept
		}
		w.set(name, "storage."+dir+".latency.max", greatest*unit)
	}
}

// The write latencies printed in the LINSTOR document, in its own units.
var (
	syncStandard  = map[float64]float64{20: 6, 30: 7, 40: 7, 50: 7, 60: 7, 70: 8, 80: 9, 90: 10, 99: 16, 99.9: 23, 99.99: 279}
	asyncStandard = map[float64]float64{20: 1237, 30: 1270, 40: 1303, 50: 1401, 60: 2114, 70: 2180, 80: 2212, 99: 3589, 99.99: 15664}
	syncDisabled  = map[float64]float64{20: 285, 30: 359, 40: 660, 50: 725, 60: 783, 70: 832, 80: 889, 99: 1369, 99.99: 8455}
	asyncDisabled = map[float64]float64{20: 186, 30: 196, 40: 206, 50: 225, 60: 241, 70: 255, 80: 277, 99: 474, 99.99: 4883}
)

// buckets gives a result the latency buckets of a published output, in percent.
func buckets(name string, shares ...float64) func(*world) {
	return func(w *world) {
		w.drop(w.only(name).Trial.Case, "storage.latency_bucket.share")
		r := w.at(name)
		for i := range r.Repeats {
			like := r.Repeats[i].Measurements[0].Labels
			for _, s := range append(shares, 0, 0, 0) { // fio prints empty buckets too
				r.Repeats[i].Measurements = append(r.Repeats[i].Measurements, assay.Measurement{Metric: "storage.latency_bucket.share", Value: s / 100, Labels: like})
			}
		}
	}
}

// histogram replaces the percentiles of a result with a distribution.
func histogram(name, dir string, bins []assay.Bin) func(*world) {
	return func(w *world) {
		printed(name, dir, 1, 1, nil)(w)
		r := w.at(name)
		for i := range r.Repeats {
			r.Repeats[i].Measurement("storage." + dir + ".latency.mean").Histogram = bins
		}
	}
}

// command records the command that was run.
func command(name string, argv ...string) func(*world) {
	return func(w *world) {
		r := w.at(name)
		for i := range r.Repeats {
			r.Repeats[i].Transcript.Steps = []assay.Step{{Name: "measure", Argv: argv}}
		}
	}
}

func TestConcurrency(t *testing.T) {
	check(t, []one{
		{"little", "SD card, as published", concurrency("randread", "read", 3243.7, .01972, "16", "1"), "E", "3,244 IOPS x 19.7 ms = 64.0 in flight against 16 x 1 = 16: 4.00 x"},
		{"little", "Longhorn, as published", concurrency("randread", "read", 7477, .00854, "16", "1"), "E", "63.9 in flight"},
		{"little", "USB, as published", concurrency("randread", "read", 1255.8, .01272, "16", "1"), "", ""},
		{"little", "SD card, sequential, as published", concurrency("randread", "read", 44.3, .71322, "32", "1"), "", ""},
		{"little", "the async run that was none", concurrency("syncwrite", "write", 569.9, 1.75314e-3, "16", "1"), "E", "= 0.999 in flight against 16 x 1 = 16"},
		{"little", "rados, one client", concurrency("randread", "read", 765, .0205, "16", "1"), "", ""},
		{"little", "rados, two clients", concurrency("randread", "read", 1641, .0191, "16", "2"), "", ""},
		{"little", "rados, three clients", concurrency("randread", "read", 2290, .0205, "16", "3"), "", ""},
		{"little", "rados writes", concurrency("seqwrite", "write", 1518, .0316, "16", "3"), "", ""},
		{"little", "a little apart", concurrency("randread", "read", 1000, .0145, "16", "1"), "W", "14.5 in flight"},
		{"little", "fast and one at a time", concurrency("syncwrite", "write", 100000, 9e-6, "1", "1"), "", ""},
		{"little", "slow", concurrency("syncwrite", "write", 100, .0093, "1", "1"), "", ""},
		{"little", "rate-limited", both(concurrency("randread", "read", 100, .001, "32", "1"), command("randread", "fio", "--rate_iops=100")), "", ""},
		{"little", "an fsync after each write is in no latency", both(concurrency("syncwrite", "write", 400, 20e-6, "1", "1"), label("syncwrite", "fsync", "1")), "", ""},
		{"little", "a final flush of what memory took is in the time but in no latency", both(concurrency("syncwrite", "write", 50000, 7e-6, "1", "1"), label("syncwrite", "direct", "0"), label("syncwrite", "end_fsync", "1")), "", ""},
		{"little", "the same as a file is closed", both(concurrency("syncwrite", "write", 50000, 7e-6, "1", "1"), label("syncwrite", "direct", "0"), label("syncwrite", "fsync_on_close", "1")), "", ""},
		{"little", "a final flush of direct writes has little to do", both(concurrency("syncwrite", "write", 50000, 7e-6, "1", "1"), label("syncwrite", "end_fsync", "1")), "E", "0.350 in flight"},
		{"little", "nothing flushes reads", both(concurrency("randread", "read", 50000, 7e-6, "1", "1"), label("randread", "direct", "0"), label("randread", "end_fsync", "1")), "E", "0.350 in flight"},
		{"little", "no depth", both(only("randread"), label("randread", "iodepth", ""), label("randread", "requested_iodepth", "")), "-", "queue depth and jobs"},
		{"little", "no latency", both(only("randread"), drop("randread", "storage.read.latency.mean", "storage.read.latency.total.mean")), "-", "mean latency"},

		{"qd-capped", "psync with 16, as published", both(only("seqwrite"), label("seqwrite", "engine", "psync"), label("seqwrite", "requested_iodepth", "16")), "E", "iodepth=16 under psync: 1 in flight"},
		{"qd-capped", "all at depth 1", func(w *world) {
			w.only("seqwrite")
			for _, r := range w.at("seqwrite").Repeats {
				r.Measurement("storage.iodepth.share").Labels["level"] = "1"
			}
		}, "E", "iodepth=16, and 100 % of the operations were issued at depth 1"},
		{"qd-capped", "psync with 1", both(only("syncwrite"), label("syncwrite", "engine", "psync")), "", ""},
		{"qd-capped", "dd is no fio", only("dd-write"), "", ""},
		{"qd-capped", "asked for and reached", both(only("seqwrite"), label("seqwrite", "requested_iodepth", "")), "", ""},
		{"qd-capped", "nothing asked for", both(only("seqwrite"), label("seqwrite", "requested_iodepth", ""), label("seqwrite", "iodepth", "")), "-", "requested queue depth"},
		{"qd-capped", "no engine", both(only("seqwrite"), label("seqwrite", "engine", ""), drop("seqwrite", "storage.iodepth.share")), "-", "engine and the queue depths"},

		{"bw-iops-bs", "MB for MiB, as published", both(only("seqwrite"), set("seqwrite", "storage.write.iops", 94.0), set("seqwrite", write, 93.96e6)), "E", "94.0 MB/s against 94.0 IOPS x 1.00 MiB = 98.6 MB/s: 0.953 x"},
		{"bw-iops-bs", "the Micron 9300, as published", both(only("syncwrite"), set("syncwrite", "storage.write.iops", 51000), set("syncwrite", write, 205824e3)), "E", "0.985 x"},
		{"bw-iops-bs", "LINSTOR prints 137 for 137.98", both(only("syncwrite"), set("syncwrite", "storage.write.iops", 137), set("syncwrite", write, 552*1024)), "", ""},
		{"bw-iops-bs", "512 in flight when the ramp ended", both(only("seqwrite"), ramped("3s")), "", ""},
		{"bw-iops-bs", "as many without a ramp", both(only("seqwrite"), ramped("0")), "E", "51.6 MB/s against 45.6 IOPS x 1.00 MiB = 47.8 MB/s: 1.08 x"},
		{"bw-iops-bs", "more than were in flight", both(only("seqwrite"), ramped("3s"), set("seqwrite", "storage.write.bandwidth", 58e6)), "E", "1.21 x"},
		{"bw-iops-bs", "no block size", both(only("seqwrite"), label("seqwrite", "bs", "")), "-", "block size"},

		{"jobs-overlap", "four on one file", both(only("seqwrite"), label("seqwrite", "jobs", "4"), command("seqwrite", "fio", "--filename=/data/f", "--rw=write", "--numjobs=4")), "I", "4 jobs of write on one file"},
		{"jobs-overlap", "four through the page cache", both(only("seqwrite"), label("seqwrite", "jobs", "4"), label("seqwrite", "direct", "0"), command("seqwrite", "fio", "--filename=/data/f", "--rw=write", "--numjobs=4")), "W", "4 jobs of write on one file"},
		{"jobs-overlap", "kept apart", both(only("seqwrite"), label("seqwrite", "jobs", "4"), command("seqwrite", "fio", "--filename=/data/f", "--offset_increment=1G")), "", ""},
		{"jobs-overlap", "a file each", both(only("seqwrite"), label("seqwrite", "jobs", "4"), command("seqwrite", "fio", "--directory=/data")), "", ""},
		{"jobs-overlap", "random", both(only("randread"), label("randread", "jobs", "4")), "", ""},
		{"jobs-overlap", "no command", both(only("seqwrite"), label("seqwrite", "jobs", "4")), "-", "offset increment"},
	})
}

func TestLatencies(t *testing.T) {
	check(t, []one{
		{"pct-order", "p99.99 = 279 with a greatest of 277, as published", printed("syncwrite", "write", 1e-3, 277, syncStandard), "", ""},
		{"pct-order", "p99.99 = 282 with a greatest of 277", printed("syncwrite", "write", 1e-3, 277, map[float64]float64{50: 7, 99.99: 282}), "E", "p99.99 = 282 ms against a maximum of 277 ms"},
		{"pct-order", "falling", printed("syncwrite", "write", 1e-3, 277, map[float64]float64{50: 7, 99: 20, 99.9: 18}), "E", "p99 = 20.0 ms against p99.9 = 18.0 ms, in 6 of 6 repeats"},
		{"pct-order", "percentiles that end where fio's histogram does", both(printed("syncwrite", "write", 1e-3, 94396, map[float64]float64{1: 877, 5: 10402, 10: 12550, 20: 17113, 50: 17113, 99.99: 17113}), set("syncwrite", "storage.write.latency.mean", 41.164), set("syncwrite", "storage.write.latency.total.mean", 41.197)), "E", "mean 41.2 s against at most"},
		{"pct-order", "as much as they allow", both(printed("syncwrite", "write", 1e-3, 100, map[float64]float64{50: 1, 99: 10}), set("syncwrite", "storage.write.latency.mean", 6.4e-3), set("syncwrite", "storage.write.latency.total.mean", 6.4e-3)), "", ""},
		{"pct-order", "completion longer than the whole", both(only("syncwrite"), set("syncwrite", "storage.write.latency.mean", 15.233), set("syncwrite", "storage.write.latency.total.mean", 129.54e-6)), "E", "mean completion latency 15.2 s against a mean total latency of 130 µs"},
		{"pct-order", "none printed", printed("syncwrite", "write", 1, 1, nil), "-", "latency percentiles"},

		{"pct-support", "8,280 operations, as published", both(printed("syncwrite", "write", 1e-3, 277, syncStandard), set("syncwrite", "storage.write.ios", 8280), func(w *world) { w.at("syncwrite").Trial.Repeats = 0 }), "W", "p99.99 needs 29,956 operations; a repeat had 8,280"},
		{"pct-support", "just enough for p99.9", both(only("syncwrite"), set("syncwrite", "storage.write.ios", 2995)), "", ""},
		{"pct-support", "one too few", both(only("syncwrite"), set("syncwrite", "storage.write.ios", 2994)), "W", "p99.9 needs 2,995 operations"},
		{"pct-support", "no count", both(only("syncwrite"), drop("syncwrite", "storage.write.ios")), "-", "operations in a repeat"},

		{"bucket-sum", "100.00, as published", buckets("syncwrite", 94.14, 5.69, .16, .01), "", ""},
		{"bucket-sum", "99.99, as published", buckets("syncwrite", 13.32, 20.58, 20.45, 37.72, 7.46, .40, .06), "", ""},
		{"bucket-sum", "100.03, as published", buckets("syncwrite", .01, 66.85, 32.25, .46, .14, .23, .06, .02, .01), "", ""},
		{"bucket-sum", "three per cent missing", buckets("syncwrite", 94.14, 2.69, .16, .01), "W", "4 buckets add up to 97.00 %"},
		{"bucket-sum", "none printed", buckets("syncwrite"), "-", "latency buckets"},

		{"bimodal", "sync disabled, as published", printed("syncwrite", "write", 1e-6, 9992, syncDisabled), "W", "p30 = 359 µs, p40 = 660 µs: 1.84 x, in 6 of 6 repeats"},
		{"bimodal", "an even spread, as of seeks", both(printed("syncwrite", "write", 1e-3, 277, map[float64]float64{20: 2, 30: 3.1, 40: 4.1, 50: 5.1, 60: 6.1, 70: 7.1, 80: 8.1}), set("syncwrite", "storage.write.latency.mean", 5.2e-3)), "", ""},
		{"bimodal", "the same with a mean that something pulls", both(printed("syncwrite", "write", 1e-3, 277, map[float64]float64{20: 2, 30: 3.1, 40: 4.1, 50: 5.1, 60: 6.1, 70: 7.1, 80: 8.1}), set("syncwrite", "storage.write.latency.mean", 9e-3)), "W", "p20 = 2.00 ms"},
		{"bimodal", "a fifth from a cache, and a wide hump", both(printed("syncwrite", "write", 1e-6, 73724, map[float64]float64{20: 404, 30: 2409, 40: 3687, 50: 4883, 60: 6128, 70: 7373, 80: 8586}), set("syncwrite", "storage.write.latency.mean", 5.62e-3)), "W", "p20 = 404 µs, p30 = 2.41 ms: 5.96 x"},
		{"bimodal", "38 operations", both(printed("syncwrite", "write", 1e-6, 9992, syncDisabled), set("syncwrite", "storage.write.ios", 38)), "", ""},
		{"bimodal", "async standard, as published", printed("syncwrite", "write", 1e-6, 16360, asyncStandard), "W", "p50 = 1.40 ms, p60 = 2.11 ms: 1.51 x"},
		{"bimodal", "async disabled, as published", printed("syncwrite", "write", 1e-6, 11141, asyncDisabled), "", ""},
		{"bimodal", "sync standard, as published", printed("syncwrite", "write", 1e-3, 277, syncStandard), "", ""},
		{"bimodal", "1 and 2 ms, both rounded", printed("syncwrite", "write", 1e-3, 9, map[float64]float64{20: 1, 30: 1, 40: 1, 50: 2, 60: 2, 70: 2, 80: 2}), "", ""},
		{"bimodal", "two humps in a histogram", histogram("syncwrite", "write", []assay.Bin{{Upper: 1e-4, Count: 500}, {Upper: 3e-4, Count: 500}}), "W", "p50 = 100 µs, p60 = 300 µs: 3.00 x"},
		{"bimodal", "one hump in a histogram", histogram("syncwrite", "write", []assay.Bin{{Upper: 1e-4, Count: 100}, {Upper: 1.1e-4, Count: 800}, {Upper: 9e-4, Count: 100}}), "", ""},
		{"bimodal", "one wide hump: a disk with 32 in flight", printed("syncwrite", "write", 1e-6, 568572, map[float64]float64{20: 9241, 30: 13435, 40: 19530, 50: 29230, 60: 43779, 70: 66323, 80: 106431}), "", ""},
		{"bimodal", "in one repeat of six", func(w *world) {
			for i := range w.only("syncwrite").Repeats {
				if m := w.at("syncwrite").Repeats[i].Measurement(assay.PercentileMetric("storage.write.", 80)); i == 0 {
					m.Value *= 2
				}
			}
		}, "", ""},
		{"bimodal", "nothing to go by", histogram("syncwrite", "write", nil), "-", "deciles"},
	})
}

func TestWrites(t *testing.T) {
	disk := func(rpm int, iops float64) func(*world) {
		return func(w *world) {
			concurrency("syncwrite", "write", iops, 1/iops, "1", "1")(w)
			d := &w.facts.Block[0]
			d.Rotational, d.RPM, d.PLP, d.Model = is(true), rpm, nil, "Seagate Constellation"
		}
	}
	behind := func(bus assay.Bus, model string) func(*world) {
		return func(w *world) { w.facts.Block[0].Bus, w.facts.Block[0].Model = bus, model }
	}
	flash := func(plp *bool, p50 float64) func(*world) {
		return func(w *world) {
			w.only("syncwrite")
			w.facts.Block[0].PLP, w.facts.Block[0].Model = plp, "Some SSD"
			w.set("syncwrite", "storage.write.latency.p50", p50)
		}
	}
	cliff := make([]float64, 60)
	for i := range cliff {
		if cliff[i] = 2500e6; i >= 30 {
			cliff[i] = 600e6
		}
	}
	early, late, waves := slices.Clone(cliff), slices.Clone(cliff), slices.Clone(cliff)
	for i := range cliff {
		if early[i], late[i], waves[i] = 2500e6, 2500e6, 2500e6; i >= 8 {
			early[i] = 600e6
		}
		if i >= 51 {
			late[i] = 600e6
		}
		if i%10 >= 5 {
			waves[i] = 600e6
		}
	}
	sampled := func(series []float64) func(*world) {
		return func(w *world) { w.only("seqwrite"); w.sampled("seqwrite", write, series) }
	}
	check(t, []one{
		{"extent-state", "a third was written before, as published", func(w *world) {
			w.only("syncwrite").Scratch.Bytes = 34195 * 4096
			w.label("syncwrite", "size", "1073741824")
			w.set("syncwrite", "storage.write.bytes", 91681*4096)
		}, "E", "140 MB of 1,074 MB had been written before and the run wrote 376 MB: after 37.3 % of it"},
		{"extent-state", "all was written before", both(only("syncwrite"), label("syncwrite", "size", "4G")), "", ""},
		{"extent-state", "two jobs with a part each", both(only("seqwrite"), command("seqwrite", "fio", "--size=2147483648", "--numjobs=2", "--offset_increment=2147483648")), "", ""},
		{"extent-state", "did not get that far", func(w *world) {
			w.only("syncwrite")
			w.label("syncwrite", "size", "64G")
		}, "", ""},
		{"extent-state", "nobody knows", func(w *world) { w.only("syncwrite").Scratch = assay.Scratch{} }, "-", "which blocks of the file"},

		{"flush-too-fast", "117 IOPS on a hard disk, as published", disk(7200, 117), "", ""},
		{"flush-too-fast", "117 IOPS on a disk of unknown speed", disk(0, 117), "", ""},
		{"flush-too-fast", "4,250 on a disk", disk(7200, 4250), "E", "4,250 IOPS against 2 x 7,200 / 60 = 240 half revolutions/s: 17.7 x"},
		{"flush-too-fast", "4,250 on a disk of unknown speed", disk(0, 4250), "E", "7,200 assumed"},
		{"flush-too-fast", "9,000 behind a RAID controller", both(disk(0, 9000), behind("", "DELL PERC H730P Mini")), "W", "9,000 IOPS against 2 x 7,200 / 60 = 240 half revolutions/s (speed unknown, 7,200 assumed)"},
		{"flush-too-fast", "9,000 behind a SAS controller", both(disk(0, 9000), behind(assay.BusSAS, "LSI MR9361-8i")), "W", "7,200 assumed"},
		{"flush-too-fast", "a SAS disk that says how fast it turns", both(disk(10000, 9000), behind(assay.BusSAS, "ST600MM0006")), "E", "10,000 / 60"},
		{"flush-too-fast", "9,000 on a USB disk of unknown speed", both(disk(0, 9000), behind(assay.BusUSB, "WD Elements")), "E", "7,200 assumed"},
		{"flush-too-fast", "350 on a disk of unknown speed", disk(0, 350), "W", "7,200 assumed"},
		{"flush-too-fast", "a random write waits half a revolution", disk(7200, 230), "", ""},
		{"flush-too-fast", "one after the other on a disk", both(disk(7200, 230), label("syncwrite", "pattern", "write")), "E", "230 IOPS against 7,200 / 60 = 120 revolutions/s: 1.92 x"},
		{"flush-too-fast", "170 one after the other, of unknown speed", both(disk(0, 170), label("syncwrite", "pattern", "write")), "W", "7,200 assumed"},
		{"flush-too-fast", "170 at 10,000", disk(10000, 165), "", ""},
		{"flush-too-fast", "flash without protection", flash(is(false), 25e-6), "W", "25.0 µs against the 100 µs"},
		{"flush-too-fast", "flash with it", flash(is(true), 25e-6), "", ""},
		{"flush-too-fast", "flash without it, as slow as it must be", flash(is(false), 2.94e-3), "", ""},
		{"flush-too-fast", "flash, nobody knows", flash(nil, 25e-6), "-", "power-loss protection of sda"},
		{"flush-too-fast", "the data sheet knows", both(flash(nil, 25e-6), func(w *world) {
			w.facts.Block[0].Model = "Samsung SSD 870 EVO 500GB"
			w.facts.Block[0].Bytes = 500107862016
		}), "W", "25.0 µs"},
		{"flush-too-fast", "a virtual disk", both(only("syncwrite"), virtio), "-", "drive under the virtual disk sda"},
		{"flush-too-fast", "fsync after each write", both(disk(7200, 4250), label("syncwrite", "sync", "0"), label("syncwrite", "fsync", "1")), "E", "4,250 IOPS"},
		{"flush-too-fast", "fsync on flash, from write to write", both(flash(is(false), 8e-6), label("syncwrite", "sync", "0"), label("syncwrite", "fsync", "1"), set("syncwrite", "storage.write.iops", 400)), "", ""},
		{"flush-too-fast", "not synchronous", both(disk(7200, 4250), label("syncwrite", "sync", "0")), "", ""},
		{"flush-too-fast", "rotation not known", func(w *world) { w.only("syncwrite"); w.facts.Block[0].Rotational = nil }, "-", "whether sda rotates"},

		{"no-plp", "a consumer SSD, as published", flash(nil, 2.94e-3), "I", "p50 = 2.94 ms with a write back cache"},
		{"no-plp", "with protection", flash(is(true), 2.94e-3), "", ""},
		{"no-plp", "fast enough", flash(nil, .1e-3), "", ""},
		{"no-plp", "its cache switched off for the test", both(flash(nil, 2.94e-3), func(w *world) { w.at("syncwrite").Trial.Lend = assay.Way{"write_cache": "off"} }), "", ""},
		{"no-plp", "cache not known", both(flash(nil, 2.94e-3), func(w *world) { w.facts.Block[0].WriteCache = "" }), "-", "write cache of sda"},

		{"slc-cliff", "half-way", sampled(cliff), "W", "2,500 MB/s for the first 75.0 GB, 600 MB/s after: 0.240 x"},
		{"slc-cliff", "a small cache, full after 8 of 60 s", sampled(early), "W", "2,500 MB/s for the first 20.0 GB, 600 MB/s after: 0.240 x"},
		{"slc-cliff", "a large cache, full near the end", sampled(late), "W", "2,500 MB/s for the first 128 GB, 600 MB/s after: 0.240 x"},
		{"slc-cliff", "up and down", sampled(waves), "", ""},
		{"slc-cliff", "steady", only("seqwrite"), "", ""},
		{"slc-cliff", "a disk from the outside in", both(sampled(cliff), func(w *world) { w.facts.Block[0].Rotational = is(true) }), "", ""},
		{"slc-cliff", "too few samples", func(w *world) { w.only("seqwrite"); w.keep("seqwrite", 1) }, "-", "write bandwidth over time"},
	})
}

func TestOverTime(t *testing.T) {
	fill := func(rate func(second int) float64) func(*world) {
		return func(w *world) {
			w.only("seqwrite").Trial.Repeats = 1
			w.keep("seqwrite", 1)
			series := make([]float64, 60)
			for i := range series {
				series[i] = rate(i)
			}
			w.sampled("seqwrite", write, series)
		}
	}
	const events = "cpu.events_per_second"
	values := func(v ...float64) func(*world) {
		return func(w *world) { w.only("cpu"); w.each("cpu", events, append([]float64{v[0]}, v...)...) }
	}
	alike := make([]float64, 60)
	for i := range alike {
		alike[i] = 400e6 * (1 + .01*float64(i/10%2)) // ten up, ten down
	}
	check(t, []one{
		{"steady-state", "settling", values(228.90, 240.21, 240.60, 240.71, 240.71), "", ""},
		{"steady-state", "a line too steep", values(94, 97, 100, 103, 106), "E", "94.0, 97.0, 100, 103, 106 (repeats): range 12.0 % (at most 20.0 %), slope 12.0 % (at most 10.0 %)"},
		{"steady-state", "both", values(111, 104, 100, 96, 89), "E", "range 22.0 %"},
		{"steady-state", "repeats that scatter", values(100, 119, 99, 96, 121), "", ""},
		{"steady-state", "a step in the samples", func(w *world) {
			w.only("seqwrite")
			w.keep("seqwrite", 1)
			series := make([]float64, 60)
			for i := range series {
				series[i] = 400e6 - 200e6*float64(i/30)
			}
			w.sampled("seqwrite", write, series)
		}, "E", "(windows of the samples)"},
		{"steady-state", "a fill over a cliff", fill(func(i int) float64 { return 400e6 - 200e6*float64(i/30) }), "", ""},
		{"slc-cliff", "a fill over a cliff", fill(func(i int) float64 { return 400e6 - 200e6*float64(i/30) }), "W", "400 MB/s for the first 12.0 GB, 200 MB/s after: 0.500 x"},
		{"steady-state", "a fill that slows down all the time", fill(func(i int) float64 { return 400e6 - 5e6*float64(i) }), "E", "(windows of the samples)"},
		{"steady-state", "a fill that goes on falling after its cliff", fill(func(i int) float64 {
			if i < 15 {
				return 2500e6
			}
			return 900e6 - 12e6*float64(i-15)
		}), "E", "(windows of the samples)"},
		{"steady-state", "small writes over a cliff", both(fill(func(i int) float64 { return 400e6 - 200e6*float64(i/30) }), label("seqwrite", "bs", "4k")), "E", "(windows of the samples)"},
		{"steady-state", "four repeats without samples", func(w *world) { w.only("cpu"); w.keep("cpu", 4) }, "-", "the figure over time"},
		{"steady-state", "a look at SMART data", only("smart"), "", ""},

		{"too-short", "10 GiB of memory at 112 GB/s, as published", both(only("memory"), set("memory", "tool.duration", .0913)), "E", "the shortest repeat ran 91.3 ms"},
		{"too-short", "0.999 is a second", both(only("memory"), set("memory", "tool.duration", .999)), "W", "6 x 999 ms = 5.99 s against 30.0 s"},
		{"too-short", "a quick look", func(w *world) { w.only("memory").Trial.Quick = true; w.set("memory", "tool.duration", 3) }, "I", "6 x 3.00 s = 18.0 s"},
		{"too-short", "a quick look of a second in passes", func(w *world) { w.only("memory").Trial.Quick = true; w.set("memory", "tool.duration", .9) }, "I", "6 x 900 ms = 5.40 s"},
		{"too-short", "no look at all", func(w *world) { w.only("memory").Trial.Quick = true; w.set("memory", "tool.duration", .0913) }, "E", "the shortest repeat ran 91.3 ms; under a second in 6 of 6"},
		{"too-short", "20 s of CPU, as published", func(w *world) { w.only("cpu"); w.keep("cpu", 1); w.set("cpu", "tool.duration", 20) }, "W", "1 x 20.0 s = 20.0 s"},
		{"too-short", "just enough", both(only("cpu"), set("cpu", "tool.duration", 5)), "", ""},
		{"too-short", "a look at SMART data", only("smart"), "", ""},
		{"too-short", "no duration", both(only("cpu"), drop("cpu", "tool.duration")), "-", "how long the tool measured"},

		{"cov", "8 per cent", values(100, 92, 108, 100, 92), "W", "over 6 repeats"},
		{"cov", "47.7 per cent, as published", values(1000, 3184, 1100, 1050, 1100), "E", "over 6 repeats"},
		{"cov", "quiet", only("cpu"), "", ""},
		{"cov", "two repeats", func(w *world) { w.only("cpu"); w.keep("cpu", 2) }, "-", "spread over repeats"},

		{"autocorr", "ten up, ten down", func(w *world) { w.only("seqwrite"); w.sampled("seqwrite", write, alike) }, "I", "60 samples with rho"},
		{"autocorr", "independent", only("seqwrite"), "", ""},
		{"autocorr", "one value a repeat", only("cpu"), "", ""},
		{"autocorr", "too few", func(w *world) { w.only("seqwrite"); w.keep("seqwrite", 2) }, "-", "autocorrelation"},
	})
}

func TestMachine(t *testing.T) {
	used := func(part func(*assay.CPUTime)) func(*world) {
		return func(w *world) { w.only("cpu"); w.watch("cpu", func(k *assay.Watch) { part(&k.After.CPU) }) }
	}
	warming := func(name, key string, perMinute float64) func(*world) {
		return func(w *world) {
			r := w.only(name)
			for i := range r.Repeats {
				for j := range r.Repeats[i].Watch.Ticks {
					at := r.Repeats[i].Started.Sub(began) + time.Duration(j)*time.Second
					r.Repeats[i].Watch.Ticks[j].Temps = map[string]float64{key: 40 + perMinute*at.Minutes()}
				}
				r.Repeats[i].Started = r.Repeats[i].Started.Add(time.Duration(i) * 20 * time.Second)
			}
		}
	}
	wandering := func(w *world) {
		w.only("cpu")
		w.watch("cpu", func(k *assay.Watch) {
			for i := range k.Ticks {
				k.Ticks[i].Clock = 3.5e9 - 1e8*float64(i)
			}
		})
	}
	check(t, []one{
		{"thermal", "throttled", func(w *world) { w.only("cpu").Repeats[2].Watch.After.Throttles = 3 }, "W", "3 throttling events in 1 of 6 repeats"},
		{"thermal", "throttled under the probe's load", set("thermal", "thermal.throttles", 4), "W", "4.00 throttling events"},
		{"thermal", "still warming", warming("cpu", "coretemp/Package", 4), "W", "coretemp/Package rose"},
		{"thermal", "a drive still warming", warming("seqwrite", "drivetemp/sda", 4), "W", "drivetemp/sda rose"},
		{"thermal", "another sensor warms", warming("cpu", "drivetemp/sda", 4), "", ""},
		{"thermal", "a step of one degree", warming("cpu", "coretemp/Package", .5), "", ""},
		{"thermal", "an NVMe drive too hot", func(w *world) {
			w.set("smart", "smart.throttle_minutes", 60)
			w.each("smart", "smart.throttle_minutes", 60, 60, 180, 180, 180, 180)
		}, "W", "180 s above the drive's limits, 60.0 s before"},
		{"thermal", "nothing counts", func(w *world) {
			w.only("cpu")
			w.facts.Sensors = nil
			w.watch("cpu", func(k *assay.Watch) { k.Before.Throttles, k.After.Throttles = -1, -1 })
		}, "-", "throttling counters and temperatures"},

		{"turbo-window", "20 s, as published", both(set("cpu", "tool.duration", 20), func(w *world) { w.facts.CPU.Turbo = nil; w.at("cpu").Trial.Repeats = 1 }), "W", "20.0 s against 3 x 28.0 s = 84.0 s (tau unknown, 28 s assumed)"},
		{"turbo-window", "repeats that are short on purpose", both(set("cpu", "tool.duration", 20), func(w *world) { w.facts.CPU.Turbo = nil; w.at("cpu").Trial.Repeats = 6 }), "I", "20.0 s against 3 x 28.0 s"},
		{"turbo-window", "a single run", both(set("cpu", "tool.duration", 20), func(w *world) { w.facts.CPU.Turbo = nil; w.at("cpu").Trial.Repeats = 1 }), "W", "20.0 s against 3 x 28.0 s"},
		{"turbo-window", "a quick look", both(set("cpu", "tool.duration", 20), func(w *world) { w.facts.CPU.Turbo = nil; w.at("cpu").Trial.Quick, w.at("cpu").Trial.Repeats = true, 1 }), "I", "20.0 s against 3 x 28.0 s"},
		{"turbo-window", "tau is known", both(set("cpu", "tool.duration", 20), func(w *world) {
			w.facts.CPU.Turbo = is(true)
			w.facts.CPU.TurboWindow = 8
			w.at("cpu").Trial.Repeats = 1
		}), "W", "20.0 s against 3 x 8.00 s = 24.0 s"},
		{"turbo-window", "long enough", both(set("cpu", "tool.duration", 90), func(w *world) { w.facts.CPU.Turbo = is(true) }), "", ""},
		{"turbo-window", "no turbo", set("cpu", "tool.duration", 2), "", ""},
		{"turbo-window", "in a virtual machine", func(w *world) { w.facts.CPU.Turbo, w.facts.CPU.Virtual = nil, is(true) }, "-", "turbo window"},
		{"turbo-window", "another vendor", func(w *world) { w.facts.CPU.Turbo, w.facts.CPU.Vendor = nil, "AuthenticAMD" }, "-", "how long this processor may boost"},

		{"hypervisor-cache", "writeback", disks(assay.GuestDisk{Name: "scsi0", Cache: "writeback"}), "W", "scsi0: cache=writeback"},
		{"hypervisor-cache", "flushes that are ignored", both(only("syncwrite"), label("syncwrite", "sync", "1"), disks(assay.GuestDisk{Name: "vda", Cache: "unsafe"})), "E", "vda: cache=unsafe"},
		{"hypervisor-cache", "no cache", disks(assay.GuestDisk{Name: "scsi0", Cache: "none"}), "", ""},
		{"hypervisor-cache", "no hypervisor", func(*world) {}, "", ""},
		{"hypervisor-cache", "a disk that was lent", func(w *world) {
			disks(assay.GuestDisk{Name: "scsi0", Cache: "none"})(w)
			w.only("randread")
			w.at("randread").Scratch.Disk = &assay.GuestDisk{Name: "scsi30", Cache: "writeback"}
		}, "W", "scsi30: cache=writeback"},
		{"hypervisor-cache", "faster than its storage", cachedDisk(4), "W", "against"},
		{"hypervisor-cache", "hardly faster", cachedDisk(1.1), "W", "vdz: cache=writeback"},
		{"hypervisor-cache", "the hypervisor's device saw a third", beneathGuest("randread", "writeback", .33), "W", "at sdb of pve1 against"},
		{"hypervisor-cache", "the hypervisor's device saw all", beneathGuest("randread", "writeback", 1), "", ""},
		{"hypervisor-cache", "another cache of the hypervisor", beneathGuest("randread", "none", .1), "W", "90.0 % from memory"},
		{"hypervisor-cache", "writes that are still in memory", beneathGuest("syncwrite", "writeback", .5), "W", "50.0 % still in memory"},
		{"hypervisor-cache", "the hypervisor was not watched", both(beneathGuest("randread", "writeback", .33), func(w *world) {
			for i := range w.at("randread").Repeats {
				w.at("randread").Repeats[i].Watches = nil
			}
		}), "W", "scsi0: cache=writeback"},
		{"hypervisor-cache", "two disks, and nobody knows which", disks(assay.GuestDisk{Name: "scsi0", Cache: "none"}, assay.GuestDisk{Name: "scsi1", Cache: "writeback"}), "-", "which of pve1's virtual disks this is"},

		{"governor", "powersave", func(w *world) { w.facts.CPU.Governor = "powersave" }, "W", "governor powersave (intel_pstate)"},
		{"governor", "in a virtual machine", func(w *world) { w.facts.CPU.Governor, w.facts.CPU.Virtual = "", is(true) }, "-", "frequency governor"},
		{"governor", "a clock that falls", wandering, "W", "clock 2,600 MHz to 3,400 MHz"},
		{"governor", "idle cores wander beside one thread", both(wandering, label("cpu", "threads", "1")), "", ""},
		{"governor", "nobody knows how many threads", both(wandering, label("cpu", "threads", "")), "", ""},
		{"governor", "nor of the processor", both(wandering, func(w *world) { w.facts.CPU.Threads = 0 }), "", ""},
		{"governor", "an idle second at the start", func(w *world) {
			w.only("cpu")
			w.watch("cpu", func(k *assay.Watch) { k.Ticks[0].Clock = 8e8 })
		}, "", ""},
		{"governor", "a clock that falls while storage works", func(w *world) {
			w.only("randread")
			w.watch("randread", func(k *assay.Watch) {
				for i := range k.Ticks {
					k.Ticks[i].Clock = 3.5e9 - 1e8*float64(i)
				}
			})
		}, "", ""},

		{"noisy-neighbour", "stolen", used(func(c *assay.CPUTime) { c.Steal += 3.6; c.Idle -= 3.6 }), "W", "stolen 3.60 s of 60.0 s of CPU time = 6.00 % at worst"},
		{"noisy-neighbour", "others", used(func(c *assay.CPUTime) { c.User += 6; c.Idle -= 6 }), "W", "other processes used 6.00 s of 60.0 s"},
		{"noisy-neighbour", "quiet", used(func(c *assay.CPUTime) { c.User++; c.Idle-- }), "", ""},
		{"noisy-neighbour", "somebody writes", both(only("randread"), counted("randread", assay.DeviceCounts{}, assay.DeviceCounts{ReadBytes: 2.8e9, WriteBytes: 2e8})), "W", "200 MB written at sda1 besides"},
		{"noisy-neighbour", "kernel threads work for the tool", func(w *world) {
			w.only("cpu")
			w.watch("cpu", func(k *assay.Watch) { k.After.CPU.System += 6; k.After.CPU.Idle -= 6; k.After.Kernel += 6 })
		}, "", ""},
		{"noisy-neighbour", "kernel threads that ended", func(w *world) {
			w.only("cpu")
			w.watch("cpu", func(k *assay.Watch) { k.After.Kernel = .5 })
		}, "-", "CPU time of the tool and of kernel threads"},
		{"noisy-neighbour", "a container sees no thread of the kernel", func(w *world) {
			w.only("cpu")
			w.watch("cpu", func(k *assay.Watch) {
				k.Before.Kernel, k.After.Kernel = 0, 0
				k.After.CPU.System += 6
				k.After.CPU.Idle -= 6
			})
		}, "-", "CPU time of the tool and of kernel threads"},
		{"noisy-neighbour", "the tool's time is not known", func(w *world) {
			w.only("cpu")
			w.watch("cpu", func(k *assay.Watch) { k.ToolCPU = -1 })
		}, "-", "CPU time of the tool"},
		{"noisy-neighbour", "no watch", func(w *world) { w.only("cpu"); w.keep("cpu", 1); w.at("cpu").Repeats[0].Watch = nil }, "-", "kernel's counters"},
	})
}

func TestHealth(t *testing.T) {
	check(t, []one{
		{"smart-media", "PM9A1, as published", both(set("smart", "smart.media_errors", 519), set("smart", "smart.available_spare", .96)), "E", "519 media errors"},
		{"smart-media", "spare blocks used", set("smart", "smart.available_spare", .96), "W", "spare blocks 96.0 % of 100 %"},
		{"smart-media", "and falling", func(w *world) { w.each("smart", "smart.available_spare", 1, 1, .99, .98, .97, .96) }, "E", "spare blocks 96.0 %, 100 % before"},
		{"smart-media", "healthy", only("smart"), "", ""},
		{"smart-media", "failed without a media error", both(only("smart"), set("smart", "smart.passed", 0)), "E", "self-assessment: 0"},
		{"smart-media", "failed, and nothing else is known", both(only("smart"), set("smart", "smart.passed", 0), drop("smart", "smart.media_errors", "smart.available_spare")), "E", "self-assessment: 0"},
		{"smart-media", "not counted", both(only("smart"), drop("smart", "smart.media_errors", "smart.available_spare")), "-", "media errors"},
		{"smart-media", "spare below its threshold", both(set("smart", "smart.available_spare", .03), label("smart", "threshold", ".1")), "E", "spare blocks 3.00 %, below the drive's threshold of 10.0 %"},
		{"smart-media", "at its threshold", both(set("smart", "smart.available_spare", .1), label("smart", "threshold", ".1")), "W", "spare blocks 10.0 % of 100 %"},
		{"smart-media", "reallocated", set("smart", "smart.reallocated_sectors", 561), "W", "561 reallocated sectors"},
		{"smart-media", "and growing", both(set("smart", "smart.reallocated_sectors", 561), func(w *world) { w.each("smart", "smart.reallocated_sectors", 3, 3, 3, 4, 4, 4) }), "E", "4 reallocated sectors, 3 before"},
		{"smart-media", "damaged inside the drive", set("smart", "smart.end_to_end_errors", 2), "E", "2 end-to-end errors"},
		{"smart-media", "only too hot", both(only("smart"), set("smart", "smart.passed", 0), label("smart", "critical_warning", "temperature out of range")), "", ""},

		{"smart-warning", "healthy", both(set("smart", "smart.failing_attributes", 0), set("smart", "smart.self_test_failures", 0)), "", ""},
		{"smart-warning", "at its threshold", both(set("smart", "smart.failing_attributes", 1), label("smart", "now", "Reallocated_Sector_Ct 30, threshold 36")), "E", "Reallocated_Sector_Ct 30, threshold 36"},
		{"smart-warning", "which says so itself", both(set("smart", "smart.passed", 0), set("smart", "smart.failing_attributes", 1), label("smart", "now", "Reallocated_Sector_Ct 1, threshold 5")), "W", "Reallocated_Sector_Ct 1"},
		{"smart-warning", "a warning behind a passed", both(only("smart"), label("smart", "critical_warning", "read only")), "E", "critical warning: read only"},
		{"smart-warning", "failed self-tests", set("smart", "smart.self_test_failures", 6), "E", "6 of the drive's self-tests failed"},
		{"smart-warning", "and one that passed since", both(set("smart", "smart.self_test_failures", 3), label("smart", "since", "passed"), label("smart", "tests", "4")), "W", "3 of 4 self-tests failed"},
		{"smart-warning", "a motor that starts late", set("smart", "smart.spin_retries", 3), "W", "3 starts"},
		{"smart-warning", "non-medium errors", set("smart", "smart.non_medium_errors", 1061), "I", "1,061"},
		{"smart-warning", "nothing is said", both(only("smart"), drop("smart", "smart.passed")), "-", "verdict"},

		{"smart-link", "a cable", set("smart", "smart.crc_errors", 560), "W", "560 CRC errors"},
		{"smart-link", "a plug pulled once", set("smart", "smart.crc_errors", 1), "I", "1 CRC error"},
		{"smart-link", "few, and growing", both(set("smart", "smart.crc_errors", 1), func(w *world) { w.each("smart", "smart.crc_errors", 1, 1, 1, 2, 2, 2) }), "W", "2 CRC errors, 1 before"},
		{"smart-link", "a good cable", set("smart", "smart.crc_errors", 0), "", ""},
		{"smart-link", "a plug that does not hold", both(set("smart", "smart.crc_errors", 0), set("smart", "smart.unsafe_shutdowns", 5597), set("smart", "smart.power_on_hours", 45*3600)), "W", "5,597 unsafe shutdowns in 45.0 h powered on: one every 28.9 s"},
		{"smart-link", "a stick that is pulled each day", both(set("smart", "smart.crc_errors", 0), set("smart", "smart.unsafe_shutdowns", 250), set("smart", "smart.power_on_hours", 200*3600)), "", ""},
		{"smart-link", "not counted", both(set("smart", "smart.failing_attributes", 0), label("smart", "protocol", "ATA")), "-", "interface CRC errors"},

		{"smart-wear", "worn", set("smart", "smart.percentage_used", 1.12), "W", "112 % used"},
		{"smart-wear", "almost", set("smart", "smart.percentage_used", .99), "", ""},
		{"smart-wear", "not counted", both(only("smart"), drop("smart", "smart.percentage_used"), label("smart", "protocol", "NVMe")), "-", "percentage used"},

		{"smart-heat", "critical", both(set("smart", "smart.throttle_minutes", 2880), label("smart", "critical", "420")), "W", "7 minutes above the critical temperature"},
		{"smart-heat", "a heat wave", both(set("smart", "smart.throttle_minutes", 17040), set("smart", "smart.power_on_hours", 1998*3600), label("smart", "warning", "17040")), "I", "284 minutes above"},
		{"smart-heat", "as a rule", both(set("smart", "smart.throttle_minutes", 17040), set("smart", "smart.power_on_hours", 199*3600), label("smart", "warning", "17040")), "W", "2.38 %"},
		{"smart-heat", "at its trip temperature", both(set("smart", "smart.temperature", 68), label("smart", "trip", "68")), "E", "68.0 °C against a limit of 68.0 °C"},
		{"smart-heat", "too hot now", both(only("smart"), label("smart", "critical_warning", "spare below threshold, temperature out of range")), "E", "temperature out of range"},
		{"smart-heat", "too hot once", both(set("smart", "smart.throttle_minutes", 0), set("smart", "smart.temperature", 48), label("smart", "highest", "72")), "I", "72.0 °C at some time"},
		{"smart-heat", "warm once", both(set("smart", "smart.throttle_minutes", 0), set("smart", "smart.temperature", 48), label("smart", "highest", "70")), "", ""},
		{"smart-heat", "cool", both(set("smart", "smart.throttle_minutes", 0), label("smart", "critical", "0")), "", ""},
		{"smart-heat", "not counted", both(only("smart"), label("smart", "protocol", "NVMe")), "-", "time above"},

		{"endurance-used", "200 GB by this run", again(193e12, 193.2e12), "I", "193,000 GB at the start, 193,200 GB at the end: 200 GB = 0.067 % of its rated 300,000 GB"},
		{"endurance-used", "nothing was written", again(193e12, 193e12), "", ""},
		{"endurance-used", "one reading", set("smart", "smart.data_written", 193e12), "", ""},
		{"endurance-used", "not counted", both(again(1, 2), drop("smart", "smart.data_written")), "-", "bytes written"},
		{"endurance", "of two readings the last counts", both(again(0, 193e12), set("smart", "smart.percentage_used", .26), func(w *world) { w.results[1].Repeats[0].Measurement("smart.percentage_used").Value = .26 }), "W", "193 TB of 300 TB"},
		{"endurance", "SN720, as published", both(on("nvme", gen3x4, "WDC PC SN720 SDAPNTW-512G", 512110190592), set("smart", "smart.data_written", 193e12), set("smart", "smart.percentage_used", .26)), "W", "193 TB of 300 TB = 64.3 % against 26.0 % used: 38.3 % apart"},
		{"endurance", "as rated", only("smart"), "", ""},
		{"endurance", "unknown model", both(on("nvme", gen3x4, "FOO", 5e11), only("smart")), "-", `rated TBW of "FOO"`},
		{"endurance", "not counted", both(only("smart"), drop("smart", "smart.data_written")), "-", "bytes written"},
	})
}

// Figures of several jobs in one output are not one distribution.
func TestJobsAreNotMixed(t *testing.T) {
	w := good()
	r := w.only("syncwrite")
	for i := range r.Repeats {
		var second []assay.Measurement
		for _, m := range r.Repeats[i].Measurements {
			m.Labels = with(m.Labels, "job", "second")
			if _, ok := assay.Percentile(m.Metric); ok {
				m.Value *= 100
			}
			second = append(second, m)
		}
		r.Repeats[i].Measurements = append(r.Repeats[i].Measurements, second...)
	}
	for _, f := range Audit(w.evidence()) {
		t.Errorf("%s %s: %s%s", f.Severity, f.Rule, f.Arithmetic, f.Missing)
	}
}

// disks makes the machine a guest with these disks. cachedDisk measures randread on two
// disks of one storage; the one that the hypervisor caches is faster by this factor.
func cachedDisk(times float64) func(*world) {
	return func(w *world) {
		w.only("randread")
		w.at("randread").Scratch.Disk = &assay.GuestDisk{Name: "vdz", Storage: "images", Cache: "writeback"}
		past := *w.at("randread")
		past.Trial.ID += "2"
		past.Scratch.Disk = &assay.GuestDisk{Name: "vdy", Storage: "images", Cache: "none"}
		past.Repeats = slices.Clone(past.Repeats)
		for i := range past.Repeats {
			past.Repeats[i].Measurements = slices.Clone(past.Repeats[i].Measurements)
			for j := range past.Repeats[i].Measurements {
				if m := &past.Repeats[i].Measurements[j]; m.Metric == "storage.read.iops" {
					m.Value /= times
				}
			}
		}
		w.results = append(w.results, past)
	}
}

// beneathGuest makes the device under a guest's disk move that share of the tool's bytes.
func beneathGuest(name, cache string, share float64) func(*world) {
	return func(w *world) {
		disks(assay.GuestDisk{Name: "scsi0", Cache: cache, Device: "sdb"})(w)
		w.only(name)
		for i, rep := range w.at(name).Repeats {
			moved := assay.DeviceCounts{}
			if m := rep.Measurement("storage.read.bytes"); m != nil {
				moved.ReadBytes = int64(share * m.Value)
			}
			if m := rep.Measurement("storage.write.bytes"); m != nil {
				moved.WriteBytes = int64(share * m.Value)
			}
			w.at(name).Repeats[i].Watches = map[string]*assay.Watch{"pve1": {
				Before: assay.Snapshot{Devices: map[string]assay.DeviceCounts{"sdb": {}}}, After: assay.Snapshot{Devices: map[string]assay.DeviceCounts{"sdb": moved}},
			}}
		}
	}
}

func disks(all ...assay.GuestDisk) func(*world) {
	return func(w *world) { w.facts.Guest = &assay.GuestFacts{Hypervisor: "pve1", Disks: all} }
}

// The hypervisor cache answers the share of reads that its storage could not.
func TestTheShareOfTheHypervisorsCache(t *testing.T) {
	for factor, want := range map[float64]string{4: "answered about 75.0 % of these reads", 1.1: "may answer these reads"} {
		w := good()
		cachedDisk(factor)(w)
		var said []string
		for _, f := range hypervisorCache.Check(w.evidence()) {
			said = append(said, f.Message)
		}
		if len(said) != 1 || !strings.Contains(said[0], want) {
			t.Errorf("%v times as fast: %q", factor, said)
		}
	}
}
