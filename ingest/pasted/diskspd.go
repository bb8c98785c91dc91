package pasted

import (
	"bytes"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	probe "assay/probe/diskspd"
)

// diskspd reads the text of Microsoft's DiskSpd 2, and its XML as the probe does.
var diskspd = tool{
	name: "diskspd", commands: []string{"diskspd", "diskspd.exe", "DiskSpd.exe"}, first: "CRt<", begins: diskspdBegins, read: readDiskspd,
	once: []string{"Command Line: ", "Results for timespan ", "Total IO", diskspdXML},
}

// diskspdXML is the first line of the XML.
const diskspdXML = "<Results>"

var (
	diskspdHead   = lazyregexp.New(`^thread \| +bytes +\| +I/Os +\| +Mi?B/s +\| +I/O per s`)
	diskspdPart   = lazyregexp.New(`^(Total|Read|Write) IO$`)
	diskspdSize   = lazyregexp.New(`^block size: (\d+)(?:([KMG])iB)?$`)
	diskspdDepth  = lazyregexp.New(`^number of outstanding I/O operations(?: per thread)?: (\d+)$`)
	diskspdCount  = lazyregexp.New(`^thread count:\s+(\d+)$`)
	diskspdTime   = lazyregexp.New(`^actual test time:\s+([\d.]+)s$`)
	diskspdFile   = lazyregexp.New(`^\s+\d+ \|.*\| *(\S.*) \((\d+)([KMG])iB\)$`)
	diskspdCentil = lazyregexp.New(`^ *([\d.]+)(?:th|-nines?) \| +([\d.]+|N/A) \| +([\d.]+|N/A) \| +([\d.]+|N/A)$`)
)

// diskspdBusy is the mean over all CPUs: avg.|   3.94%|   0.94%|   3.01%|  96.06%
var diskspdBusy = lazyregexp.New(`^avg\.\| *([\d.]+)%\|`)

func diskspdBegins(line string) bool {
	return strings.HasPrefix(line, "Command Line: ") && strings.Contains(strings.ToLower(line), "diskspd") ||
		strings.HasPrefix(line, "Results for timespan ") || line == diskspdXML || diskspdHead.MatchString(line)
}

func readDiskspd(p *page) {
	if bytes.Contains(p.text, []byte(diskspdXML)) {
		p.found, p.err = probe.New().Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Argv: p.argv, Output: assay.Output{Stdout: p.text}}}})
		return
	}
	mixed, random := false, false
	duration, at := 0.0, 0
	for i, line := range p.lines {
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "performing mix test"):
			mixed = true
		case strings.HasPrefix(text, "using random I/O"):
			random = true
			p.labels["order"] = "random"
		case strings.HasPrefix(text, "using sequential I/O"):
			p.labels["order"] = "sequential"
		case strings.Contains(text, "software cache disabled"):
			p.labels["direct"] = "1"
		case strings.HasPrefix(text, "writing zeros") || strings.HasPrefix(text, "zeroing"):
			p.labels["source"] = "zero"
		}
		if m := diskspdSize.FindStringSubmatch(text); m != nil {
			p.labels["bs"] = bytesOf(m[1], m[2])
		} else if m := diskspdDepth.FindStringSubmatch(text); m != nil {
			p.labels["iodepth"] = m[1]
		} else if m := diskspdCount.FindStringSubmatch(text); m != nil {
			p.labels["jobs"] = m[1]
		} else if m := diskspdTime.FindStringSubmatch(text); m != nil {
			duration, at = number(m[1]), i
		} else if m := diskspdBusy.FindStringSubmatch(text); m != nil {
			p.labels["cpu_share"] = strconv.FormatFloat(number(m[1])/100, 'f', 4, 64)
		} else if m := diskspdFile.FindStringSubmatch(line); m != nil {
			p.labels["file"], p.labels["size"] = m[1], bytesOf(m[2], m[3])
		}
	}
	order := p.labels["order"]
	delete(p.labels, "order")
	pattern := func(dir string) string {
		switch {
		case order == "":
			return ""
		case mixed && random:
			return "randrw"
		case mixed:
			return "rw"
		case random:
			return "rand" + dir
		}
		return dir
	}
	part, parts := "", strings.Contains(string(p.text), "Read IO") || strings.Contains(string(p.text), "Write IO")
	var columns []string
	for i, line := range p.lines {
		text := strings.TrimSpace(line)
		if m := diskspdPart.FindStringSubmatch(text); m != nil {
			part = strings.ToLower(m[1])
		}
		if diskspdHead.MatchString(text) {
			columns = splitCells(text)
		}
		labels := p.with("pattern", pattern(part))
		if rest, ok := strings.CutPrefix(text, "total:"); ok && columns != nil && (part != "total" || !parts) {
			p.diskspdTotal(i, "storage."+part+".", columns[1:], splitCells(rest), labels)
		}
		if m := diskspdCentil.FindStringSubmatch(text); m != nil && !strings.Contains(text, "nine") {
			for k, dir := range []string{"read", "write"} {
				p.add(i, assay.PercentileMetric("storage."+dir+".", number(m[1])), number(m[k+2])*1e-3, p.with("pattern", pattern(dir)))
			}
		}
	}
	if len(p.found) > 0 {
		p.add(at, "tool.duration", duration, p.with())
	}
}

func splitCells(line string) []string {
	cells := strings.Split(line, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

func (p *page) diskspdTotal(i int, stem string, columns, cells []string, labels map[string]string) {
	for k, cell := range cells {
		if k >= len(columns) {
			return
		}
		switch columns[k] {
		case "bytes":
			p.add(i, stem+"bytes", number(cell), labels)
		case "I/Os":
			p.add(i, stem+"ios", number(cell), labels)
		case "MiB/s", "MB/s":
			p.add(i, stem+"bandwidth", number(cell)*(1<<20), labels)
		case "I/O per s":
			p.add(i, stem+"iops", number(cell), labels)
		case "AvgLat":
			p.add(i, stem+"latency.mean", number(cell)*1e-3, labels)
		case "LatStdDev":
			p.add(i, stem+"latency.stddev", number(cell)*1e-3, labels)
		}
	}
}
