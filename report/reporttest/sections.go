package reporttest

import (
	"math"

	"assay"
	"assay/report"
)

const dir = "pve4/directory//var/lib/assay"

// figure returns a figure of n repeats of some seconds around value; share is
// the reach of the interval, as a share of the value.
func figure(metric, label string, value, share float64, n int, seconds float64) report.Figure {
	m, _ := assay.Describe(metric)
	f := report.Figure{
		Metric: metric, Label: label, Value: value, Low: value, High: value, N: n, Seconds: seconds, Unit: m.Unit,
		Better: map[assay.Better]string{assay.Higher: "higher", assay.Lower: "lower"}[m.Better],
	}
	if n < 2 {
		return f
	}
	for i := range n {
		// A fixed wobble centred on the value.
		at := math.Sin(float64(2*i+1)*math.Pi/float64(n)) * share
		f.Repeats = append(f.Repeats, tidy(value*(1+at)))
	}
	if n >= 6 {
		f.Low, f.High, f.Level = tidy(value*(1-share*.8)), tidy(value*(1+share)), .95
	}
	return f
}

// disk returns the five figures of a storage row. Latencies are in seconds.
func disk(way string, iops, block, p50, p99, p999, share float64) []report.Figure {
	p := "storage." + way + "."
	return []report.Figure{
		figure(p+"iops", "IOPS", iops, share, 6, 5),
		figure(p+"bandwidth", "bandwidth", iops*block, share, 6, 5),
		figure(p+"latency.p50", "p50", p50, share/2, 6, 5),
		figure(p+"latency.p99", "p99", p99, share*2, 6, 5),
		figure(p+"latency.p99_9", "p99.9", p999, share*4, 6, 5),
	}
}

func against(f *report.Figure, name string, ceiling float64) {
	f.Ceiling = &report.Ceiling{Name: name, Value: tidy(ceiling), Share: tidy(f.Value / ceiling)}
}

func storage() report.Section {
	const link, carries = "PCIe Gen3 x4", 8e9 * 4 * 128 / 130 / 8
	const kib4, mib = 4096, 1 << 20
	row := func(trial, title, settings string, figures []report.Figure) report.Row {
		return report.Row{Trial: "fio/" + trial + "@" + dir, Title: title, Subject: dir, Settings: settings, Figures: figures}
	}
	read := disk("read", 243e3, kib4, 127e-6, 262e-6, 1.21e-3, .012)
	against(&read[1], link, carries)
	write := disk("write", 187e3, kib4, 159e-6, 561e-6, 2.18e-3, .021)
	against(&write[1], link, carries)
	seqread := disk("read", 3078, mib, 10.3e-3, 12.1e-3, 14.7e-3, .004)
	against(&seqread[1], link, carries)
	seqwrite := disk("write", 7658, mib, 121e-6, 412e-6, 988e-6, .031)
	against(&seqwrite[1], link, carries)
	seqwrite[1].Rejected, seqwrite[1].Footnotes = true, []int{1}
	sync := disk("write", 412, kib4, 2.11e-3, 6.4e-3, 11.2e-3, .083)
	sync[0].Footnotes, sync[2].Footnotes = []int{4}, []int{5}
	mixed := append(disk("read", 98.2e3, kib4, 171e-6, 881e-6, 2.6e-3, .018),
		disk("write", 42.1e3, kib4, 204e-6, 1.02e-3, 3.1e-3, .019)...)
	return report.Section{
		ID: "storage", Title: "Storage", Note: "fio 3.33 on a file of 8 GiB, written in full before the first repeat.",
		Rows: []report.Row{
			row("randread-4k", "4 KiB random read", "io_uring, depth 32, 1 job, direct", read),
			row("randwrite-4k", "4 KiB random write", "io_uring, depth 32, 1 job, direct", write),
			row("randread-4k-qd1", "4 KiB random read, one at a time", "psync, depth 1, 1 job, direct", disk("read", 11.2e3, kib4, 86e-6, 104e-6, 187e-6, .009)),
			row("seqread-1m", "1 MiB sequential read", "io_uring, depth 32, 1 job, direct", seqread),
			row("seqwrite-1m", "1 MiB sequential write", "psync, depth 1 (32 asked for), 1 job, buffered", seqwrite),
			row("fsync-4k", "4 KiB write, fsync after each", "psync, depth 1, 1 job, buffered, fsync", sync),
			row("randrw-4k", "4 KiB mixed, 70 % reads", "io_uring, depth 32, 1 job, direct", mixed),
			{Trial: "fio/trim@" + dir, Title: "discard", Subject: dir, Absent: &assay.Absence{Word: assay.NotSupported, Why: "a file cannot be trimmed through this file system"}},
		},
	}
}

