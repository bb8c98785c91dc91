package table

import (
	"maps"
	"slices"
	"strings"
)

// printedRows shows the rows of a document as tables: one for each run of two rows or
// more with the same metrics, each once. Other rows would not make a readable table.
func printedRows(title string, rows []row) []Printed {
	var all []Printed
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && sameColumns(rows[from], rows[to]) {
			to++
		}
		if to-from > 1 && rows[from].tabular() {
			all = append(all, printedRun(title, rows[from:to], len(all)))
		}
		from = to
	}
	return all
}

// tabular reports whether a row's figures fit into one table line.
func (r row) tabular() bool {
	seen := map[string]bool{}
	for _, f := range r.figures {
		if seen[f.metric] || len(f.samples) > 0 {
			return false
		}
		seen[f.metric] = true
	}
	return true
}

func sameColumns(a, b row) bool {
	return a.compare == b.compare && b.tabular() &&
		slices.EqualFunc(a.figures, b.figures, func(x, y figure) bool { return x.metric == y.metric })
}

// printedRun shows such rows: the columns that tell them apart first, then one figure
// per column. What they share is in the caption.
func printedRun(title string, rows []row, number int) Printed {
	p := Printed{Line: rows[0].line}
	named := make([]map[string]string, len(rows))
	keys := []string{"host", "subject"}
	for i, r := range rows {
		named[i] = maps.Clone(r.labels)
		named[i]["host"], named[i]["subject"] = r.host, r.subject
		for _, key := range slices.Sorted(maps.Keys(r.labels)) {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	common := words(title)
	for _, key := range keys {
		if slices.ContainsFunc(named, func(n map[string]string) bool { return n[key] != named[0][key] }) {
			p.Header = append(p.Header, key)
		} else if v := named[0][key]; v != "" {
			common = append(common, key+"="+v)
		}
	}
	p.Caption = strings.Join(common, ", ")
	differ := slices.Clone(p.Header)
	for _, f := range rows[0].figures {
		p.Header = append(p.Header, strings.ReplaceAll(f.metric, ".", " "))
	}
	for i, r := range rows {
		line := PrintedRow{Line: r.line}
		for _, key := range differ {
			line.Cells = append(line.Cells, named[i][key])
		}
		for j := range r.figures {
			r.figures[j].at = &spot{number, i, len(line.Cells)}
			line.Cells = append(line.Cells, r.figures[j].text)
		}
		p.Rows = append(p.Rows, line)
	}
	return p
}
