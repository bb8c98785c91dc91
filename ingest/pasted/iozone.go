package pasted

import (
	"math"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// iozone reads the tables of IOzone and the output of its throughput tests. Its kB
// are 1024 B.
var iozone = tool{
	name: "iozone", commands: []string{"iozone"}, first: "ICkK", begins: iozoneBegins, read: readIOzone,
	once: []string{"Iozone: Performance Test of File I/O", "Command line used:", " reclen "},
}

var (
	iozoneColumns = lazyregexp.New(`^\s*[kK]B +reclen +write`)
	iozoneOption  = lazyregexp.New(`^\s*(?:File size set to (\d+) [kK]B|Record Size (\d+) [kK]B|Each process writes a (\d+) [kK][bB]yte file in (\d+) [kK][bB]yte records)`)
	iozoneRow     = lazyregexp.New(`^\s*\d+ +\d+ +\d+`)
	iozoneCells   = lazyregexp.New(`\S+`)
	// Mail may encode = as =3D.
	iozoneSum  = lazyregexp.New(`^\s*Children see throughput for +(\d+) ([a-z -]+?)\s*=(?:3D)?\s*([\d.]+) (k|K|M)?B/sec`)
	iozoneWall = lazyregexp.New(`^\s*CPU [Uu]tilization: Wall time +([\d.]+) `)
)

func iozoneBegins(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "Iozone: Performance Test of File I/O") || iozoneColumns.MatchString(line) || iozoneSum.MatchString(line) ||
		strings.HasPrefix(line, "Command line used: ") && strings.Contains(line, "iozone")
}

// iozoneTests are the tests that resemble a drive's load, by table column from the
// third on and by their names in the throughput test. Backward, strided and stdio
// reads have no metric.
var iozoneTests = []struct{ job, pattern, threads string }{
	{"write", "write", "initial writers"},
	{"rewrite", "write", "rewriters"},
	{"read", "read", "readers"},
	{"reread", "read", "re-readers"},
	{"random read", "randread", "random readers"},
	{"random write", "randwrite", "random writers"},
}

func readIOzone(p *page) {
	p.labels["jobs"], p.labels["iodepth"], p.labels["direct"], p.labels["cache"] = "1", "1", "0", "not dropped"
	var untimed map[string]string // labels of a figure whose time is unknown so far
	var columns [][]int
	for i, line := range p.lines {
		if m := iozoneOption.FindStringSubmatch(line); m != nil {
			p.iozoneSizes(m[1]+m[3], m[2]+m[4])
		}
		switch {
		case strings.Contains(line, "O_DIRECT feature enabled"), strings.Contains(line, "Command line used:") && strings.Contains(line+" ", " -I "):
			p.labels["direct"] = "1"
			delete(p.labels, "cache")
		case strings.Contains(line, "Version $Revision:"):
			p.labels["version"] = strings.Trim(line[strings.Index(line, ":")+1:], " $")
		case strings.Contains(line, "Output is in ops/sec"), strings.Contains(line, "Microseconds/op"):
			p.fail(i, "figures in %s are not read, only those in kBytes/sec", strings.TrimSpace(line))
		case iozoneColumns.MatchString(line):
			columns = iozoneCells.FindAllStringIndex(line, -1)
		case columns != nil && iozoneRow.MatchString(line):
			p.iozoneRow(i, line, columns)
		}
		if m := iozoneWall.FindStringSubmatch(line); m != nil && untimed != nil && number(m[1]) > 0 {
			p.add(i, "tool.duration", number(m[1]), untimed)
			untimed = nil
		}
		if m := iozoneSum.FindStringSubmatch(line); m != nil {
			untimed = nil
			for _, test := range iozoneTests {
				if test.threads == m[2] {
					p.labels["jobs"] = m[1]
					untimed = p.iozoneFigure(i, test.job, test.pattern, number(m[3])*binary[m[4]])
				}
			}
		}
	}
}

// iozoneSizes sets the file size per process and the record size, given in KiB; "" if a
// line does not show it.
func (p *page) iozoneSizes(file, record string) {
	if file != "" {
		p.labels["size"] = bytesOf(file, "K")
	}
	if record != "" {
		p.labels["bs"] = bytesOf(record, "K")
	}
}

// iozoneRow reads a table row, matching numbers to columns by where they end, as some
// columns are blank. If the spaces were lost, only a row without blanks is read.
func (p *page) iozoneRow(i int, line string, columns [][]int) {
	cells := iozoneCells.FindAllStringIndex(line, -1)
	p.iozoneSizes(line[cells[0][0]:cells[0][1]], line[cells[1][0]:cells[1][1]])
	for _, cell := range cells[2:] {
		at := -1
		for k := 2; k < len(columns); k++ {
			if math.Abs(float64(columns[k][1]-cell[1])) <= 3 {
				at = k
			}
		}
		if at < 2 || at-2 >= len(iozoneTests) {
			continue
		}
		p.iozoneFigure(i, iozoneTests[at-2].job, iozoneTests[at-2].pattern, number(line[cell[0]:cell[1]])*(1<<10))
	}
}

// iozoneFigure adds one figure and its duration: each test goes over the files of all
// processes once. It returns the figure's labels if the duration is unknown.
func (p *page) iozoneFigure(i int, job, pattern string, speed float64) (untimed map[string]string) {
	labels := p.with("job", strings.TrimSpace(job+" "+kibibytes(p.labels["bs"])), "pattern", pattern)
	p.add(i, "storage."+strings.TrimPrefix(pattern, "rand")+".bandwidth", speed, labels)
	if bytes := number(p.labels["size"]) * number(p.labels["jobs"]); bytes > 0 && speed > 0 {
		p.add(i, "tool.duration", bytes/speed, labels)
		return nil
	}
	return labels
}

// kibibytes prints a number of bytes as IOzone's options do: 65536 is 64k.
func kibibytes(bytes string) string {
	if v := number(bytes); v > 0 {
		return strconv.FormatFloat(v/(1<<10), 'f', 0, 64) + "k"
	}
	return ""
}
