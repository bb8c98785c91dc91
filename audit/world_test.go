package audit

import (
	"fmt"
	"maps"
	"time"

	"assay"
)

// world is a machine on which everything was measured well: no rule fires.
// Tests spoil one thing and check the findings.
type world struct {
	facts   assay.Facts
	results []assay.Result
}

func (w *world) evidence() Evidence {
	return Evidence{Inventory: assay.Inventory{Facts: map[string]assay.Facts{"h": w.facts}}, Results: w.results}
}

// at returns the result of one case.
func (w *world) at(name string) *assay.Result {
	for i := range w.results {
		if w.results[i].Trial.Case == name {
			return &w.results[i]
		}
	}
	panic("no case " + name)
}

// only keeps one case.
func (w *world) only(name string) *assay.Result {
	w.results = []assay.Result{*w.at(name)}
	return &w.results[0]
}

// set sets a metric in all repeats of a case, adding it if missing.
func (w *world) set(name, metric string, v float64) {
	r := w.at(name)
	for i := range r.Repeats {
		if m := r.Repeats[i].Measurement(metric); m != nil {
			m.Value = v
			continue
		}
		like := r.Repeats[i].Measurements[0].Labels
		r.Repeats[i].Measurements = append(r.Repeats[i].Measurements, assay.Measurement{Metric: metric, Value: v, Labels: like})
	}
}

// each sets a metric to one value per repeat.
func (w *world) each(name, metric string, values ...float64) {
	r := w.at(name)
	for i := range r.Repeats {
		if m := r.Repeats[i].Measurement(metric); m != nil && i < len(values) {
			m.Value = values[i]
		}
	}
}

// drop removes the metrics of a case.
func (w *world) drop(name string, metrics ...string) {
	r := w.at(name)
	for i := range r.Repeats {
		var kept []assay.Measurement
		for _, m := range r.Repeats[i].Measurements {
			if !contains(metrics, m.Metric) {
				kept = append(kept, m)
			}
		}
		r.Repeats[i].Measurements = kept
	}
}

// label changes a label on all figures of a case; "" removes it.
func (w *world) label(name, key, value string) {
	r := w.at(name)
	for i := range r.Repeats {
		for _, m := range r.Repeats[i].Measurements {
			if value == "" {
				delete(m.Labels, key)
			} else {
				m.Labels[key] = value
			}
		}
	}
}

// watch changes the kernel's counters around all repeats of a case.
func (w *world) watch(name string, change func(*assay.Watch)) {
	r := w.at(name)
	for i := range r.Repeats {
		change(r.Repeats[i].Watch)
	}
}

// keep keeps the first n repeats.
func (w *world) keep(name string, n int) { r := w.at(name); r.Repeats = r.Repeats[:n] }

