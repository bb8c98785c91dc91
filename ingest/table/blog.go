package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Blog reads the tables in running text: Markdown tables, fixed-width tables,
// and what a PDF leaves of one. A table with several rows is a comparison. A
// doubtful figure is Unread.
func Blog(text []byte) Table {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	var t Table
	var rows []row
	for i, g := range grids(lines) {
		t.Printed = append(t.Printed, g.printed())
		b := bench{grid: g, number: i, family: g.above.family(), settings: g.above.settings(), command: g.above.commanded(), unread: &t.Unread}
		rows = append(rows, b.rows()...)
	}
	var of []row
	t.Results, of = results(rows, nil)
	t.Printed = place(t.Printed, of)
	return t
}

// bench reads one table.
type bench struct {
	grid
	number   int // index among the text's tables
	family   string
	settings map[string]string
	command  map[string]string
	unread   *[]Unread
	kilo     map[kilo]bool // figures read as thousands that may be 1,024s
}

func (b *bench) doubt(line int, format string, args ...any) {
	*b.unread = append(*b.unread, Unread{line, fmt.Sprintf(format, args...)})
}

// keys maps headers that say whose figures a row has to the label for it.
var keys = map[string]string{
	"host": "host", "node": "host", "server": "host", "machine": "host", "hostname": "host",
	"drive": "drive", "disk": "drive", "device": "drive", "ssd": "drive", "model": "drive", "nvme drive": "drive",
	"path": "path", "cpu": "cpu", "processor": "cpu", "threads": "threads", "link": "link",
	"block size": "bs", "bs": "bs", "blocksize": "bs", "iodepth": "iodepth", "queue depth": "iodepth", "qd": "iodepth",
	"jobs": "jobs", "numjobs": "jobs", "clients": "clients", "engine": "engine", "file system": "fs", "filesystem": "fs",
	"object size": "object_size", "size": "size",
}

// rowsAreMeasures are headers of a first column that names measures.
var rowsAreMeasures = []string{"metric", "test", "benchmark", "workload", "measurement"}

func (b *bench) rows() []row {
	if slices.Contains(rowsAreMeasures, strings.ToLower(b.header[0])) {
		if rows := b.turned(); len(rows) > 0 {
			return rows
		}
	}
	return b.straight()
}

// turned reads a table whose rows are measures and whose columns are things.
func (b *bench) turned() []row {
	phrases := make([]phrase, len(b.grid.rows))
	measures := 0
	for i, r := range b.grid.rows {
		phrases[i] = readPhrase(r.cells[0])
		if phrases[i].any() {
			measures++
		}
	}
	if measures == 0 {
		return nil
	}
	if !slices.ContainsFunc(b.header[1:], func(h string) bool { return !readPhrase(h).any() }) {
		return nil // the columns are measures too
	}
	var all []row
	for column, thing := range b.header[1:] {
		subject := thing
		if slices.Contains(plainWords, strings.ToLower(thing)) {
			subject = "" // "Result" names nothing
		}
		if readPhrase(thing).any() || thing == "" {
			for _, r := range b.grid.rows {
				b.doubt(r.line, "%q in column %q: both row and column name a metric", r.cells[0], thing)
			}
			return all
		}
		for i, r := range b.grid.rows {
			labels := map[string]string{}
			if f, ok := b.figure(phrases[i], r.cells[0], r, r.cells[column+1], labels); ok {
				f.at = &spot{b.number, i, column + 1}
				all = b.join(all, row{line: r.line, subject: subject, labels: labels, figures: []figure{f}})
			}
		}
	}
	b.compare(all, "subject")
	return all
}

// straight reads a table whose columns are measures and whose rows are things.
func (b *bench) straight() []row {
	phrases := make([]phrase, len(b.header))
	label := make([]string, len(b.header))
	measured := false
	for i, h := range b.header {
		if key := keys[strings.ToLower(h)]; key != "" {
			label[i] = key
			continue
		}
		phrases[i] = readPhrase(h)
		measured = measured || phrases[i].any() && (i > 0 || phrases[i].measure != "")
	}
	if !measured {
		return nil
	}
	key := cmp.Or(label[0], "subject")
	var all []row
	for n, r := range b.grid.rows {
		base := b.thing(r, label)
		if i := slices.Index(label, "path"); i >= 0 && base.labels["from"] == "" {
			b.doubt(r.line, "%q is not from one host to another: its figures may be totals", r.cells[i])
			continue
		}
		done := b.done(r, label)
		for i, p := range phrases {
			if label[i] != "" || i == 0 || !p.any() {
				continue
			}
			one := base
			one.labels = maps.Clone(base.labels)
			if done.op != "" && p.op == "" {
				p, one.subject = p.of(done), ""
			}
			if f, ok := b.figure(p, b.header[i], r, r.cells[i], one.labels); ok {
				f.at = &spot{b.number, n, i}
				one.figures = []figure{f}
				all = b.join(all, one)
			}
		}
	}
	b.settleKilo(all)
	b.compare(all, key)
	return all
}

