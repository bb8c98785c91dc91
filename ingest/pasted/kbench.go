package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// kbench reads the summaries of Longhorn's kbench, for one volume or two compared. They omit
// fio's settings, which are taken from kbench's job files: direct=1, libaio, 4 KiB at depth
// 64 for IOPS, 128 KiB at depth 64 for bandwidth, and 4 KiB for latency, at depth 1 or 4
// depending on the version.
var kbench = tool{
	name: "kbench", first: "F", begins: func(line string) bool { return kbenchHead.MatchString(line) }, read: readKbench,
	once: []string{"FIO Benchmark "},
}

var (
	kbenchHead    = lazyregexp.New(`^\s*FIO Benchmark (?:Compar\w+ |(Latency P99) )?Summary\s*$`)
	kbenchNames   = lazyregexp.New(`^For: (\S+) vs (\S+)$`)
	kbenchSize    = lazyregexp.New(`(?i)^size: (\d+[kmgt]?)i?b?$`)
	kbenchQuick   = lazyregexp.New(`(?i)^quick mode:? enabled$`)
	kbenchMeasure = lazyregexp.New(`^(IOPS|Bandwidth|Latency)(?: in (?:ops|KiB/sec|ns))?(?: \(Read/Write\))?$`)
	// It misspells Read in one version.
	kbenchRow   = lazyregexp.New(`^(Random|Sequential)(?: (Rr?ead|Write))?:\s+(.*)$`)
	kbenchBoth  = lazyregexp.New(`^([\d,]+) / ([\d,]+)$`)
	kbenchOne   = lazyregexp.New(`^([\d,]+)(?: \(sys/usr cpu: [\d%/ ]*\))?$`)
	kbenchSpace = lazyregexp.New(`\s{2,}(?:vs|:)\s{2,}`)
)

// kbenchMetrics maps sections to metrics, units, block sizes and depths.
var kbenchMetrics = map[string]struct {
	metric    string
	unit      float64
	bs, depth string
}{
	"IOPS":      {"iops", 1, "4096", "64"},
	"Bandwidth": {"bandwidth", 1 << 10, "131072", "64"},
	"Latency":   {"latency.mean", 1e-9, "4096", ""},
}

func readKbench(p *page) {
	p.labels["direct"], p.labels["engine"], p.labels["jobs"] = "1", "libaio", "1"
	volumes := []string{""}
	measure, p99 := "", false
	for i, line := range p.lines {
		line = strings.TrimSpace(line)
		if m := kbenchHead.FindStringSubmatch(line); m != nil {
			p99 = m[1] != ""
		} else if m := kbenchNames.FindStringSubmatch(line); m != nil {
			volumes = m[1:]
		} else if m := kbenchSize.FindStringSubmatch(line); m != nil {
			p.labels["size"] = strings.ToLower(m[1])
		} else if kbenchQuick.MatchString(line) {
			p.labels["runtime"], p.labels["ramp_time"] = "5", "1"
		} else if m := kbenchMeasure.FindStringSubmatch(line); m != nil {
			measure = m[1]
		} else if m := kbenchRow.FindStringSubmatch(line); m != nil && measure != "" {
			p.kbench(i, measure, p99, volumes, m)
		}
	}
}

// kbench records the figures of one row. After the volumes' cells comes the change between
// them.
func (p *page) kbench(i int, measure string, p99 bool, volumes, row []string) {
	of := kbenchMetrics[measure]
	if p99 {
		of.metric = "latency.p99"
	}
	cells := kbenchSpace.Split(row[3], -1)
	for k, volume := range volumes[:min(len(volumes), len(cells))] {
		figures := map[string]string{}
		if m := kbenchBoth.FindStringSubmatch(cells[k]); m != nil {
			figures["read"], figures["write"] = m[1], m[2]
		} else if m := kbenchOne.FindStringSubmatch(cells[k]); m != nil && row[2] != "" {
			figures[strings.ToLower(strings.Replace(row[2], "Rr", "R", 1))] = m[1]
		}
		for _, dir := range []string{"read", "write"} {
			if figures[dir] == "" {
				continue
			}
			pattern := dir
			if row[1] == "Random" {
				pattern = "rand" + dir
			}
			job := strings.TrimSpace(volume + " " + pattern + " " + strings.ToLower(measure))
			p.add(i, "storage."+dir+"."+of.metric, number(figures[dir])*of.unit, p.with("job", job, "pattern", pattern, "bs", of.bs, "iodepth", of.depth))
		}
	}
}
