package html

import (
	"fmt"
	"math"
	"math/rand"
	"time"

	"assay"
	"assay/report"
)

// sample returns a report as from a small server: made up, but with the shapes
// of real runs: interleaved repeats, a stall, a figure faster than its bus,
// rows without numbers, and long names.
func sample() report.Document {
	began := time.Date(2025, 3, 14, 20, 15, 0, 0, time.FixedZone("CET", 3600))
	repeats, spans := schedule()
	return report.Document{
		Schema: report.Schema,
		Run: report.Header{
			ID: "20250314T201500-pve1-baseline-7f3a", Suite: "baseline", Hosts: []string{"pve1.home.lan"},
			Started: began, Elapsed: 742, Budget: 900, Status: assay.RunPartial, Seed: 8812345, Version: "0.1.0",
			Notes: []assay.Note{{ID: "no-drop-caches", Text: "not root on this host: caches could not be dropped between repeats"}},
		},
		Verdict: []report.Sentence{
			{Kind: "bad", Text: "The memory read bandwidth of 118 GB/s cannot be true: two channels of DDR4-2666 carry 42.7 GB/s. It measured the cache."},
			{Kind: "limit", Text: "Sequential reads are bound by the PCIe link: 3.46 GB/s is 88 % of what Gen3 x4 carries."},
			{Kind: "good", Text: "Random reads are steady: 412k IOPS at depth 32, ± 0.9 % over six repeats."},
			{Kind: "doubt", Text: "Sync writes take 1.2 ms: the drive has a volatile write cache and no power-loss protection."},
			{Kind: "next", Text: "Repeat the memory test with a buffer of at least 48 MiB."},
		},
		Sections: sections(),
		Findings: []report.Footnote{
			{Number: 1, Finding: assay.Finding{Rule: "dram-ceiling", Severity: assay.Rejects, Subject: "sysbench/memory-read@pve1/memory/memory", Metrics: []string{"memory.read.bandwidth"},
				Arithmetic: "118 GB/s measured / (2 channels × 8 B × 2,667 MT/s = 42.7 GB/s) = 2.76", Message: "faster than the memory modules: this is cache", Advice: "run with a buffer of at least 4 × the last-level cache: sysbench memory --memory-block-size=48M --memory-oper=read run"}},
			{Number: 2, Finding: assay.Finding{Rule: "pcie-ceiling", Severity: assay.Warns, Subject: "fio/seqread-1m@pve1/directory/var/lib/vz",
				Arithmetic: "3.46 GB/s / (8 GT/s × 4 × 128/130 / 8 = 3.94 GB/s) = 88 %", Message: "close to what the link carries"}},
			{Number: 3, Finding: assay.Finding{Rule: "cov", Severity: assay.Warns, Subject: "fio/randwrite-4k@pve1/directory/var/lib/vz",
				Arithmetic: "coefficient of variation 7.9 % > 5 %", Message: "the repeats disagree", Advice: "see the stall in repeat 4; look at what else wrote to nvme0n1"}},
			{Number: 4, Finding: assay.Finding{Rule: "no-plp", Severity: assay.Informs, Subject: "fio/sync-4k@pve1/directory/var/lib/vz",
				Arithmetic: "sync p50 1.18 ms > 0.5 ms, write cache: write back", Message: "a consumer SSD's flush", Advice: "databases and Ceph want a drive with power-loss protection"}},
			{Number: 5, Finding: assay.Finding{Rule: "governor", Severity: assay.Informs, Subject: "pve1.home.lan", Arithmetic: "governor powersave", Message: "the clock follows the load"}},
		},
		Open: []assay.Finding{
			{Rule: "rated-exceeded", Severity: assay.NotChecked, Subject: "fio/seqread-1m@pve1/directory/var/lib/vz", Missing: "the vendor's rating of KINGSTON SNV2S1000G"},
			{Rule: "turbo-window", Severity: assay.NotChecked, Subject: "pve1.home.lan", Missing: "tau of the long power limit", Advice: "run as root to read intel-rapl"},
		},
		Facts:   facts(),
		Missing: []assay.MissingFact{{Fact: "sda pcie link", Why: "the controller is behind a USB bridge", Hint: "attach the drive to SATA"}, {Fact: "intel-rapl tau", Why: "not readable by this user", Hint: "run assay as root"}},
		Plots: report.Plots{
			Latency: curves(), Timeline: timelines(repeats), Heat: heatOverAll(spans),
		},
	}
}

