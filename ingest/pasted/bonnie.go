package pasted

import (
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// bonnie reads the table of bonnie++ 1.0x to 2.x, or its CSV line: transfers by
// character and by block, seeks, and operations on many small files.
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
	bonnieCSV = lazyregexp.New(`^(?:([\d.]+),(\d\.\d\d\w*),)?([^,]+),(?:\d+,\d+,)?(\d+)([MG])(?::[^,]*)?,((?:(?:[\d.]*|\+{3,5}),){11,}(?:[\d.]*|\+{3,5})(?:,.*)?)$`)
)

func readBonnie(p *page) {
	if p.bonnieTable(); len(p.found) == 0 {
		p.bonnieCSV()
	}
	switch {
	case len(p.untimed) == 0:
	case len(p.found) == 0:
		p.fail(0, "all of it was too quick to be timed: use a larger file (-s): %w", assay.ErrNoOutput)
	default:
		p.found[0].Labels["untimed"] = strings.Join(p.untimed, ", ")
	}
}

func (p *page) bonnieTable() {
	ready, machine, of := false, "", bonnieBlocks
	for i, line := range p.lines {
		line = strings.TrimRight(line, " \\")
		if strings.Contains(line, "--Sequential Input-") {
			ready, machine = true, ""
			delete(p.labels, "version")
		}
		if m := bonnieVersion.FindStringSubmatch(line); m != nil && ready {
			p.labels["version"] = m[1]
		}
		if m := bonnieRow.FindStringSubmatch(line); m != nil && ready {
			cells := strings.Fields(m[4])
			of = bonnieBlocks
			switch len(cells) {
			case 8: // without characters: -f
				cells, of = bonnieWithout(cells), bonnieFast
			case 12:
			case 10: // wrapped before the seeks, as in mail
				cells = append(cells, p.bonnieSeeks(i+1)...)
			default:
				continue
			}
			machine = m[1]
			p.bonnieFigures(i, machine, bytesOf(m[2], m[3]), cells)
		}
		if m := bonnieFiles.FindStringSubmatch(line); m != nil && ready {
			of = bonnieCreate
			p.bonnieTests(i, machine, bonnieCreate, strings.Fields(m[1]))
		}
		if m := bonnieSlowest.FindStringSubmatch(line); m != nil && ready {
			p.bonnieLatency(i, machine, of, strings.Fields(m[1]))
		}
	}
}

// bonnieCSV reads the lines of CSV.
func (p *page) bonnieCSV() {
	for i, line := range p.lines {
		if m := bonnieCSV.FindStringSubmatch(strings.TrimRight(line, " \\")); m != nil {
			p.bonnieRecord(i, m)
		}
	}
}

// bonnieRecord reads a line of CSV.
func (p *page) bonnieRecord(i int, m []string) {
	format, machine, cells := m[1], m[3], strings.Split(m[6], ",")
	between := 1 // columns between the seeks and the files
	if m[2] != "" {
		p.labels["version"] = m[2]
	}
	if m[2] != "" && m[2] >= "1.9" {
		cells, between = cells[1:], 5 // chunk size; file sizes and number of directories
	}
	if format >= "1.98" && len(cells) > 2 {
		cells = cells[2:] // seek and process counts
	}
	p.bonnieFigures(i, machine, bytesOf(m[4], m[5]), cells[:min(len(cells), 12)])
	if len(cells) >= 24+between {
		p.bonnieTests(i, machine, bonnieCreate, cells[12+between:24+between])
	}
	if len(cells) >= 36+between {
		p.bonnieLatency(i, machine, bonnieBlocks, cells[24+between:30+between])
		p.bonnieLatency(i, machine, bonnieCreate, cells[30+between:36+between])
	}
}

// bonnieTest is one test: a speed column and a CPU share column.
type bonnieTest struct {
	job, stem, metric string
	pattern           string
}

