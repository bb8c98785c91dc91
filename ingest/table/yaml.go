package table

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/yamldoc"
)

// The keys of a row besides its settings, of what rows inherit, and of a
// figure.
var (
	rowKeys     = []string{"host", "subject", "compare", "command", "metric", "value", "unit", "figures"}
	defaultKeys = []string{"host", "subject", "compare", "command"}
	figureKeys  = []string{"value", "unit", "series", "every"}
)

// readYAML reads a document:
//
//	title: …
//	source: …
//	facts: {pve1: {pcie: gen3x4}, pve1/usr: {usb: 5G}}
//	defaults: {tool: fio, runtime: 60}
//	rows:
//	  - {host: pve1, pattern: read, metric: storage.read.bandwidth, value: 500, unit: MB/s}
//	  - {host: pve1, pattern: read, figures: {storage.read.iops: 359k}}
//	  - defaults: {tool: iperf3}
//	    rows: […]
//
// Facts of host/subject apply only to that subject's drive and file system. In figures, a
// metric has a value with its unit, or value, series (one value per interval: every: 1 s)
// and settings of its own, or a list of these.
func readYAML(name string, text []byte) (Table, error) {
	// YAML counts a lone carriage return as a line end; nobody else does.
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte(" "))
	file, docs := yamldoc.Parse(name, text)
	var t Table
	var rows []row
	switch len(docs) {
	case 0:
	case 1:
		t, rows = readDocument(docs[0])
	default:
		docs[1].Fault("expected one document, found %d", len(docs))
	}
	if err := file.Err(); err != nil {
		return Table{}, err
	}
	if len(rows) == 0 {
		return Table{}, fmt.Errorf("%s: no rows: %w", name, assay.ErrNoOutput)
	}
	printed := printedRows(t.Title, rows)
	var of []row
	t.Results, of = results(rows, t.Facts)
	t.Printed = place(printed, of)
	return t, nil
}

func readDocument(doc yamldoc.Node) (Table, []row) {
	var t Table
	var group group
	doc.Fields(map[string]func(yamldoc.Node){
		"title":    func(n yamldoc.Node) { t.Title = written(n) },
		"source":   func(n yamldoc.Node) { t.Source = written(n) },
		"facts":    func(n yamldoc.Node) { t.Facts = readFacts(n) },
		"defaults": func(n yamldoc.Node) { group.defaults = n },
		"rows":     func(n yamldoc.Node) { group.rows = n },
	})
	return t, group.read(row{labels: map[string]string{}})
}

// written returns a value as it was written; "" if there is none.
func written(n yamldoc.Node) string {
	if n.Empty() {
		return ""
	}
	return n.Written()
}

func pairsOf(n yamldoc.Node) []yamldoc.Node {
	if n.Empty() {
		return nil
	}
	return n.Pairs()
}

func itemsOf(n yamldoc.Node) []yamldoc.Node {
	if n.Empty() {
		return nil
	}
	return n.Items()
}

func readFacts(n yamldoc.Node) map[string]assay.Facts {
	all := map[string]assay.Facts{}
	for _, h := range pairsOf(n) {
		host, subject, ofSubject := strings.Cut(h.Key, "/")
		var stated assay.Facts
		for _, fact := range pairsOf(h) {
			if err := state(&stated, fact.Key, written(fact)); err != nil {
				fact.FaultKey("%w", err)
			}
		}
		if !ofSubject {
			if _, before := all[host]; before {
				h.FaultKey("the facts of %s must come once, before those of its subjects", host)
			}
			stated.Host = host
			all[host] = stated
			continue
		}
		whole := all[host]
		whole.Host = host
		if err := about(&whole, subject, stated); err != nil {
			h.FaultKey("%w", err)
		}
		all[host] = whole
	}
	return all
}

// group holds rows and their defaults.
type group struct{ defaults, rows yamldoc.Node }

// read returns the rows of a group and its subgroups; over is what they
// inherit.
func (g group) read(over row) []row {
	over.labels = maps.Clone(over.labels)
	for _, n := range pairsOf(g.defaults) {
		over.take(n, defaultKeys)
	}
	var all []row
	for _, item := range itemsOf(g.rows) {
		if !item.Get("rows").There() {
			all = append(all, readRow(item, over))
			continue
		}
		var inner group
		item.What = "a group of rows"
		item.Fields(map[string]func(yamldoc.Node){
			"defaults": func(n yamldoc.Node) { inner.defaults = n },
			"rows":     func(n yamldoc.Node) { inner.rows = n },
		})
		all = append(all, inner.read(over)...)
	}
	return all
}