// fig returns a figure with repeats scattered around it.
func fig(metric, label string, value, spread float64, n int, notes ...int) report.Figure {
	m, known := assay.Describe(metric)
	if !known {
		panic("no such metric: " + metric)
	}
	random := rand.New(rand.NewSource(int64(len(metric)) + int64(n)))
	f := report.Figure{Metric: metric, Label: label, Value: value, Low: value, High: value, N: n, Seconds: 10, Unit: m.Unit, Footnotes: notes}
	if n > 1 {
		f.Low, f.High, f.Level = value*(1-spread), value*(1+spread), .95
	}
	for range n {
		f.Repeats = append(f.Repeats, value*(1+spread*(2*random.Float64()-1)))
	}
	return f
}

func storage(dir string, iops, block, p50, p99, p999, spread float64, notes ...int) []report.Figure {
	p := "storage." + dir + "."
	return []report.Figure{
		fig(p+"iops", "IOPS", iops, spread, 6, notes...),
		fig(p+"bandwidth", "bandwidth", iops*block, spread, 6),
		fig(p+"latency.p50", "p50", p50, spread, 6),
		fig(p+"latency.p99", "p99", p99, 2*spread, 6),
		fig(p+"latency.p99_9", "p99.9", p999, 4*spread, 6),
	}
}

