package table

import (
	"slices"
	"strings"

	"assay/internal/lazyregexp"
)

// holding is what the cells of a column hold.
type holding int

const (
	other     holding = iota // nothing that is read
	name                     // the first column: what was measured, or what was done
	setting                  // a setting, or whose figures a row has
	testWords                // words for what was done: randread, QD32
	ofMeasure                // figures of one measure
	ofThing                  // figures of one thing; the rows are measures
)

// column is the meaning of one column of a table.
type column struct {
	holds   holding
	label   string // of a setting
	subject string // the thing that its figures are about
	phrase         // the measure that its figures have
}

// keys maps headers that say whose figures a row has to the label for it.
var keys = map[string]string{
	"host": "host", "node": "host", "server": "host", "machine": "host", "hostname": "host",
	"drive": "drive", "disk": "drive", "device": "drive", "ssd": "drive", "model": "drive", "nvme drive": "drive",
	"path": "path", "cpu": "cpu", "processor": "cpu", "threads": "threads", "link": "link",
	"block size": "bs", "bs": "bs", "blocksize": "bs", "block": "bs", "iodepth": "iodepth", "queue depth": "iodepth", "qd": "iodepth",
	"depth": "iodepth", "io depth": "iodepth", "i/o depth": "iodepth",
	"jobs": "jobs", "numjobs": "jobs", "clients": "clients", "engine": "engine", "file system": "fs", "filesystem": "fs",
	"object size": "object_size", "size": "size",
}

var (
	// rowsAreMeasures are headers of a first column that names measures.
	rowsAreMeasures = []string{"metric", "test", "benchmark", "workload", "measurement"}
	// describesTest are headers of columns that say what was done, or how.
	describesTest = []string{"pattern", "access pattern", "i/o pattern", "io pattern", "rw", "config", "configuration", "settings", "parameters", "queue"}

	// derived are headers of columns calculated from others, and of remarks.
	derived = lazyregexp.New(`(?i)^(?:Δ|delta|diff(?:erence)?|change|ratio|speed-?up|improvement|gain|loss|overhead|winner|verdict|interpretation|comments?|notes?)\b|^[Δ%]|\bvs\b`)
	// promised are headers of targets and ratings, which are not measurements.
	promised = lazyregexp.New(`(?i)\b(?:target|spec|rated|rating|expected|advertised|datasheet|ceiling)\b`)
)

// columns returns the meanings of the table's columns.
func (b *bench) columns() []column {
	all := make([]column, len(b.header))
	for i, h := range b.header {
		all[i] = b.column(i, h)
	}
	nameThings(all)
	turned := !hasMeasures(all) && b.rowsNameTests()
	for i := range all {
		switch c := &all[i]; {
		case c.holds == ofThing && !turned:
			c.holds = other
		case c.holds == setting && turned && b.allFigures(i):
			*c = column{holds: ofThing, subject: b.header[i]} // "SSD | HDD"
		case c.holds == ofMeasure && c.measure == "" && c.unit == "":
			c.unit = commonUnit(b.cellsOfColumn(i))
		}
	}
	return all
}

func (b *bench) cellsOfColumn(i int) (cells []string) {
	for _, r := range b.grid.rows {
		cells = append(cells, r.cells[i])
	}
	return cells
}

// allFigures reports whether each cell of a column that holds anything holds a figure
// with a unit.
func (b *bench) allFigures(column int) bool {
	found := false
	for _, r := range b.grid.rows {
		switch cell := r.cells[column]; {
		case measureOf(cell) != "":
			found = true
		case !slices.Contains(nothing, strings.ToLower(cell)):
			return false
		}
	}
	return found
}

func (b *bench) column(i int, header string) column {
	low := strings.ToLower(header)
	p := b.headers[i]
	switch {
	case keys[low] != "":
		return column{holds: setting, label: keys[low]}
	case i == 0:
		return column{holds: name}
	case slices.Contains(describesTest, low):
		return column{holds: testWords}
	case derived.MatchString(header) && !b.isMetric(low) || promised.MatchString(header):
		return column{}
	case p.whole() && p.measure == "" && strings.HasPrefix(p.stat, "p") && p.unit == "":
		p.measure, p.count = "latency", 1 // P99
		return column{holds: ofMeasure, phrase: p}
	case p.any() || p.whole() && (p.op == "read" || p.op == "write"):
		return column{holds: ofMeasure, phrase: p}
	case slices.Contains(plainWords, low):
		return column{holds: ofThing} // "Result" names nothing
	case header == "":
		return column{}
	}
	return column{holds: ofThing, subject: header}
}

// isMetric reports whether a header names a metric that the rest of the table has too:
// a delta is a rise in temperature only beside temperatures.
func (b *bench) isMetric(header string) bool {
	metric, ok := names[header]
	return ok && (!strings.HasPrefix(metric, "thermal.") || b.has("thermal.load"))
}

func hasMeasures(columns []column) bool {
	return slices.ContainsFunc(columns, func(c column) bool { return c.holds == ofMeasure })
}

// rowsNameTests reports whether the rows are measures or say what was done.
func (b *bench) rowsNameTests() bool {
	said, done := 0, 0
	for _, r := range b.grid.rows {
		p := readTest(r.cells[0])
		if p.any() {
			said++
		}
		if p.doesIO() {
			done++
		}
	}
	return 2*done >= len(b.grid.rows) || said > 0 && slices.Contains(rowsAreMeasures, strings.ToLower(b.header[0]))
}

// nameThings takes the remaining words of headers for the names of things if there are
// several such names, each with several columns: "old IOPS | old MB/s | new IOPS | new MB/s".
func nameThings(columns []column) {
	count := map[string]int{}
	for _, c := range columns {
		if c.holds == ofMeasure {
			count[strings.Join(c.rest, " ")]++
		}
	}
	if len(count) < 2 {
		return
	}
	for thing, n := range count {
		if n < 2 || thing == "" {
			return
		}
	}
	for i := range columns {
		if c := &columns[i]; c.holds == ofMeasure {
			c.subject, c.rest = strings.Join(c.rest, " "), nil
		}
	}
}
