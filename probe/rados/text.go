package rados

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

// figure is a number as printed and the line it was on, from 1; line 0: not
// printed.
type figure struct {
	value float64
	line  int
}

// printed is the output for one client, or for one column of a table.
type printed struct {
	op         string // write, read; "" where nothing says it
	order      string // seq or rand, for reads
	seconds    string // requested write length
	job        string
	clients    string
	threads    string
	pool       string
	prefix     string // of the objects
	typed      asked  // the command line, if it is in the text
	opSize     string // B
	objectSize string // B
	figures    [words]figure
	rows       []row
	nonsense   error // the first impossible figure
}

// row is one second of the running table.
type row struct {
	line     int
	second   float64
	finished float64
	average  float64 // MiB/s since the beginning
	current  float64 // MiB/s
	latency  float64 // s, mean since the beginning
}

// readText reads all columns of one output. It fails if rados bench did, or if
// one text holds two runs.
func readText(text string) ([]printed, error) {
	head, columns := printed{}, []printed(nil)
	var heads []title
	inTable, closed, last, reached := false, false, words, 0
	lines := strings.Split(text, "\n")
	for i, raw := range lines {
		n, line := i+1, bare(raw)
		if line == "" {
			continue
		}
		reached = n
		switch {
		case failure.MatchString(line) || strings.HasPrefix(line, "error opening pool "):
			return nil, assay.WithHint(hintOf(line), "rados bench's line %d: %.120s", n, line)
		case strings.HasPrefix(line, "benchmark_data_") && strings.HasSuffix(line, " is not correct!"):
			return nil, assay.WithHint("check for damaged objects: ceph health detail", "rados bench's line %d: the data it read is not the data it wrote", n)
		case tableHead.MatchString(line):
			inTable = true
			continue
		}
		if m := maintaining.FindStringSubmatch(line); m != nil {
			head.op, head.threads, head.opSize, head.objectSize = "write", m[1], m[2], m[3]
			head.seconds = m[4]
			continue
		}
		if a := command(strings.Fields(strings.TrimLeft(line, "#$> "))); a.known && columns == nil {
			head.typed = a
			continue
		}
		if prefix, ok := strings.CutPrefix(line, "Object prefix: "); ok {
			head.prefix = prefix
			continue
		}
		if t := titles(line); t != nil && columns == nil {
			heads = t
			continue
		}
		if s, ok := summaryOf(line); ok && len(s.values) > 0 {
			if closed && s.word != totalTime {
				continue
			}
			if columns == nil {
				columns = newColumns(len(s.values), heads)
			}
			if len(s.values) != len(columns) {
				return nil, fmt.Errorf("rados bench's line %d: %d figures in %d columns", n, len(s.values), len(columns))
			}
			if err := put(columns, s, n); err != nil {
				return nil, err
			}
			last, closed = s.word, s.word == latencyMin
			continue
		}
		if r, ok := rowOf(line, n); ok && inTable && columns == nil {
			head.rows = append(head.rows, r)
		}
	}
	if k := len(head.rows); k > 0 && reached <= head.rows[k-1].line {
		head.rows[k-1].latency = 0 // the last line: its end may be missing
	}
	if len(columns) == 1 && !closed {
		columns[0].forgetCut(last)
	}
	return merged(head, columns)
}

func hintOf(line string) string {
	if strings.HasPrefix(line, "Must write data") {
		return "write the objects to read first: rados bench -p POOL 60 write --no-cleanup"
	}
	return ""
}

func newColumns(n int, heads []title) []printed {
	all := make([]printed, n)
	for i := range all {
		switch {
		case len(heads) == n:
			all[i].job, all[i].clients = heads[i].name, heads[i].clients
		case n > 1:
			all[i].job = "column " + strconv.Itoa(i+1)
		}
	}
	return all
}

func put(columns []printed, s summary, line int) error {
	for i, text := range s.values {
		v, err := number(s.word, text)
		p := &columns[i]
		if err != nil {
			err = fmt.Errorf("rados bench's line %d: %s is %w", line, s.text, err)
			if !secondary[s.word] {
				return err
			}
			if p.nonsense == nil {
				p.nonsense = err
			}
			continue
		}
		if p.figures[s.word].line != 0 {
			return assay.WithHint("paste the output of one rados bench at a time", "rados bench's line %d: a second %q: several results in one output", line, s.text)
		}
		p.figures[s.word] = figure{v, line}
		if s.op != "" {
			p.op = s.op
		}
	}
	return nil
}