// take reads one key of a row or of defaults. keys are those allowed besides
// settings.
func (r *row) take(n yamldoc.Node, keys []string) {
	if settings[n.Key] == "" && !slices.Contains(keys, n.Key) {
		n.FaultKey("unknown key %.40q%s", n.Key, meant(nearestSetting(n.Key, keys...)))
		return
	}
	switch n.Key {
	case "metric", "value", "unit", "figures": // read together
	case "host":
		r.host = written(n)
	case "subject":
		r.subject = written(n)
	case "compare":
		r.compare = written(n)
	case "command":
		r.argv = strings.Fields(written(n))
	default:
		r.labels[n.Key] = written(n)
	}
}

func readRow(n yamldoc.Node, over row) row {
	r := over
	r.line, r.labels = n.At.Line, maps.Clone(over.labels)
	for _, value := range n.Pairs() {
		r.take(value, rowKeys)
	}
	metric, figures := n.Get("metric"), n.Get("figures")
	if !n.IsMap() {
		return r // fault recorded
	}
	if metric.Empty() && len(pairsOf(figures)) == 0 {
		n.Fault("row without a figure: add metric and value, or figures")
		return r
	}
	if !metric.Empty() {
		r.figures = append(r.figures, readFigure(metric, written(metric), n, nil))
	}
	for _, f := range pairsOf(figures) {
		each := []yamldoc.Node{f}
		if f.IsList() {
			each = f.Items()
		}
		for _, one := range each {
			r.figures = append(r.figures, readFigure(f, f.Key, one, figureKeys))
		}
	}
	return r
}

// readFigure reads one value of a metric. key holds the metric's name; n is a
// value with its unit, or a mapping that has one. keys are those allowed in the
// mapping besides settings; nil for a row, whose keys are known.
func readFigure(key yamldoc.Node, metric string, n yamldoc.Node, keys []string) figure {
	f := figure{line: n.At.Line, metric: metric}
	described, ok := assay.Describe(metric)
	if !ok {
		key.FaultKey("unknown metric %.60q%s", metric, meant(nearestMetric(metric)))
		return f
	}
	if !n.IsMap() {
		f.read(n, yamldoc.Node{}, described)
		return f
	}
	if keys != nil {
		f.labels = ownSettings(n, keys)
	}
	value := n.Get("value")
	if value.Empty() {
		n.Fault("%s has no value", metric)
		return f
	}
	f.read(value, n.Get("unit"), described)
	f.readSeries(n, described)
	return f
}

// ownSettings returns the settings that only one figure of a row has.
func ownSettings(n yamldoc.Node, keys []string) map[string]string {
	labels := map[string]string{}
	for _, own := range n.Pairs() {
		switch {
		case slices.Contains(keys, own.Key):
		case settings[own.Key] != "":
			labels[own.Key] = written(own)
		default:
			own.FaultKey("unknown key %.40q%s", own.Key, meant(nearestSetting(own.Key, keys...)))
		}
	}
	return labels
}

// read reads the value at n in the unit at u, or in its own.
func (f *figure) read(n, u yamldoc.Node, of assay.Metric) {
	f.line = n.At.Line
	otherwise := written(u)
	f.text = strings.Join(words(written(n), otherwise), " ")
	var err error
	if f.value, err = value(written(n), otherwise, of); err == nil {
		return
	}
	if otherwise != "" && strings.Contains(err.Error(), otherwise) {
		n = u
	}
	n.Fault("%s", unitless(err, of))
}

// readSeries reads the values taken during a run, one per interval.
func (f *figure) readSeries(n yamldoc.Node, of assay.Metric) {
	series := itemsOf(n.Get("series"))
	if len(series) == 0 {
		return
	}
	every := n.Get("every")
	if every.Empty() {
		n.Get("series").Fault("a series needs every: the interval between its values, as in 1 s")
		return
	}
	var apart figure
	apart.read(every, yamldoc.Node{}, assay.Metric{Name: "every", Unit: assay.Seconds})
	otherwise := written(n.Get("unit"))
	for i, item := range series {
		v, err := value(written(item), otherwise, of)
		if err != nil {
			item.Fault("%s", unitless(err, of))
		}
		f.samples = append(f.samples, assay.Sample{At: float64(i+1) * apart.value, Value: v})
	}
}