func sections() []report.Section {
	const vz, usb = "/var/lib/vz", "/mnt/backup/very/long/path/to/a/usb-disk"
	row := func(trial, title, subject, settings string, figures []report.Figure) report.Row {
		return report.Row{Trial: trial, Title: title, Subject: subject, Settings: settings, Figures: figures}
	}
	seq := storage("read", 3300, 1<<20, 2.4e-3, 4.1e-3, 6.2e-3, .004, 2)
	seq[1].Ceiling = &report.Ceiling{Name: "PCIe Gen3 x4", Value: 3.938e9, Share: .878}
	seq[1].Value = 3.46e9
	memory := fig("memory.read.bandwidth", "bandwidth", 117.6e9, .01, 6, 1)
	memory.Rejected, memory.Ceiling = true, &report.Ceiling{Name: "2 × DDR4-2667", Value: 42.67e9, Share: 2.756}
	quick := row("sysbench/cpu-multi@pve1/cpu/cpu", "Prime numbers, all threads", "pve1/cpu", "8 threads, limit 20,000", []report.Figure{fig("cpu.events_per_second", "events", 11552, 0, 1), fig("cpu.latency.mean", "mean latency", 692e-6, 0, 1)})
	quick.Quick = true
	smart := []report.Figure{
		fig("smart.passed", "health", 1, 0, 1), fig("smart.available_spare", "spare", 1, 0, 1), fig("smart.percentage_used", "used", .07, 0, 1),
		fig("smart.media_errors", "media errors", 0, 0, 1), fig("smart.temperature", "temperature", 41, 0, 1), fig("smart.power_on_hours", "power-on", 12270*3600, 0, 1),
		fig("smart.data_written", "data written", 48.2e12, 0, 1), fig("smart.unsafe_shutdowns", "unsafe shutdowns", 31, 0, 1),
	}
	for i := range smart {
		smart[i].Seconds = 0
	}
	write := storage("write", 1831, 1<<20, 4.2e-3, 8.8e-3, 21e-3, .021)
	write[1].Ceiling = &report.Ceiling{Name: "PCIe Gen3 x4", Value: 3.938e9, Share: .4876}
	return []report.Section{
		{ID: "storage", Title: "Storage", Note: "fio 3.33 with direct I/O on a file of 8 GiB, six repeats of 10 s each, interleaved.", Rows: []report.Row{
			row("fio/seqread-1m@pve1/directory/var/lib/vz", "1 MiB sequential read", vz, "io_uring, depth 8, 1 job, direct", seq),
			row("fio/seqwrite-1m@pve1/directory/var/lib/vz", "1 MiB sequential write", vz, "io_uring, depth 8, 1 job, direct", write),
			row("fio/randread-4k@pve1/directory/var/lib/vz", "4 KiB random read", vz, "io_uring, depth 32, 1 job, direct", storage("read", 412e3, 4096, 74e-6, 139e-6, 412e-6, .009)),
			row("fio/randwrite-4k@pve1/directory/var/lib/vz", "4 KiB random write", vz, "io_uring, depth 32, 1 job, direct", storage("write", 218e3, 4096, 121e-6, 610e-6, 11e-3, .079, 3)),
			row("fio/sync-4k@pve1/directory/var/lib/vz", "4 KiB write, fsync after each", vz, "psync, depth 1, 1 job, direct, fsync=1", storage("write", 812, 4096, 1.18e-3, 2.2e-3, 9.6e-3, .013, 4)),
			row("fio/seqread-1m@pve1/directory/mnt", "1 MiB sequential read", usb, "psync, depth 1, 1 job, direct", storage("read", 122, 1<<20, 8.1e-3, 11e-3, 48e-3, .006)),
			{Trial: "fio/randwrite-4k@pve1/directory/mnt", Title: "4 KiB random write", Subject: usb, Absent: &assay.Absence{Word: assay.Failed, Why: "fio: io_u error on file: Input/output error", Hint: "look at dmesg for errors of sdb"}},
			{Trial: "fio/randread-4k@pve1/directory/tank", Title: "4 KiB random read", Subject: "/tank/media", Absent: &assay.Absence{Word: assay.NotSupported, Why: "ZFS 2.1 does not honour direct I/O"}},
		}},
		{ID: "cpu", Title: "CPU", Note: "sysbench 1.0.20.", Rows: []report.Row{
			row("sysbench/cpu-single@pve1/cpu/cpu", "Prime numbers, 1 thread", "pve1/cpu", "1 thread, limit 20,000", []report.Figure{fig("cpu.events_per_second", "events", 1443, .003, 6), fig("cpu.latency.mean", "mean latency", 693e-6, .003, 6)}),
			quick,
		}},
		{ID: "memory", Title: "Memory", Rows: []report.Row{
			row("sysbench/memory-read@pve1/memory/memory", "Memory read, 1 thread", "pve1/memory", "blocks of 1 KiB, 10 GiB in all", []report.Figure{memory}),
			row("sysbench/memory-write@pve1/memory/memory", "Memory write, 1 thread", "pve1/memory", "blocks of 48 MiB", []report.Figure{fig("memory.write.bandwidth", "bandwidth", 14.8e9, .012, 6)}),
		}},
		{ID: "health", Title: "Drive health", Note: "What the drives say of themselves.", Rows: []report.Row{
			row("smart/health@pve1/drive/nvme0n1", "KINGSTON SNV2S1000G", "nvme0n1", "", smart),
			{Trial: "smart/health@pve1/drive/sdb", Title: "WD Elements 25A3", Subject: "sdb", Absent: &assay.Absence{Word: assay.Unknown, Why: "the USB bridge passes no SMART commands", Hint: "smartctl -d sat /dev/sdb"}},
		}},
		{ID: "temperature", Title: "Temperature", Rows: []report.Row{
			row("thermal/load@pve1/thermal/thermal", "All cores busy", "pve1", "8 threads, 60 s", []report.Figure{fig("thermal.idle", "idle", 41, 0, 1), fig("thermal.load", "load", 78, 0, 1), fig("thermal.rise", "rise", 37, 0, 1), fig("thermal.settle", "settled after", 48, 0, 1), fig("thermal.clock.load", "clock", 3.08e9, 0, 1)}),
		}},
	}
}

