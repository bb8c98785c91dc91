package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// bonnie reads the table of bonnie++ 1.0x to 2.x: what it moved in blocks, and the
// seeks. What it moved a character at a time is a figure of the CPU.
var bonnie = tool{
	name: "bonnie++", commands: []string{"bonnie++"}, first: "V0123456789-", begins: func(line string) bool {
		return bonnieHead.MatchString(line) || bonnieVersions.MatchString(line) && bonnieCSV.MatchString(line)
	}, read: readBonnie,
	once: []string{"--Sequential Input-"},
}

var (
	bonnieHead    = lazyregexp.New(`^(?:(?:Version +)?(\d\.\d\d\w*) *)? *-+Sequential Output-+ --Sequential Input-+ *(?:--Random-+)?$`)
	bonnieVersion = lazyregexp.New(`\bVersion +(\d\.\d\d\w*) +-+Sequential Output-`)
	// debian0       7501M  376k  99  1.4g  96  117m  14 1510k  99  2.5g  95 +++++ +++
	bonnieRow      = lazyregexp.New(`^ *(\S.*?)?\s*\b(\d+)([MG])(?::\S+)?((?:\s+(?:[\d.]+[kmg]?|\+{3,5})){8,12})$`)
	bonnieVersions = lazyregexp.New(`^\d\.\d\d\w*,\d\.\d\d\w*,`)
	// stan,4G,16092,36,9563,1, and 1.97,1.97,ceph,1,1466766230,8196M,,646,97,
	bonnieCSV = lazyregexp.New(`^(?:[\d.]+,(\d\.\d\d\w*),)?([^,]+),(?:\d+,\d+,)?(\d+)([MG])(?::[^,]*)?,((?:(?:[\d.]*|\+{3,5}),){11,}(?:[\d.]*|\+{3,5})(?:,.*)?)$`)
)

func readBonnie(p *page) {
	ready := false
	for i, line := range p.lines {
		line = strings.TrimRight(line, " \\")
		if strings.Contains(line, "--Sequential Input-") {
			ready = true
			delete(p.labels, "version")
		}
		if m := bonnieVersion.FindStringSubmatch(line); m != nil && ready {
			p.labels["version"] = m[1]
		}
		if m := bonnieRow.FindStringSubmatch(line); m != nil && ready {
			cells := strings.Fields(m[4])
			switch len(cells) {
			case 8: // without characters: -f
				cells = append([]string{"", ""}, append(cells[:4:4], append([]string{"", ""}, cells[4:]...)...)...)
			case 12:
			case 10: // a mail has broken the line before the seeks
				cells = append(cells, "", "")
			default:
				continue
			}
			p.bonnieFigures(i, m[1], bytesOf(m[2], m[3]), cells)
			if i+1 < len(p.lines) {
				p.bonnieLatency(i+1, m[1])
			}
		}
	}
	if len(p.found) > 0 {
		return
	}
	for i, line := range p.lines {
		if m := bonnieCSV.FindStringSubmatch(strings.TrimRight(line, " \\")); m != nil {
			if m[1] != "" {
				p.labels["version"] = m[1]
			}
			cells := strings.Split(m[5], ",")
			if m[1] != "" && m[1] >= "1.9" {
				cells = cells[1:] // the size of a chunk
			}
			p.bonnieFigures(i, m[2], bytesOf(m[3], m[4]), cells)
		}
	}
}

// bonnieFigures reads the twelve columns of a row: a speed and the CPU's share, for
// characters, blocks and rewriting, for characters and blocks read, and for seeks.
func (p *page) bonnieFigures(i int, machine, size string, cells []string) {
	if len(cells) < 11 {
		return
	}
	p.labels["size"], p.labels["direct"], p.labels["jobs"] = size, "0", "1"
	job := func(of string) string { return strings.TrimSpace(machine + " " + of) }
	p.add(i, "storage.write.bandwidth", kilobytes(cells[2]), p.with("job", job("block output"), "pattern", "write"))
	p.add(i, "storage.write.bandwidth", kilobytes(cells[4]), p.with("job", job("rewrite"), "pattern", "rw"))
	p.add(i, "storage.read.bandwidth", kilobytes(cells[8]), p.with("job", job("block input"), "pattern", "read"))
	seeks := p.with("job", job("seeks"), "pattern", "randread")
	delete(seeks, "jobs")
	p.add(i, "storage.read.iops", number(cells[10]), seeks)
}

// bonnieSlowest is the row below, since 1.9: the slowest operation of each test.
// Latency             18690us    4868ms    2970ms   10643us    3610us   63826us
var bonnieSlowest = lazyregexp.New(`^ *Latency((?:\s+(?:\d+[mu]?s|\+{3,5})){4,6})\s*$`)

// bonnieLatency reads the slowest block that was written, and the slowest that was read.
func (p *page) bonnieLatency(i int, machine string) {
	m := bonnieSlowest.FindStringSubmatch(p.lines[i])
	if m == nil {
		return
	}
	cells := strings.Fields(m[1])
	if len(cells) < 5 {
		return // without characters: which is which nobody says
	}
	for _, of := range []struct{ metric, cell, job, pattern string }{
		{"storage.write.latency.max", cells[1], "block output", "write"},
		{"storage.read.latency.max", cells[4], "block input", "read"},
	} {
		digits := strings.TrimRight(of.cell, "mus")
		scale := map[string]float64{"s": 1, "ms": 1e-3, "us": 1e-6}[of.cell[len(digits):]]
		p.add(i, of.metric, number(digits)*scale, p.with("job", strings.TrimSpace(machine+" "+of.job), "pattern", of.pattern))
	}
}

// kilobytes reads K a second as version 1 prints them, and 376k, 117m and 1.4g as
// version 2 does. Both count in 1024s. What took no time is +++++.
func kilobytes(text string) float64 {
	n := strings.TrimRight(text, "kmg")
	if suffix := text[len(n):]; suffix != "" {
		return number(n) * binary[suffix]
	}
	return number(n) * (1 << 10)
}
