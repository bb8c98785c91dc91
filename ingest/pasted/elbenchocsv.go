package pasted

import (
	"encoding/csv"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// elbenchoCSV is the start of the header in the file that elbencho's option --csvfile
// appends to, one row per phase.
const elbenchoCSV = "ISO date,label,path type,"

// readElbenchoCSV reads the read and write rows.
func readElbenchoCSV(p *page) {
	var header map[string]int
	times := map[string]int{}
	for i, line := range p.lines {
		cells, err := csv.NewReader(strings.NewReader(line)).Read()
		switch {
		case err != nil:
			continue
		case strings.HasPrefix(line, elbenchoCSV):
			header = map[string]int{}
			for at, name := range cells {
				header[strings.TrimSpace(name)] = at
			}
			continue
		}
		p.elbenchoRow(i, func(name string) string {
			if at, ok := header[name]; ok && at < len(cells) {
				return strings.TrimSpace(cells[at])
			}
			return ""
		}, times)
	}
}

// elbenchoRow adds the figures of one row, whose cells are found by their header. A
// mixed phase is one row, whose plain columns are the writes.
func (p *page) elbenchoRow(i int, cell func(name string) string, times map[string]int) {
	now := &phase{op: cell("operation"), line: i, rows: map[string]elbenchoCell{}, latencies: map[string]float64{}}
	now.seconds = number(cell("time ms [last]")) / 1e3
	if first := number(cell("time ms [first]")) / 1e3; first > 0 && first < tailShare*now.seconds {
		now.tail = true
	}
	kept, mixed := p.labels, number(cell("rwmix read IOPS [last]")) > 0
	defer func() { p.labels = kept }()
	p.labels = p.elbenchoSettings(cell, mixed)
	for _, of := range []struct{ prefix, op string }{{"", now.op}, {"rwmix read ", "READ"}} {
		if of.prefix != "" && !mixed {
			break
		}
		now.op = of.op
		now.rows["IOPS"] = elbenchoCell{i, number(cell(of.prefix + "IOPS [last]"))}
		now.rows["Throughput"] = elbenchoCell{i, number(cell(of.prefix+"MiB/s [last]")) * (1 << 20)}
		now.rows["Total"] = elbenchoCell{i, number(cell(of.prefix+"MiB [last]")) * (1 << 20)}
		now.rows["IO latency"] = elbenchoCell{line: i}
		for _, word := range []string{"min", "avg", "max"} {
			now.latencies[word] = number(cell(of.prefix+"IO lat us ["+word+"]")) * 1e-6
		}
		if strings.Contains(cell("command"), "s3") {
			now.rows["Objects/s"] = elbenchoCell{i, number(cell(of.prefix + "entries/s [last]"))}
		}
		p.elbencho(now, times)
	}
}

// elbenchoSettings returns the settings recorded in a row.
func (p *page) elbenchoSettings(cell func(name string) string, mixed bool) map[string]string {
	labels := p.with("direct", cell("direct IO"), "bs", wholeNumber(cell("block size")), "iodepth", wholeNumber(cell("IO depth")), "version", cell("version"))
	labels["pattern"] = "-"
	if cell("random") == "1" {
		labels["pattern"] = "rand"
	}
	if mixed {
		labels["pattern"] = strings.TrimSuffix(labels["pattern"], "-") + "rw"
	}
	hosts, errHosts := strconv.Atoi(cell("hosts"))
	threads, errThreads := strconv.Atoi(cell("threads"))
	if errHosts == nil && errThreads == nil && hosts > 0 && hosts < 1<<20 && threads > 0 && threads < 1<<20 {
		labels["jobs"] = strconv.Itoa(hosts * threads)
	}
	return labels
}

var wholeDigits = lazyregexp.New(`^[1-9]\d{0,17}$`)

// wholeNumber returns a cell that is a whole number above zero, "" for any
// other.
func wholeNumber(cell string) string {
	if wholeDigits.MatchString(cell) {
		return cell
	}
	return ""
}