func facts() []report.FactGroup {
	return []report.FactGroup{
		{Title: "System", Rows: []report.Fact{{Name: "host", Value: "pve1.home.lan"}, {Name: "distribution", Value: "Debian GNU/Linux 12 (bookworm)"}, {Name: "kernel", Value: "6.8.12-4-pve"}, {Name: "machine", Value: "LENOVO ThinkCentre M920q"}}},
		{Title: "CPU", Rows: []report.Fact{{Name: "model", Value: "Intel(R) Core(TM) i7-8700T CPU @ 2.40GHz"}, {Name: "cores", Value: "6, 12 threads"}, {Name: "last-level cache", Value: "12 MiB"}, {Name: "governor", Value: "powersave (intel_pstate)"}}},
		{Title: "Memory", Rows: []report.Fact{{Name: "total", Value: "31.1 GiB"}, {Name: "modules", Value: "2 × 16 GiB DDR4-2667"}, {Name: "ceiling", Value: "42.7 GB/s"}}},
		{Title: "Drives", Rows: []report.Fact{{Name: "nvme0n1", Value: "KINGSTON SNV2S1000G, 932 GiB, PCIe Gen3 x4, write back, no PLP known"}, {Name: "sdb", Value: "WD Elements 25A3, 1.82 TiB, USB 5 Gb/s"}}},
		{Title: "Tools", Rows: []report.Fact{{Name: "fio", Value: "3.33"}, {Name: "sysbench", Value: "1.0.20"}, {Name: "smartctl", Value: "7.3"}}},
	}
}

// randwrite is the trial that stalls.
const randwrite = "fio/randwrite-4k@pve1/directory/var/lib/vz"

var trials = []struct {
	id, title string
	unit      assay.Unit
	value     float64
	noise     float64
}{
	{"fio/seqread-1m@pve1/directory/var/lib/vz", "1 MiB sequential read, /var/lib/vz", assay.BytesPerSecond, 3.46e9, .01},
	{"fio/seqwrite-1m@pve1/directory/var/lib/vz", "1 MiB sequential write, /var/lib/vz", assay.BytesPerSecond, 1.92e9, .05},
	{"fio/randread-4k@pve1/directory/var/lib/vz", "4 KiB random read, depth 32, /var/lib/vz", assay.PerSecond, 412e3, .02},
	{randwrite, "4 KiB random write, depth 32, /var/lib/vz", assay.PerSecond, 218e3, .08},
	{"fio/sync-4k@pve1/directory/var/lib/vz", "4 KiB write, fsync after each, /var/lib/vz", assay.PerSecond, 812, .04},
	{"fio/seqread-1m@pve1/directory/mnt", "1 MiB sequential read, /mnt/backup/very/long/path/to/a/usb-disk", assay.BytesPerSecond, 128e6, .02},
}

// schedule interleaves a warm-up of 5 s and six repeats of 10 s of each trial.
func schedule() (byTrial map[string][]report.Span, all []report.Span) {
	byTrial = map[string][]report.Span{}
	now := 8.
	for n := range 7 {
		for _, t := range trials {
			length := 10.
			if n == 0 {
				length = 5
			}
			s := report.Span{From: now, To: now + length, Title: fmt.Sprintf("repeat %d", n), Warmup: n == 0}
			if n == 0 {
				s.Title = "warm-up"
			}
			byTrial[t.id] = append(byTrial[t.id], s)
			s.Title = t.title
			all = append(all, s)
			now += length + 1.2
		}
	}
	return byTrial, all
}