func cpu() report.Section {
	row := func(trial, title, settings string, events, mean float64) report.Row {
		return report.Row{Trial: "sysbench/" + trial + "@pve4/cpu/cpu", Title: title, Subject: "pve4/cpu/cpu", Settings: settings, Quick: true,
			Figures: []report.Figure{
				figure("cpu.events_per_second", "events/s", events, .006, 6, 10),
				figure("cpu.latency.mean", "mean", mean, .006, 6, 10),
			}}
	}
	one := row("cpu-1", "one thread", "primes to 20000, 1 thread", 1243, .804e-3)
	all := row("cpu-all", "all threads", "primes to 20000, 12 threads", 11552, 1.038e-3)
	all.Figures[0].Footnotes = []int{3}
	return report.Section{ID: "cpu", Title: "CPU", Note: "sysbench 1.0.20, prime numbers.", Rows: []report.Row{one, all}}
}

func memory() report.Section {
	const on = "pve4/memory/memory"
	read := figure("memory.read.bandwidth", "bandwidth", 28.1e9, .014, 6, 5)
	against(&read, "2 channels of DDR4-2666", 2*8*2667e6)
	few := figure("memory.read.bandwidth", "bandwidth", 12.9e9, .02, 3, 5)
	return report.Section{ID: "memory", Title: "Memory", Rows: []report.Row{
		{Trial: "sysbench/memory-read@" + on, Title: "sequential read", Subject: on, Settings: "blocks of 64 MiB, 12 threads", Figures: []report.Figure{read}},
		{Trial: "sysbench/memory-read-1@" + on, Title: "sequential read, one thread", Subject: on, Settings: "blocks of 64 MiB, 1 thread", Figures: []report.Figure{few}},
		{Trial: "sysbench/memory-write@" + on, Title: "sequential write", Subject: on, Settings: "blocks of 64 MiB, 12 threads",
			Absent: &assay.Absence{Word: assay.Failed, Why: "sysbench on pve4 ended with exit status 1: cannot allocate 768 MiB", Hint: "free memory, or: assay run baseline --only memory"}},
	}}
}

func health() report.Section {
	one := func(metric, label string, v float64) report.Figure { return figure(metric, label, v, 0, 1, 0) }
	nvme := []report.Figure{
		one("smart.passed", "health", 1),
		one("smart.available_spare", "available spare", .96),
		one("smart.percentage_used", "used", .26),
		one("smart.media_errors", "media errors", 519),
		one("smart.temperature", "temperature", 45),
		one("smart.power_on_hours", "power-on", 42270*3600),
		one("smart.data_written", "written", 193e12),
		one("smart.unsafe_shutdowns", "unsafe shutdowns", 88),
	}
	nvme[3].Footnotes = []int{2}
	return report.Section{ID: "health", Title: "Health", Note: "What the drives say of themselves (SMART).", Rows: []report.Row{
		{Trial: "smart/health@pve4/drive/nvme0n1", Title: "nvme0n1, WDC PC SN720", Subject: "pve4/drive/nvme0n1", Figures: nvme},
		{Trial: "smart/health@pve4/drive/sda", Title: "sda, USB bridge", Subject: "pve4/drive/sda",
			Absent: &assay.Absence{Word: assay.Unknown, Why: "the USB bridge 152d:0578 passes no SMART commands", Hint: "smartctl --device sat,12 --all /dev/sda"}},
	}}
}

func thermal() report.Section {
	const on = "pve4/thermal/thermal"
	one := func(metric, label string, v float64) report.Figure { return figure(metric, label, v, 0, 1, 60) }
	return report.Section{ID: "thermal", Title: "Temperature", Rows: []report.Row{
		{Trial: "thermal/load@" + on, Title: "CPU under full load", Subject: on, Settings: "12 threads for 60 s", Figures: []report.Figure{
			one("thermal.idle", "idle", 49),
			one("thermal.load", "load", 75),
			one("thermal.rise", "rise", 26),
			one("thermal.settle", "settles in", 94),
			one("thermal.clock.idle", "clock idle", 1.2e9),
			one("thermal.clock.load", "clock load", 3.59e9),
		}},
		{Trial: "thermal/throttles@" + on, Title: "throttling", Subject: on,
			Absent: &assay.Absence{Word: assay.NoData, Why: "the kernel shows no thermal_throttle counters for these cores"}},
	}}
}
