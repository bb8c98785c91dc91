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
	tests := map[string]phrase{}
	for i, g := range grids(lines) {
		t.Printed = append(t.Printed, g.printed())
		b := bench{grid: g, number: i, family: g.above.family(), settings: g.above.settings(), command: g.above.commanded(), tests: tests, unread: &t.Unread}
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
	tests    map[string]phrase // by name in lower case, from earlier tables of the text
	headers  []phrase
	path     int // the column that says from which host to which data went, or -1
	unread   *[]Unread
	kilo     map[kilo]bool // figures read as thousands that may be 1,024s
}

func (b *bench) doubt(line int, format string, args ...any) {
	*b.unread = append(*b.unread, Unread{line, fmt.Sprintf(format, args...)})
}

// rows reads a table whose rows are things and whose columns are measures, or the other
// way round. Both may say what was done: the column "IOPS" of the row "4k random read".
func (b *bench) rows() []row {
	for _, h := range b.header {
		b.headers = append(b.headers, readPhrase(h))
	}
	columns := b.columns()
	b.path = b.flows(columns)
	var all []row
	add := func(from, to int) {
		for n, r := range b.grid.rows {
			all = b.addRow(all, n, r, columns, from, to)
		}
	}
	if hasMeasures(columns) {
		add(0, len(columns))
	} else {
		for i := range columns { // all of one thing, then of the next
			add(i, i+1)
		}
	}
	if len(all) == 0 {
		b.defineTests(columns)
		return nil
	}
	b.settleKilo(all)
	b.compare(all, cmp.Or(columns[0].label, "subject"))
	return all
}

// addRow adds the figures in some columns of the table's nth row.
func (b *bench) addRow(all []row, n int, r gridRow, columns []column, from, to int) []row {
	base := b.thing(r, columns)
	if i := b.path; i >= 0 && base.labels["from"] == "" {
		if hasMeasures(columns) {
			b.doubt(r.line, "%q is not a path from one host to another: its figures may be totals of both directions", r.cells[i])
		}
		return all
	}
	test := b.test(r, columns)
	for i := from; i < to; i++ {
		c := columns[i]
		p, subject, ok := measured(c, test, base.subject)
		if !ok {
			continue
		}
		if why := clash(c, test); why != "" {
			if cell := strings.ToLower(r.cells[i]); !slices.Contains(nothing, cell) && cell != "0" {
				b.doubt(r.line, "%q in column %q: %s", r.cells[0], b.header[i], why)
			}
			continue
		}
		header := b.header[i]
		if c.holds == ofThing {
			header = r.cells[0]
			if p.unit == "" && p.measure == "" {
				p.unit = commonUnit(cellsOfRow(r, columns))
			}
		}
		for _, f := range b.figures(p, header, r, r.cells[i], base.labels) {
			f.at = &spot{b.number, n, i}
			one := row{line: base.line, host: base.host, subject: subject, labels: f.labels, figures: []figure{f.figure}}
			if one.compared = c.subject; !test.says() {
				one.compared = subject
			}
			all = b.join(all, one)
		}
	}
	return all
}

func cellsOfRow(r gridRow, columns []column) (cells []string) {
	for i, c := range columns {
		if c.holds == ofThing {
			cells = append(cells, r.cells[i])
		}
	}
	return cells
}

// commonUnit returns the unit of the figures of one measure if all that have one have the
// same, so that it holds for the bare ones too; "" otherwise.
func commonUnit(cells []string) string {
	found := ""
	for _, cell := range cells {
		if measureOf(cell) == "" {
			continue
		}
		_, word, err := cutNumber(cell)
		if fields := strings.Fields(word); len(fields) == 2 && thousands[fields[0]] > 0 {
			word = fields[1] // each cell has its own
		}
		if m, _ := unit(word); err != nil || found != "" && found != word || m.base == assay.PerSecond && m.size != 1 {
			return ""
		}
		found = word
	}
	return found
}

// measured returns what a column's figures measure in a row where test was done, and of
// what. It is not ok for a column without figures.
func measured(c column, test phrase, rowName string) (p phrase, subject string, ok bool) {
	named := strings.Join(words(c.subject, rowName), ", ")
	switch {
	case c.holds == ofThing && test.nearlyWhole():
		test.rest = nil // the subject keeps the whole name
		return test, named, true
	case c.holds == ofThing:
		return test, c.subject, true
	case c.holds != ofMeasure:
		return phrase{}, "", false
	case test.says() && test.whole():
		return c.of(test), c.subject, true
	case test.nearlyWhole():
		return c.of(test), named, true
	case test.op != "" && c.op == "":
		p = c.of(test)
		p.rest = test.rest
		return p, named, true
	}
	return c.phrase, named, true
}

