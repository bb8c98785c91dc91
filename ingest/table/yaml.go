package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
)

// The keys of a document, of a group of rows, and of a row beside its settings.
var (
	documentKeys = []string{"title", "source", "facts", "defaults", "rows"}
	groupKeys    = []string{"defaults", "rows"}
	defaultKeys  = []string{"host", "subject", "compare", "command"}
	rowKeys      = []string{"host", "subject", "compare", "command", "metric", "value", "unit", "figures"}
	figureKeys   = []string{"value", "unit", "series", "every"}
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
// Facts of host/subject are of that subject's drive and file system alone. In
// figures, a metric has a value with its unit, or value, series (one value
// every so often: every: 1 s) and settings of its own, or a list of these.
func readYAML(name string, text []byte) (Table, error) {
	root, err := parseYAML(name, text)
	if err != nil {
		return Table{}, err
	}
	if err := root.only("a document", documentKeys); err != nil {
		return Table{}, err
	}
	var t Table
	if t.Title, err = root.get("title").text(); err != nil {
		return Table{}, err
	}
	if t.Source, err = root.get("source").text(); err != nil {
		return Table{}, err
	}
	if t.Facts, err = readFacts(root.get("facts")); err != nil {
		return Table{}, err
	}
	rows, err := readGroup(root, row{labels: map[string]string{}})
	if err != nil {
		return Table{}, err
	}
	if len(rows) == 0 {
		return Table{}, fmt.Errorf("%s: no rows: %w", name, assay.ErrNoOutput)
	}
	t.Results = results(rows, t.Facts)
	return t, nil
}

func readFacts(n node) (map[string]assay.Facts, error) {
	all := map[string]assay.Facts{}
	hosts, err := n.fields()
	if err != nil {
		return nil, err
	}
	for _, h := range hosts {
		host, subject, ofSubject := strings.Cut(h.key, "/")
		var stated assay.Facts
		words, err := h.fields()
		if err != nil {
			return nil, err
		}
		for _, w := range words {
			is, err := w.text()
			if err != nil {
				return nil, err
			}
			if err := state(&stated, w.key, is); err != nil {
				return nil, w.fault("%w", err)
			}
		}
		if !ofSubject {
			if _, before := all[host]; before {
				return nil, h.fault("the facts of %s must come once, before those of its subjects", host)
			}
			stated.Host = host
			all[host] = stated
			continue
		}
		whole := all[host]
		whole.Host = host
		if err := about(&whole, subject, stated); err != nil {
			return nil, h.fault("%s", err)
		}
		all[host] = whole
	}
	return all, nil
}

// readGroup reads rows and groups of rows; over is what they inherit.
func readGroup(n node, over row) ([]row, error) {
	over, err := inherit(n.get("defaults"), over)
	if err != nil {
		return nil, err
	}
	items, err := n.get("rows").items()
	if err != nil {
		return nil, err
	}
	var all []row
	for _, item := range items {
		if item.get("rows").there() {
			if err := item.only("a group of rows", groupKeys); err != nil {
				return nil, err
			}
			rows, err := readGroup(item, over)
			if err != nil {
				return nil, err
			}
			all = append(all, rows...)
			continue
		}
		r, err := readRow(item, over)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// inherit lays what a node says over what a row has already. Other keys than
// those of defaults and settings are errors.
func inherit(n node, over row) (row, error) {
	over.labels = maps.Clone(over.labels)
	fields, err := n.fields()
	if err != nil {
		return over, err
	}
	for _, f := range fields {
		if err := over.take(f, defaultKeys); err != nil {
			return over, err
		}
	}
	return over, nil
}

// take reads one key of a row or of defaults. keys are those that may stand
// there beside settings.
func (r *row) take(f node, keys []string) error {
	if settings[f.key] == "" && !slices.Contains(keys, f.key) {
		return f.fault("unknown key %.40q%s", f.key, meant(nearestSetting(f.key, keys...)))
	}
	switch f.key {
	case "metric", "value", "unit", "figures":
		return nil // read together
	}
	word, err := f.text()
	if err != nil {
		return err
	}
	switch f.key {
	case "host":
		r.host = word
	case "subject":
		r.subject = word
	case "compare":
		r.compare = word
	case "command":
		r.argv = strings.Fields(word)
	default:
		r.labels[f.key] = word
	}
	return nil
}

func readRow(n node, over row) (row, error) {
	r := over
	r.line, r.labels = n.line, maps.Clone(over.labels)
	fields, err := n.fields()
	if err != nil {
		return r, err
	}
	for _, f := range fields {
		if err := r.take(f, rowKeys); err != nil {
			return r, err
		}
	}
	if n.get("metric").there() {
		word, err := n.get("metric").text()
		if err != nil {
			return r, err
		}
		one, err := readFigure(n.get("metric"), word, n)
		if err != nil {
			return r, err
		}
		one.labels = nil // the row's own
		r.figures = append(r.figures, one)
	}
	figures, err := n.get("figures").fields()
	if err != nil {
		return r, err
	}
	for _, f := range figures {
		each := []node{f}
		if f.isList() {
			if each, err = f.items(); err != nil {
				return r, err
			}
		}
		for _, one := range each {
			read, err := readFigure(f, f.key, one)
			if err != nil {
				return r, err
			}
			r.figures = append(r.figures, read)
		}
	}
	if len(r.figures) == 0 {
		return r, n.fault("row without a figure: add metric and value, or figures")
	}
	return r, nil
}

// readFigure reads one value of a metric. key is where the metric's name
// stands; n is a value with its unit, or a mapping that has one.
func readFigure(key node, metric string, n node) (figure, error) {
	described, ok := assay.Describe(metric)
	if !ok {
		return figure{}, key.fault("unknown metric %.60q%s", metric, meant(nearestMetric(metric)))
	}
	f := figure{line: n.line, metric: metric, labels: map[string]string{}}
	if !n.isMap() {
		return f, f.read(n, n, described)
	}
	own, err := n.fields()
	if err != nil {
		return f, err
	}
	ofRow := n.get("metric").there()
	for _, o := range own {
		switch {
		case slices.Contains(figureKeys, o.key) || ofRow:
		case settings[o.key] != "":
			if f.labels[o.key], err = o.text(); err != nil {
				return f, err
			}
		default:
			return f, o.fault("unknown key %.40q%s", o.key, meant(nearestSetting(o.key, figureKeys...)))
		}
	}
	if !n.get("value").there() {
		return f, n.fault("%s has no value", metric)
	}
	if err := f.read(n.get("value"), n.get("unit"), described); err != nil {
		return f, err
	}
	return f, f.readSeries(n, described)
}

// read reads the value at n in the unit at u, or in its own.
func (f *figure) read(n, u node, of assay.Metric) error {
	word, err := n.text()
	if err != nil {
		return err
	}
	otherwise := ""
	if u.there() && u != n {
		if otherwise, err = u.text(); err != nil {
			return err
		}
	}
	f.line = n.line
	if f.value, err = value(word, otherwise, of); err != nil {
		if otherwise != "" && strings.Contains(err.Error(), otherwise) {
			n = u
		}
		return n.fault("%s", unitless(err, of))
	}
	return nil
}

// readSeries reads the values inside a run: one every so often.
func (f *figure) readSeries(n node, of assay.Metric) error {
	items, err := n.get("series").items()
	if err != nil || len(items) == 0 {
		return err
	}
	if !n.get("every").there() {
		return n.get("series").fault("a series needs every: the interval between its values, as in 1 s")
	}
	apart := figure{}
	if err := apart.read(n.get("every"), node{}, assay.Metric{Name: "every", Unit: assay.Seconds}); err != nil {
		return err
	}
	otherwise := ""
	if n.get("unit").there() {
		if otherwise, err = n.get("unit").text(); err != nil {
			return err
		}
	}
	for i, item := range items {
		word, err := item.text()
		if err != nil {
			return err
		}
		v, err := value(word, otherwise, of)
		if err != nil {
			return item.fault("%s", unitless(err, of))
		}
		f.samples = append(f.samples, assay.Sample{At: float64(i+1) * apart.value, Value: v})
	}
	return nil
}