// done returns what the first cell of a row says was done, if it says nothing
// else: "4k random read". It is zero for pools, whose tables are not read.
func (b *bench) done(r gridRow, label []string) phrase {
	p := readPhrase(r.cells[0])
	pool := slices.ContainsFunc(b.above.near(), poolWord.MatchString)
	if label[0] != "" || pool || !p.whole() || p.measure != "" || p.unit != "" || p.op != "read" && p.op != "write" {
		return phrase{}
	}
	return p
}

var poolWord = lazyregexp.New(`(?i)\b(?:rados|rbd) bench\b`)

var arrow = lazyregexp.New(`^(\S+)\s*(→|->|=>|⇒|to)\s*(\S+)$`)

// thing returns what a row is about, from its non-measure columns.
func (b *bench) thing(r gridRow, label []string) row {
	one := row{line: r.line, labels: map[string]string{}}
	for i, key := range label {
		cell := r.cells[i]
		switch key {
		case "":
			if i == 0 {
				one.subject = cell
			}
		case "host":
			one.host = cell
		case "path":
			if m := arrow.FindStringSubmatch(cell); m != nil {
				one.host, one.labels["from"], one.labels["to"] = m[1], m[1], m[3]
			}
		case "size":
			if b.objects() {
				one.labels["object_size"] = cell
			} else {
				one.subject = cell
			}
		case "bs":
			one.labels["bs"] = strings.ToLower(strings.ReplaceAll(cell, " ", ""))
		default:
			one.labels[key] = cell
			if i == 0 && key == "drive" {
				one.subject = cell
			}
		}
	}
	return one
}

// objects reports whether the table is about an object store: it has puts or
// gets.
func (b *bench) objects() bool {
	return slices.ContainsFunc(b.header, func(h string) bool { op := readPhrase(h).op; return op == "put" || op == "get" })
}

// recent is how many rows back to look for figures of the same test: more than
// any table has measures.
const recent = 64

// join adds a figure to the row of the same thing and settings, or starts a
// row.
func (b *bench) join(all []row, one row) []row {
	for i := len(all) - 1; i >= max(0, len(all)-recent); i-- {
		same := all[i].host == one.host && all[i].subject == one.subject && maps.Equal(all[i].labels, one.labels)
		twice := slices.ContainsFunc(all[i].figures, func(f figure) bool { return f.metric == one.figures[0].metric })
		if same && !twice && (all[i].line == one.line || b.header[0] != "" && operation(all[i].figures[0].metric) == operation(one.figures[0].metric)) {
			all[i].figures = append(all[i].figures, one.figures...)
			return all
		}
	}
	return append(all, one)
}

// compare names the comparison if it has more than one thing.
func (b *bench) compare(all []row, key string) {
	if key == "size" && b.objects() {
		key = "object_size"
	}
	things := map[string]bool{}
	for _, r := range all {
		things[strings.Join([]string{r.host, r.subject, r.labels[key], r.labels["to"]}, "\x00")] = true
	}
	if len(things) < 2 {
		return
	}
	for i := range all {
		all[i].compare = fmt.Sprintf("table on line %d", b.line)
		all[i].labels["varies"] = key
	}
}

var (
	exact   = lazyregexp.New(`^[+-]?[\d.,]`)
	digit   = lazyregexp.New(`\d`)
	nothing = []string{"", "-", "–", "—", "n/a", "na", "none", "?"}
)