// clash says how a column and a row contradict each other.
func clash(c column, test phrase) string {
	switch {
	case c.holds != ofMeasure:
	case c.op != "" && test.op != "" && c.op != test.op:
		return "the row says " + test.op + ", the column says " + c.op
	case c.measure != "" && test.measure != "" && c.measure != test.measure:
		return "the row and the column name different metrics"
	}
	return ""
}

// test returns what the row's name and its other words say was done. It is zero for pools,
// whose tables are not read this way.
func (b *bench) test(r gridRow, columns []column) phrase {
	var p phrase
	if columns[0].holds == name {
		p = readTest(r.cells[0])
	}
	for i, c := range columns {
		if c.holds != testWords {
			continue
		}
		if q := readTest(r.cells[i]); q.whole() && q.measure == "" && q.unit == "" {
			p = q.of(p)
			if q.op != "" && p.order == "" {
				p.order = "seq" // fio's read is sequential
			}
		}
	}
	if hasMeasures(columns) && slices.ContainsFunc(b.above.near(), poolWord.MatchString) {
		return phrase{}
	}
	if defined, ok := b.tests[strings.ToLower(r.cells[0])]; ok && columns[0].holds == name {
		p = p.of(defined)
	}
	return p
}

var poolWord = lazyregexp.New(`(?i)\b(?:rados|rbd) bench\b`)

// defineTests remembers what a table without figures says about tests whose figures other
// tables have.
func (b *bench) defineTests(columns []column) {
	if columns[0].holds != name || !slices.ContainsFunc(columns, func(c column) bool { return c.holds == testWords || c.label != "" }) {
		return
	}
	for _, r := range b.grid.rows {
		p := b.test(r, columns)
		if !p.doesIO() || !p.whole() {
			continue
		}
		for key, v := range b.thing(r, columns).labels {
			if key == "bs" {
				p.bs = cmp.Or(p.bs, v)
			} else {
				p.set(key, v)
			}
		}
		b.tests[strings.ToLower(r.cells[0])] = p
	}
}

var (
	arrow = lazyregexp.New(`^(\S+)\s*(→|->|=>|⇒|to)\s*(\S+)$`)
	flow  = lazyregexp.New(`→|->|=>|⇒|↔|\bto\b`)
)

// flows returns the column that says from which host to which data went, or -1.
func (b *bench) flows(columns []column) int {
	i := slices.IndexFunc(columns, func(c column) bool { return c.label == "path" })
	if i < 0 || b.family != "net" && !slices.ContainsFunc(b.grid.rows, func(r gridRow) bool { return flow.MatchString(r.cells[i]) }) {
		return -1
	}
	return i
}

// thing returns what a row is about, from its columns without figures.
func (b *bench) thing(r gridRow, columns []column) row {
	one := row{line: r.line, labels: map[string]string{}}
	for i, c := range columns {
		cell := r.cells[i]
		switch c.label {
		case "":
			if i == 0 {
				one.subject = cell
			}
		case "host":
			one.host = cell
		case "path":
			if m := arrow.FindStringSubmatch(cell); m != nil {
				one.host, one.labels["from"], one.labels["to"] = m[1], m[1], m[3]
			} else if i == 0 {
				one.subject = cell
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
			one.labels[c.label] = cell
			if i == 0 && c.label == "drive" {
				one.subject = cell
			}
		}
	}
	return one
}

// objects reports whether the table is about an object store: it has puts or
// gets.
func (b *bench) objects() bool {
	return slices.ContainsFunc(b.headers, func(p phrase) bool { return p.op == "put" || p.op == "get" })
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
		things[strings.Join([]string{r.host, r.compared, r.labels[key], r.labels["to"]}, "\x00")] = true
	}
	if len(things) < 2 {
		return
	}
	for i := range all {
		all[i].compare = fmt.Sprintf("table on line %d", b.line)
		all[i].labels["varies"] = key
	}
}

// label adds what the header, the lines above the table and the command say
// about a figure.
func (b *bench) label(metric string, p phrase, labels map[string]string) {
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
		switch {
		case order != "" && p.mixed:
			set("pattern", strings.TrimPrefix(order, "seq")+"rw")
		case order != "":
			set("pattern", strings.TrimPrefix(order, "seq")+op)
		case p.mixed:
			set("pattern", "mixed")
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