func timelines(repeats map[string][]report.Span) []report.Series {
	random := rand.New(rand.NewSource(3))
	var out []report.Series
	for _, t := range trials {
		s := report.Series{Title: t.title, Trial: t.id, Unit: t.unit, Spans: repeats[t.id]}
		for n, span := range s.Spans {
			for at := span.From + .5; at <= span.To+.01; at += .5 {
				v := t.value * (1 + t.noise*random.NormFloat64())
				if span.Warmup {
					v *= .7 + .06*(at-span.From)
				}
				if t.id == randwrite && n == 4 && at > span.From+4 && at < span.From+6 {
					v *= .12
				}
				s.Points = append(s.Points, [2]float64{at, v})
			}
		}
		out = append(out, s)
	}
	return out
}

func heatOverAll(spans []report.Span) report.Heat {
	random := rand.New(rand.NewSource(5))
	end := spans[len(spans)-1].To + 20
	cpu, drive, board := report.Series{Title: "coretemp/Package id 0", Unit: assay.Celsius}, report.Series{Title: "nvme/Composite (nvme0n1)", Unit: assay.Celsius}, report.Series{Title: "acpitz/temp1", Unit: assay.Celsius}
	clock, load := report.Series{Title: "mean clock", Unit: assay.Hertz}, report.Series{Title: "busy share of all CPUs", Unit: assay.One}
	hot, warm := 41., 38.
	for t := 0.; t < end; t++ {
		busy := .03
		for _, s := range spans {
			if t >= s.From && t <= s.To {
				busy = .25 + .1*math.Sin(s.From)
			}
		}
		hot += (40 + 110*busy - hot) * .08
		warm += (38 + 70*busy - warm) * .01
		cpu.Points = append(cpu.Points, [2]float64{t, hot + random.NormFloat64()})
		drive.Points = append(drive.Points, [2]float64{t, math.Round(warm)})
		board.Points = append(board.Points, [2]float64{t, 27.8})
		clock.Points = append(clock.Points, [2]float64{t, 8e8 + 2.6e9*math.Min(1, 3*busy) + 5e7*random.NormFloat64()})
		load.Points = append(load.Points, [2]float64{t, math.Min(1, math.Max(0, busy+.02*random.NormFloat64()))})
	}
	return report.Heat{Temps: []report.Series{cpu, drive, board}, Clock: &clock, Load: &load, Spans: spans}
}

func curves() []report.Curve {
	var out []report.Curve
	for i, c := range []struct {
		title      string
		p50, steep float64
		count      int64
	}{
		{"1 MiB sequential read, /var/lib/vz", 2.4e-3, 1.3, 198e3},
		{"1 MiB sequential write, /var/lib/vz", 4.2e-3, 1.6, 110e3},
		{"4 KiB random read, depth 1, /var/lib/vz", 68e-6, 1.5, 820e3},
		{"4 KiB random read, depth 32, /var/lib/vz", 74e-6, 1.9, 24.7e6},
		{"4 KiB random write, depth 32, /var/lib/vz", 121e-6, 3.1, 13.1e6},
		{"4 KiB write, fsync after each, /var/lib/vz", 1.18e-3, 2.2, 48.7e3},
		{"1 MiB sequential read, /mnt/backup/very/long/path/to/a/usb-disk", 8.1e-3, 1.6, 7320},
	} {
		curve := report.Curve{Title: c.title, Trial: trials[i%len(trials)].id, Count: c.count}
		for _, p := range []float64{1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 100} {
			nines := math.Max(math.Log10(float64(c.count)), 4.2)
			if p < 100 {
				nines = -math.Log10(1 - p/100)
			}
			curve.Points = append(curve.Points, [2]float64{p, c.p50 * math.Pow(c.steep, nines-.3)})
		}
		out = append(out, curve)
	}
	return out
}