// secondary are the figures that a result can do without. Hammer's counters of
// them overflow.
var secondary = [words]bool{
	bandwidthStddev: true, bandwidthMax: true, bandwidthMin: true, iopsStddev: true, iopsMax: true, iopsMin: true,
	latencyStddev: true, latencyMax: true, latencyMin: true,
}

// merged adds what is above the columns to each of them. The line after the
// bandwidth also tells a read from a write: only writes have its standard
// deviation.
func merged(head printed, columns []printed) ([]printed, error) {
	if columns == nil {
		return []printed{head}, nil
	}
	for i := range columns {
		c := &columns[i]
		if c.op != "" && head.op != "" && c.op != head.op {
			return nil, assay.WithHint("paste the output of one rados bench at a time", "rados bench: the header is of a %s and the summary of a %s", head.op, c.op)
		}
		if c.op == "" {
			c.op = head.op
		}
		if c.op == "" && c.figures[bandwidth].line != 0 && c.figures[iops].line > c.figures[bandwidth].line {
			c.op = "read"
		}
		c.threads, c.prefix, c.opSize, c.objectSize, c.rows, c.typed = head.threads, head.prefix, head.opSize, head.objectSize, head.rows, head.typed
		if v := c.figures[opSize]; v.line != 0 {
			c.opSize = whole(v.value)
		}
		if v := c.figures[objectSize]; v.line != 0 {
			c.objectSize = whole(v.value)
		}
		c.forgetNoSecond()
		if c.nonsense != nil && c.figures[iopsMin].line == 0 {
			c.figures[iopsMax] = figure{} // same counter
		}
	}
	return columns, nil
}

// forgetCut removes the last figure of a truncated summary: digits of it may be
// missing. A bandwidth that matches the operations is complete.
func (p *printed) forgetCut(last word) {
	f := p.figures
	if last == bandwidth && f[totalTime].value > 0 && f[opSize].value > 0 {
		made := f[opsMade].value * f[opSize].value / mebi / f[totalTime].value
		if math.Abs(f[bandwidth].value-made) <= wholeWithin*made {
			return
		}
	}
	if last < words {
		p.figures[last] = figure{}
	}
}

// wholeWithin is how close a bandwidth must be to that of the operations: it is
// printed with at least three digits.
const wholeWithin = .01

// forgetNoSecond removes what rados bench prints for a run without a whole second:
// initial values, and a mean in place of extremes; and the deviation of a run with a
// single second.
func (p *printed) forgetNoSecond() {
	low, least := p.figures[bandwidthMin], p.figures[iopsMin]
	if low.line != 0 && noSecond(bandwidthMin, low.value) || least.line != 0 && noSecond(iopsMin, least.value) {
		for _, w := range []word{bandwidthMin, bandwidthMax, bandwidthStddev, iopsMin, iopsMax, iopsStddev} {
			p.figures[w] = figure{}
		}
	}
	// A single second has no deviation: the tool prints 0.
	seconds := 0
	for _, r := range p.rows {
		if r.second >= 1 {
			seconds++
		}
	}
	if t := p.figures[totalTime]; t.line != 0 && t.value < 2 || seconds == 1 {
		p.figures[bandwidthStddev], p.figures[iopsStddev] = figure{}, figure{}
	}
}

func whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// rowOf reads a line of the running table. A second without an operation has "-"
// as its last latency.
func rowOf(line string, n int) (row, bool) {
	f := strings.Fields(line)
	if len(f) != 8 {
		return row{}, false
	}
	if f[6] == "-" {
		f[6] = "0"
	}
	var v [8]float64
	for i, text := range f {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= -1 && x < mostPrinted) {
			return row{}, false
		}
		v[i] = x
	}
	return row{line: n, second: v[0], finished: v[3], average: v[4], current: v[5], latency: v[7]}, true
}