// figure reads one cell. labels receives what header, heading and command say
// about it. A doubtful cell is recorded, and not ok.
func (b *bench) figure(p phrase, header string, r gridRow, cell string, labels map[string]string) (figure, bool) {
	if slices.Contains(nothing, strings.ToLower(cell)) || !p.any() {
		return figure{}, false
	}
	if strings.HasPrefix(p.measure, "smart.passed") {
		switch strings.ToUpper(cell) {
		case "PASSED", "OK":
			return figure{line: r.line, metric: p.measure, value: 1}, b.label("smart", p, labels)
		case "FAILED":
			return figure{line: r.line, metric: p.measure}, b.label("smart", p, labels)
		}
		return figure{}, false
	}
	if !digit.MatchString(cell) {
		return figure{}, false
	}
	if !exact.MatchString(cell) {
		b.doubt(r.line, "%q under %q is not an exact figure", cell, header)
		return figure{}, false
	}
	if !p.whole() {
		b.doubt(r.line, "%q under %q: unclear what is measured", cell, header)
		return figure{}, false
	}
	metric, why := b.metric(p, cell)
	if metric == "" {
		b.doubt(r.line, "%q under %q: %s", cell, header, why)
		return figure{}, false
	}
	described, ok := assay.Describe(metric)
	if !ok {
		b.doubt(r.line, "%q under %q: %s is not supported", cell, header, metric)
		return figure{}, false
	}
	v, err := value(cell, b.unit(p, described), described)
	if err != nil {
		b.doubt(r.line, "%q under %q: %s", cell, header, unitless(err, described))
		return figure{}, false
	}
	if word := b.unit(p, described); kiloWord.MatchString(word) && plainOrGrouped(cell) {
		if b.kilo == nil {
			b.kilo = map[kilo]bool{}
		}
		b.kilo[kilo{r.line, metric}] = true
	}
	return figure{line: r.line, metric: metric, value: v}, b.label(metric, p, labels)
}

// unit returns the header's unit. KB under Bandwidth means KB per second.
func (b *bench) unit(p phrase, of assay.Metric) string {
	if m, ok := unit(p.unit); ok && m.base == assay.Bytes && of.Unit == assay.BytesPerSecond && p.measure == "bandwidth" {
		return p.unit + "/s"
	}
	if p.unit == "" && of.Name == "smart.power_on_hours" {
		return "h" // the header's own word
	}
	return p.unit
}

// label adds what the header, the lines above the table and the command say
// about a figure. It always returns true.
func (b *bench) label(metric string, p phrase, labels map[string]string) bool {
	family, _, _ := strings.Cut(metric, ".")
	set := func(key, v string) {
		if v != "" && labels[key] == "" {
			labels[key] = v
		}
	}
	set("tool", map[string]string{"smart": "smart"}[family])
	set("tool", p.settings["tool"])
	if tool := b.above.tool(); toolOf[tool] == "" || slices.Contains(strings.Fields(toolOf[tool]), family) {
		set("tool", tool)
	}
	if family == "storage" {
		order, op := p.order, operation(metric)[len("storage."):]
		bs := p.bs
		for _, line := range b.above.closest() {
			said := readPhrase(line)
			if order == "" {
				order = said.order
			}
			if bs == "" && (p.order == "" || said.order == "" || said.order == p.order) && len(sizes(line)) == 1 {
				bs = said.bs
			}
		}
		set("bs", bs)
		if order != "" {
			set("pattern", strings.TrimPrefix(order, "seq")+op)
		}
		b.underCommand(op, order, set)
	}
	for k, v := range p.settings {
		set(k, v)
	}
	for k, v := range b.settings {
		if k == "threads" && family != "cpu" && family != "memory" {
			continue
		}
		set(k, v)
	}
	if family == "net" {
		set("protocol", "tcp")
	}
	return true
}

// underCommand adds the settings of the fio command above if it did what the
// figure says: reads do not come from a command that writes.
func (b *bench) underCommand(op, order string, set func(key, v string)) {
	pattern := b.command["pattern"]
	if strings.TrimPrefix(pattern, "rand") != op || order != "" && strings.HasPrefix(pattern, "rand") != (order == "rand") {
		return
	}
	for k, v := range b.command {
		set(k, v)
	}
}

// toolOf maps each tool to what it measures.
var toolOf = map[string]string{"fio": "storage", "sysbench": "cpu memory thermal", "iperf3": "net", "smart": "smart"}

// sizes returns the block sizes that a line names.
func sizes(line string) []string {
	var all []string
	for _, w := range strings.Fields(parenthesis.ReplaceAllString(line, " ")) {
		if w = strings.Trim(w, ",;:"); blockWord.MatchString(w) && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}
