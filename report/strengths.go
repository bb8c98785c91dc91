package report

import (
	"fmt"
	"slices"
	"strings"

	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// class is what kind of storage delivers such a figure: boundaries are orders
// of magnitude between kinds of device, not the rating of any one of them.
type class struct {
	least float64
	kind  string // good or bad
	words string
}

// The kinds of device, by 4 KiB random reads and by synchronous 4 KiB writes at
// depth 1: NVMe and SATA are their interfaces' orders of magnitude, a hard disk
// turns 120 times a second, and a flush without power-loss protection costs a
// flash program of half a millisecond and more: of the drives in
// reference/figures.yaml none without it does 2,000 of them a second, and none with
// it fewer than 5,000.
var (
	randomReadClasses = []class{
		{150e3, "good", "typical of an NVMe drive"},
		{20e3, "good", "in the range of a SATA SSD"},
		{1000, "bad", "in the range of a USB stick, an SD card or a throttled volume"},
		{0, "bad", "in the range of a hard disk"},
	}
	syncWriteClasses = []class{
		{5e3, "good", "typical of a drive with power-loss protection"},
		{2000, "good", "a fast flush for a drive without power-loss protection"},
		{300, "bad", "like a consumer SSD without power-loss protection; databases and etcd will feel it"},
		{0, "bad", "like a hard disk or a card; databases and etcd will suffer"},
	}
)

func classOf(v float64, classes []class) class {
	for _, c := range classes {
		if v >= c.least {
			return c
		}
	}
	return classes[len(classes)-1]
}

// strengths says what the machine is good and bad at.
func strengths(d Document) (best, worst []Sentence) {
	say := func(kind, text string) {
		s := Sentence{kind, text}
		if kind == "bad" {
			worst = append(worst, s)
		} else {
			best = append(best, s)
		}
	}
	for _, r := range rowsOf(d, "storage") {
		iops := analysis.Believed(r, ".iops")
		if iops == nil {
			continue
		}
		sync := strings.Contains(r.Settings, ", sync")
		switch {
		case sync && strings.Contains(iops.Metric, "write"):
			if doubted(d, r, "flush-too-fast") {
				say("bad", fmt.Sprintf("Synchronous 4 KiB writes: %s, faster than this drive can make them durable: a power cut may lose them.", analysis.Number(*iops)))
				continue
			}
			c := classOf(iops.Value, syncWriteClasses)
			latency := ""
			if p := analysis.Believed(r, ".p50"); p != nil {
				latency = fmt.Sprintf(" (median latency %s)", quantity.Of(p.Metric, p.Value))
			}
			say(c.kind, fmt.Sprintf("Synchronous 4 KiB writes: %s%s, %s.", analysis.Number(*iops), latency, c.words))
		case strings.Contains(r.Title, "random read"):
			c := classOf(iops.Value, randomReadClasses)
			say(c.kind, fmt.Sprintf("%s: %s, %s.", prose.Sentence(r.Title), analysis.Number(*iops), c.words))
		}
	}
	if s := throughput(d); s != "" {
		say("note", s)
	}
	for _, r := range rowsOf(d, "cpu") {
		f := analysis.Believed(r, "cpu.scaling")
		if f == nil || f.Ceiling == nil || f.Ceiling.Value < 2 {
			continue
		}
		kind, tail := "good", "threads scale well"
		switch {
		case f.Ceiling.Share < .6:
			kind, tail = "bad", "the rest is lost to shared cores (SMT), a power limit or a busy neighbour"
		case f.Ceiling.Share < .85:
			kind, tail = "limit", "the rest is lost to shared cores (SMT) or a lower clock under load"
		}
		say(kind, fmt.Sprintf("All %s do %.2f × the work of one (%.0f %%): %s.", f.Ceiling.Name, f.Value, 100*f.Ceiling.Share, tail))
	}
	return best, worst
}

// throughput says how fast large transfers are, without judging them: what is
// much depends on the bus, and that is what limits is about.
func throughput(d Document) string {
	var parts []string
	for _, dir := range []string{"write", "read"} {
		for _, r := range rowsOf(d, "storage") {
			f := analysis.Believed(r, "storage."+dir+".bandwidth")
			small := slices.ContainsFunc(r.Figures, func(f Figure) bool { return strings.HasSuffix(f.Metric, ".iops") })
			large := !small || strings.Contains(r.Title, "sequential")
			if f != nil && large && !strings.Contains(r.Settings, "cache warm") {
				parts = append(parts, fmt.Sprintf("%ss %s", dir, analysis.Number(*f)))
				break
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Large transfers: " + strings.Join(parts, ", ") + "."
}

// doubted says whether a rule has a finding about the row.
func doubted(d Document, r Row, rule string) bool {
	return slices.ContainsFunc(d.Findings, func(f Footnote) bool { return f.Rule == rule && f.Subject == r.Trial })
}