// The tests in order: transfers, transfers without characters (-f), and operations on
// many small files.
var (
	bonnieBlocks = []bonnieTest{
		{"character output", "storage.write.", "bandwidth", "write"},
		{"block output", "storage.write.", "bandwidth", "write"},
		{"rewrite", "storage.write.", "bandwidth", "rw"},
		{"character input", "storage.read.", "bandwidth", "read"},
		{"block input", "storage.read.", "bandwidth", "read"},
		{"seeks", "storage.read.", "iops", "randread"},
	}
	bonnieFast   = []bonnieTest{bonnieBlocks[1], bonnieBlocks[2], bonnieBlocks[4], bonnieBlocks[5]}
	bonnieCreate = []bonnieTest{
		{"sequential create", "storage.files.create.", "rate", ""},
		{"sequential stat", "storage.files.stat.", "rate", ""},
		{"sequential delete", "storage.files.delete.", "rate", ""},
		{"random create", "storage.files.create.", "rate", ""},
		{"random stat", "storage.files.stat.", "rate", ""},
		{"random delete", "storage.files.delete.", "rate", ""},
	}
)

// bonnieWithout inserts empty columns for the character tests.
func bonnieWithout(cells []string) []string {
	all := append([]string{"", ""}, cells[:4]...)
	return append(append(all, "", ""), cells[4:]...)
}

// bonnieSeeks reads seeks that were wrapped onto a line of their own.
func (p *page) bonnieSeeks(i int) []string {
	if i < len(p.lines) {
		if m := bonnieBroken.FindStringSubmatch(p.lines[i]); m != nil {
			return m[1:]
		}
	}
	return []string{"", ""}
}

// bonnieFigures reads the twelve columns of a row: speed and CPU share of
// character, block and rewrite output, of character and block input, and of seeks.
func (p *page) bonnieFigures(i int, machine, size string, cells []string) {
	p.labels["size"], p.labels["direct"], p.labels["jobs"] = size, "0", "1"
	p.bonnieTests(i, machine, bonnieBlocks, cells)
}

// bonnieTests reads columns in pairs. Tests that took less than half a second are
// +++++.
func (p *page) bonnieTests(i int, machine string, tests []bonnieTest, cells []string) {
	for n, of := range tests {
		if 2*n >= len(cells) {
			break
		}
		cell := cells[2*n]
		if strings.HasPrefix(cell, "+++") {
			if !slices.Contains(p.untimed, of.job) {
				p.untimed = append(p.untimed, of.job)
			}
			continue
		}
		v := number(cell)
		if of.metric == "bandwidth" {
			v = kilobytes(cell)
		}
		p.add(i, of.stem+of.metric, v, p.bonnieLabels(machine, of))
	}
}

func (p *page) bonnieLabels(machine string, of bonnieTest) map[string]string {
	labels := p.with("job", strings.TrimSpace(machine+" "+of.job), "pattern", of.pattern)
	if of.job == "seeks" || of.pattern == "" {
		delete(labels, "jobs")
	}
	if of.pattern == "" {
		delete(labels, "size")
		delete(labels, "direct")
	}
	return labels
}

var (
	// The row of the file tests; its first column is the file count in
	// thousands.
	bonnieFiles = lazyregexp.New(`^ *\d+(?::\S+)?((?:\s+(?:[\d.]+|\+{3,5})){12})$`)
	// The seeks on a line of their own.
	bonnieBroken = lazyregexp.New(`^\s*([\d.]+|\+{3,5})\s+(\d+|\+{3,5})\s*$`)
	// bonnieSlowest is a row below, since 1.9: the slowest operation of each test.
	// Latency             18690us    4868ms    2970ms   10643us    3610us   63826us
	bonnieSlowest = lazyregexp.New(`^ *Latency((?:\s+(?:\d+[mu]?s|\+{3,5})){4,6})\s*$`)
)

// bonnieLatency reads the slowest operation of each test.
func (p *page) bonnieLatency(i int, machine string, tests []bonnieTest, cells []string) {
	if len(cells) == 5 && len(tests) == 6 {
		cells = append(cells, "") // wrapped before the last, as in mail
	}
	if len(cells) != len(tests) {
		return // columns cannot be told apart
	}
	for n, of := range tests {
		digits := strings.TrimRight(cells[n], "mus")
		if scale, known := instant[cells[n][len(digits):]]; known {
			p.add(i, of.stem+"latency.max", number(digits)*scale, p.bonnieLabels(machine, of))
		}
	}
}

// kilobytes parses K/s as version 1 prints them, and 376k, 117m and 1.4g as
// version 2 does. Both use multiples of 1024. Tests too quick to time are +++++.
func kilobytes(text string) float64 {
	n := strings.TrimRight(text, "kmg")
	if suffix := text[len(n):]; suffix != "" {
		return number(n) * binary[suffix]
	}
	return number(n) * (1 << 10)
}