// sampled replaces the samples of a case with a series, split over its repeats.
func (w *world) sampled(name, metric string, series []float64) {
	r := w.at(name)
	each := len(series) / len(r.Repeats)
	for i := range r.Repeats {
		m := r.Repeats[i].Measurement(metric)
		m.Samples = nil
		for j := range each {
			m.Samples = append(m.Samples, assay.Sample{At: float64(j + 1), Value: series[i*each+j]})
		}
	}
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

const (
	repeats = 6
	lasts   = 10 // s
)

var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func is[T any](v T) *T { return &v }

// good returns the machine. Its drive is a SATA SSD with power-loss protection,
// rated at 500 and 460 MB/s.
func good() *world {
	w := &world{facts: assay.Facts{
		Host: "h",
		CPU: assay.CPUFacts{
			Model: "Intel Core i5-8500T", Vendor: "GenuineIntel", Cores: 6, Threads: 6, Governor: "performance", Driver: "intel_pstate",
			Turbo: is(false), Virtual: is(false), Caches: []assay.Cache{{Level: 3, Type: "Unified", Bytes: 9 << 20, Count: 1}},
		},
		Memory: assay.MemoryFacts{Total: 24 << 30, Available: 20 << 30, Channels: 2, DIMMs: []assay.DIMM{{MTs: 2667}, {MTs: 2667}}},
		Block: []assay.BlockDevice{{
			Name: "sda", Kind: "disk", Bytes: 200049647616, Model: "INTEL DC S3700 200GB", Bus: assay.BusSATA, Rotational: is(false), PLP: is(true), WriteCache: "write back",
			Link: &assay.Link{Kind: "sata", Mode: "6.0 Gb/s", Ceiling: 600e6},
		}},
		Dirs:    []assay.DirFacts{{Path: "/data", Mount: "/data", FileSystem: "ext4", Device: "sda1", Drives: []string{"sda"}, Bytes: 1e12, Free: 5e11}},
		Sensors: []assay.Sensor{{Key: "coretemp/Package", Kind: "cpu"}, {Key: "drivetemp/sda", Kind: "drive", Drive: "sda"}},
	}}
	fio := map[string]string{"tool": "fio", "engine": "io_uring", "jobs": "1", "direct": "1", "sync": "0"}
	w.storage("randread", "read", 70000, 4096, 32, with(fio, "pattern", "randread"))
	w.storage("seqwrite", "write", 400, 1<<20, 16, with(fio, "pattern", "write"))
	w.storage("syncwrite", "write", 12500, 4096, 1, with(fio, "pattern", "randwrite", "sync", "1"))
	w.copied("dd-write", "write", 400e6, map[string]string{"sync": "fdatasync", "source": "urandom"})
	w.copied("dd-cold", "read", 450e6, map[string]string{"sync": "0", "cache": "cold: drop_caches"})
	w.copied("dd-warm", "read", 9e9, map[string]string{"sync": "0", "cache": "warm"})
	w.plain("cpu", assay.KindCPU, "cpu.events_per_second", 5381, map[string]string{"tool": "sysbench", "threads": "6"})
	w.plain("memory", assay.KindMemory, "memory.read.bandwidth", 30e9, map[string]string{"tool": "sysbench", "threads": "6", "block": "64M", "scope": "dram"})
	w.looked("smart", assay.Subject{ID: "h/drive/sda", Kind: assay.KindDrive, Host: "h", Name: "/dev/sda"},
		map[string]float64{"smart.passed": 1, "smart.media_errors": 0, "smart.available_spare": 1, "smart.percentage_used": .05, "smart.data_written": 180e12})
	w.looked("thermal", assay.Subject{ID: "h/thermal", Kind: assay.KindThermal, Host: "h", Name: "thermal"},
		map[string]float64{"thermal.idle": 44, "thermal.load": 56, "thermal.throttles": 0})
	return w
}

func with(labels map[string]string, pairs ...string) map[string]string {
	all := maps.Clone(labels)
	for i := 0; i+1 < len(pairs); i += 2 {
		all[pairs[i]] = pairs[i+1]
	}
	return all
}

// wobble is a spread that no rule objects to, without autocorrelation.
func wobble(i int) float64 { return []float64{1, 1.01, .99, 1.005, .995, 1.002, .992, 1.008}[i*5%8] }

func (w *world) add(name string, subject assay.Subject, measure func(i int) []assay.Measurement, watch func(i int) *assay.Watch) {
	r := assay.Result{Trial: assay.Trial{ID: "probe/" + name + "@" + subject.ID, Case: name, Subject: subject, Repeats: repeats}}
	if subject.Kind == assay.KindDirectory {
		r.Scratch = assay.Scratch{File: "/data/f", Bytes: 4 << 30}
	}
	for i := range repeats {
		r.Repeats = append(r.Repeats, assay.Repeat{
			N: i + 1, Started: began.Add(time.Duration(i) * 2 * lasts * time.Second), Elapsed: (lasts + 1) * time.Second, Outcome: assay.Done,
			Measurements: measure(i), Watch: watch(i),
		})
	}
	w.results = append(w.results, r)
}

var data = assay.Subject{ID: "h/directory/data", Kind: assay.KindDirectory, Host: "h", Name: "/data"}

// storage adds a fio result of iops operations per second in one direction.
func (w *world) storage(name, dir string, iops float64, bs, depth int, labels map[string]string) {
	labels["bs"], labels["iodepth"], labels["requested_iodepth"] = fmt.Sprint(bs), fmt.Sprint(depth), fmt.Sprint(depth)
	w.add(name, data, func(i int) []assay.Measurement {
		n := iops * wobble(i)
		latency := float64(depth) / n
		p := "storage." + dir + "."
		m := func(metric string, v float64) assay.Measurement {
			return assay.Measurement{Metric: metric, Value: v, Labels: maps.Clone(labels)}
		}
		all := []assay.Measurement{
			m(p+"iops", n), m(p+"bandwidth", n*float64(bs)), m(p+"bytes", n*float64(bs)*lasts), m(p+"ios", n*lasts),
			m(p+"latency.mean", latency), m(p+"latency.total.mean", latency), m(p+"latency.max", 30*latency), m("tool.duration", lasts),
		}
		for j := range lasts {
			all[1].Samples = append(all[1].Samples, assay.Sample{At: float64(j + 1), Value: n * float64(bs) * wobble(j+i)})
		}
		for k, percent := range []float64{1, 20, 30, 40, 50, 60, 70, 80, 90, 99, 99.9} {
			all = append(all, m(assay.PercentileMetric(p, percent), latency*(.6+.08*float64(k))))
		}
		for _, share := range []float64{.3, .5, .2} {
			b := m("storage.latency_bucket.share", share)
			b.Labels["upper"] = fmt.Sprint(share)
			all = append(all, b)
		}
		deep := m("storage.iodepth.share", 1)
		deep.Labels["level"] = fmt.Sprint(depth)
		return append(all, deep)
	}, func(i int) *assay.Watch { return moved(dir, iops*wobble(i)*float64(bs)*lasts) })
}

// copied adds a dd result.
func (w *world) copied(name, dir string, bandwidth float64, labels map[string]string) {
	labels = with(labels, "tool", "dd", "engine", "psync", "jobs", "1", "iodepth", "1", "pattern", dir, "bs", "1M", "direct", "0", "size", fmt.Sprint(4<<30))
	w.add(name, data, func(i int) []assay.Measurement {
		m := func(metric string, v float64) assay.Measurement {
			return assay.Measurement{Metric: metric, Value: v, Labels: maps.Clone(labels)}
		}
		b := bandwidth * wobble(i)
		return []assay.Measurement{m("storage."+dir+".bandwidth", b), m("storage."+dir+".bytes", b*lasts), m("tool.duration", lasts)}
	}, func(i int) *assay.Watch {
		if labels["cache"] == "warm" {
			return moved(dir, 0)
		}
		return moved(dir, bandwidth*wobble(i)*lasts)
	})
}

func (w *world) plain(name string, kind assay.SubjectKind, metric string, v float64, labels map[string]string) {
	w.add(name, assay.Subject{ID: "h/" + string(kind), Kind: kind, Host: "h", Name: string(kind)}, func(i int) []assay.Measurement {
		return []assay.Measurement{
			{Metric: metric, Value: v * wobble(i), Labels: maps.Clone(labels)}, {Metric: "tool.duration", Value: lasts, Labels: maps.Clone(labels)},
		}
	}, func(int) *assay.Watch { return moved("read", 0) })
}

func (w *world) looked(name string, s assay.Subject, values map[string]float64) {
	w.add(name, s, func(int) []assay.Measurement {
		var all []assay.Measurement
		for metric, v := range values {
			all = append(all, assay.Measurement{Metric: metric, Value: v, Labels: map[string]string{}})
		}
		return all
	}, func(int) *assay.Watch { return moved("read", 0) })
}

// moved returns the counters of a quiet kernel while bytes move in one
// direction.
func moved(dir string, bytes float64) *assay.Watch {
	w := &assay.Watch{ToolCPU: 10}
	w.Before = assay.Snapshot{CPU: assay.CPUTime{User: 100, Idle: 1000}, Kernel: 5, Devices: map[string]assay.DeviceCounts{"sda1": {ReadBytes: 1e9, WriteBytes: 1e9}}}
	w.After = assay.Snapshot{CPU: assay.CPUTime{User: 110, Idle: 1050}, Kernel: 5}
	counts := assay.DeviceCounts{ReadBytes: 1e9 + 1e5, WriteBytes: 1e9 + 1e5}
	if dir == "read" {
		counts.ReadBytes += int64(bytes)
	} else {
		counts.WriteBytes += int64(bytes)
	}
	w.After.Devices = map[string]assay.DeviceCounts{"sda1": counts}
	w.Before.Uptime, w.After.Uptime = 1000, 1000+lasts
	for _, s := range []*assay.Snapshot{&w.Before, &w.After} {
		s.Pressure = &assay.Pressure{CPU: 5, MemoryFull: is(1.)}
		s.Quota, s.Swap = &assay.QuotaCounts{}, &assay.SwapCounts{In: 1 << 30}
	}
	for i := range lasts {
		w.Ticks = append(w.Ticks, assay.Tick{At: float64(i), Clock: 2.6e9, Temps: map[string]float64{"coretemp/Package": 56, "drivetemp/sda": 40}})
	}
	return w
}
