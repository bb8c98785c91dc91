package reporttest

import (
	"time"

	"assay"
	"assay/analysis"
	"assay/report"
)

// Document returns a run of one small server: twelve rows with numbers, one
// absence of each word, one rejected figure, footnotes of each severity, rules
// left open and the facts they lacked. Every call returns the same.
func Document() report.Document {
	return report.Document{
		Schema: report.Schema,
		Run: report.Header{
			ID: "20260222-120000-7f3a", Suite: "baseline", Hosts: []string{"pve4"},
			Started: time.Date(2026, 2, 22, 12, 0, 0, 0, time.UTC),
			Elapsed: 872, Budget: 900, Status: assay.RunPartial, Seed: 42, Version: "0.1.0",
			Notes: []assay.Note{{ID: "left-behind", Text: "a scratch file of an earlier run was released first: /var/lib/assay/scratch-5c1e"}},
		},
		Verdict: verdict(),
		Known: &analysis.Known{
			Wanted: .02, Met: 9, Of: 11, Measured: 312, Fixed: 1620, Ended: 2, Needs: 240,
			Open: []analysis.Imprecise{{Trial: "fio/fsync-4k@" + dir, Title: "4 KiB write + fsync", Metric: "storage.write.iops", Wide: .083, N: 6, More: 42, Needs: 240}},
		},
		Sections: []report.Section{storage(), cpu(), memory(), health(), thermal()},
		Among:    among(),
		Findings: footnotes(),
		Open:     open(),
		Facts:    facts(),
		Missing:  missing(),
		Plots:    plots(),
	}
}

func verdict() []report.Sentence {
	return []report.Sentence{
		{Kind: "bad", Text: "The sequential write of 8.03 GB/s is twice what the drive's PCIe link can carry: it measured RAM, not the drive [1]."},
		{Kind: "good", Text: "Random reads are healthy: 243k IOPS at depth 32, 99 % of them within 262 µs."},
		{Kind: "limit", Text: "Sequential reads reach 82 % of PCIe Gen3 x4; a faster drive would gain at most 22 % in this slot."},
		{Kind: "doubt", Text: "The CPU figures are bursts: each repeat was shorter than three turbo windows [3]."},
		{Kind: "next", Text: "Repeat the sequential write with direct I/O: assay run ssd --on pve4:/var/lib/assay."},
	}
}

func footnotes() []report.Footnote {
	const write = "fio/seqwrite-1m@" + dir
	return []report.Footnote{
		{Number: 1, Finding: assay.Finding{Rule: "pcie-ceiling", Severity: assay.Rejects, Subject: write,
			Metrics:    []string{"storage.write.bandwidth"},
			Arithmetic: "8.03 GB/s / (8 GT/s × 4 lanes × 128/130 / 8 = 3.94 GB/s) = 2.04",
			Message:    "Faster than its bus: this is the page cache, not the drive.",
			Advice:     "Write past the cache: fio --direct=1 --rw=write --bs=1M --iodepth=32 --ioengine=io_uring"}},
		{Number: 2, Finding: assay.Finding{Rule: "smart-media", Severity: assay.Warns, Subject: "smart/health@pve4/drive/nvme0n1",
			Metrics:    []string{"smart.media_errors"},
			Arithmetic: "519 media errors > 0, available spare 96 % < 100 %",
			Message:    "The drive could not recover data 519 times and has begun to use its spare blocks.",
			Advice:     "Copy what matters off it, then read it once from end to end and look whether the count rises."}},
		{Number: 3, Finding: assay.Finding{Rule: "turbo-window", Severity: assay.Warns, Subject: "sysbench/cpu-all@pve4/cpu/cpu",
			Metrics:    []string{"cpu.events_per_second"},
			Arithmetic: "10 s < 3 × 28 s",
			Message:    "Shorter than three turbo windows: burst, not sustained.",
			Advice:     "Give it time: assay run baseline --budget 30m"}},
		{Number: 4, Finding: assay.Finding{Rule: "cov", Severity: assay.Warns, Subject: "fio/fsync-4k@" + dir,
			Metrics:    []string{"storage.write.iops"},
			Arithmetic: "34.1 / 412 = 8.3 % > 5 %",
			Message:    "The repeats scatter more than a quiet machine's do."}},
		{Number: 5, Finding: assay.Finding{Rule: "no-plp", Severity: assay.Informs, Subject: "fio/fsync-4k@" + dir,
			Metrics:    []string{"storage.write.latency.p50"},
			Arithmetic: "p50 2.11 ms > 500 µs, write cache: write back",
			Message:    "A consumer SSD's flush: it has no power-loss protection, so every sync waits for the flash.",
			Advice:     "For databases and etcd use a drive with PLP."}},
	}
}

func open() []assay.Finding {
	return []assay.Finding{
		{Rule: "dram-ceiling", Severity: assay.NotChecked, Subject: "sysbench/memory-read@pve4/memory/memory", Arithmetic: "", Message: "not checked: DIMM speed unknown", Missing: "dimm speed"},
		{Rule: "rated-exceeded", Severity: assay.NotChecked, Subject: "fio/seqread-1m@" + dir, Message: "not checked: rating of WDC PC SN720 unknown", Missing: "drive rating"},
		{Rule: "rated-exceeded", Severity: assay.NotChecked, Subject: "fio/seqwrite-1m@" + dir, Message: "not checked: rating of WDC PC SN720 unknown", Missing: "drive rating"},
		{Rule: "endurance", Severity: assay.NotChecked, Subject: "smart/health@pve4/drive/nvme0n1", Message: "not checked: TBW unknown", Missing: "drive endurance"},
	}
}

func missing() []assay.MissingFact {
	return []assay.MissingFact{
		{Fact: "dimm speed", Why: "dmidecode needs root", Hint: "run assay as root, or: sudo dmidecode --type 17"},
		{Fact: "drive rating", Why: "WDC PC SN720 is not in the list of models"},
		{Fact: "turbo window", Why: "no /sys/class/powercap/intel-rapl:0", Hint: "modprobe intel_rapl_msr"},
	}
}

func facts() []report.FactGroup {
	return []report.FactGroup{
		{Title: "Machine", Rows: []report.Fact{{Name: "system", Value: "Debian GNU/Linux 12 (bookworm), kernel 6.8.12-8-pve"}, {Name: "model", Value: "Lenovo ThinkCentre M920q"}}},
		{Title: "CPU", Rows: []report.Fact{{Name: "model", Value: "Intel(R) Core(TM) i7-8700T CPU @ 2.40GHz"}, {Name: "cores", Value: "6, 12 threads"}, {Name: "governor", Value: "performance"}}},
		{Title: "Memory", Rows: []report.Fact{{Name: "size", Value: "31.2 GiB"}, {Name: "modules", Value: "unknown"}}},
		{Title: "Drives", Rows: []report.Fact{{Name: "nvme0n1", Value: "WDC PC SN720 SDAQNTW-512G, PCIe Gen3 x4, write back, no PLP"}, {Name: "sda", Value: "USB bridge, 1.82 TiB"}}},
	}
}
