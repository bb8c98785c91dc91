package report

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
)

// sectionBlocks shows the figures in full, section by section.
func sectionBlocks(d Document) block.Blocks {
	if len(d.Sections) == 0 {
		return block.Blocks{block.Sentence{Text: "Nothing was measured."}}
	}
	var all block.Blocks
	for _, s := range d.Sections {
		if d.sumsUp(s) {
			all = append(all, wayBlocks(s, d.Side.Networks)...)
		} else {
			all = append(all, oneSection(s)...)
		}
		all = append(all, courseBlocks(s, d.Courses)...)
		all = append(all, sectionPlots(s, d.Plots)...)
	}
	return all
}

func oneSection(s Section) block.Blocks {
	all := block.Blocks{block.Heading{Level: 1, Text: sectionName(s), Aside: commonSubject(s.Rows)}}
	all = append(all, quietly(s.Note)...)
	if len(s.Rows) == 0 {
		return append(all, block.Sentence{Text: "Nothing was measured."})
	}
	if legend := sectionLegend(s.Rows); legend != "" {
		all = append(all, block.Sentence{Text: legend, Quiet: true})
	}
	all = append(all, rowTable(s.Rows))
	return append(all, ceilingBlocks(s)...)
}

func quietly(text string) block.Blocks {
	if text == "" {
		return nil
	}
	return block.Blocks{block.Sentence{Text: text, Quiet: true}}
}

func sectionName(s Section) string {
	if s.Title != "" {
		return s.Title
	}
	return s.ID
}

// sectionLegend says once what all figures of the rows rest on.
func sectionLegend(rows []Row) string {
	var figures []Figure
	for _, r := range rows {
		figures = append(figures, r.Figures...)
	}
	text := basis(figures, commonCount(figures))
	if text == "" {
		return ""
	}
	if allQuick(rows) {
		text += ". A quick look: too short to settle an argument"
	}
	return text + "."
}

// allQuick reports whether all rows with figures are quick looks.
func allQuick(rows []Row) bool {
	return !slices.ContainsFunc(rows, func(r Row) bool { return !r.Quick && len(r.Figures) > 0 })
}

// commonCount returns what all figures rest on, or "" if they differ.
func commonCount(figures []Figure) string {
	for _, f := range figures {
		if Count(f) != Count(figures[0]) {
			return ""
		}
	}
	if len(figures) == 0 {
		return ""
	}
	return Count(figures[0])
}

// commonSubject returns the subject of all rows, or "" if they differ.
func commonSubject(rows []Row) string {
	for _, r := range rows {
		if r.Subject != rows[0].Subject {
			return ""
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return rows[0].Subject
}

// rowTable has one row per trial and one column per kind of figure.
func rowTable(rows []Row) block.Table {
	t := block.Table{Columns: append([]block.Column{{Heading: "test"}}, figureColumns(rows)...)}
	settings := settingsUnder(rows)
	for _, r := range rows {
		t.Rows = append(t.Rows, rowOfTrial(r, t.Columns, settings(r))...)
	}
	return t
}

// figureColumns returns the kinds of figures, in order of first appearance. All
// but the few that readers look at first are minor.
func figureColumns(rows []Row) []block.Column {
	var all []block.Column
	percentiles := slices.ContainsFunc(rows, func(r Row) bool {
		return slices.ContainsFunc(r.Figures, func(f Figure) bool { _, is := assay.Percentile(f.Metric); return is })
	})
	for _, r := range rows {
		for _, f := range r.Figures {
			i := slices.IndexFunc(all, func(c block.Column) bool { return c.Heading == labelOf(f) })
			if i < 0 {
				all, i = append(all, block.Column{Heading: labelOf(f), Right: true, Minor: true}), len(all)
			}
			all[i].Minor = all[i].Minor && !isMain(f.Metric, percentiles)
		}
	}
	return all
}

// isMain reports whether a figure is one of the few that readers look at first.
// A mean latency is one only if there are no percentiles.
func isMain(metric string, percentiles bool) bool {
	if p, ok := assay.Percentile(metric); ok {
		return p == 50 || p == 99 || p == 99.9
	}
	for _, minor := range []string{".latency.stddev", ".latency.min", ".latency.max"} {
		if strings.HasSuffix(metric, minor) {
			return false
		}
	}
	return !percentiles || !strings.HasSuffix(metric, ".latency.mean")
}

func labelOf(f Figure) string {
	if f.Label != "" {
		return f.Label
	}
	return f.Metric
}

// settingsUnder returns the text under a row's title: everything that the section
// has not said about all rows.
func settingsUnder(rows []Row) func(Row) []string {
	var figures []Figure
	for _, r := range rows {
		figures = append(figures, r.Figures...)
	}
	subject, count, quick := commonSubject(rows), commonCount(figures), allQuick(rows)
	return func(r Row) []string {
		var words []string
		if subject == "" {
			words = append(words, r.Subject)
		}
		words = append(words, r.Settings)
		if count == "" {
			words = append(words, commonCount(r.Figures))
		}
		if r.Quick && !quick {
			words = append(words, "quick look")
		}
		return filled(words...)
	}
}

// rowOfTrial returns a trial's row, or several if it has several figures of one
// kind: the reads and writes of a mixed load.
func rowOfTrial(r Row, columns []block.Column, settings []string) []block.Row {
	title := r.Title
	if title == "" {
		title = r.Trial
	}
	own := commonCount(r.Figures) == ""
	layers := layersOf(r, columns)
	var rows []block.Row
	for _, layer := range layers {
		name := title
		if len(layers) > 1 {
			name += ", " + layerName(layer)
		}
		cells := []block.Cell{{Text: name, Under: settings}}
		for _, f := range layer {
			var c block.Cell
			if f != nil {
				c = figureCell(hostOf(r), *f)
				unit := " " + labelOf(*f) // where the column says it
				c.Text, c.Figure.Interval = strings.TrimSuffix(c.Text, unit), strings.ReplaceAll(c.Figure.Interval, unit, "")
				if own {
					c.Figure.Count = Count(*f)
				}
			}
			cells = append(cells, c)
		}
		rows = append(rows, block.Row{Cells: cells})
	}
	if len(rows) == 0 {
		rows = []block.Row{{Cells: []block.Cell{{Text: title, Under: settings}}}}
	}
	last := &rows[len(rows)-1]
	last.Absent = absentOf(r.Absent)
	if r.Fewer != "" {
		last.Remarks = append(last.Remarks, block.Sentence{Is: block.Doubt, Text: r.Fewer})
	}
	return rows
}

// layersOf sorts the figures of a row into the columns. A second figure of the
// same kind opens a second layer.
func layersOf(r Row, columns []block.Column) [][]*Figure {
	var all [][]*Figure
	depth := make([]int, len(columns)-1)
	for i, f := range r.Figures {
		at := slices.IndexFunc(columns[1:], func(c block.Column) bool { return c.Heading == labelOf(f) })
		if at < 0 {
			continue
		}
		if depth[at] == len(all) {
			all = append(all, make([]*Figure, len(columns)-1))
		}
		all[depth[at]][at] = &r.Figures[i]
		depth[at]++
	}
	return all
}

// layerName tells the layers of a mixed load apart by their direction.
func layerName(layer []*Figure) string {
	for _, f := range layer {
		if f == nil {
			continue
		}
		if words := strings.Split(f.Metric, "."); len(words) > 2 && words[0] == "storage" {
			return words[1]
		}
	}
	return "also"
}

// wayBlocks summarises a section of many links: a line for each figure of a
// network, what has no figure, and what the audit rejects; then each path.
func wayBlocks(s Section, networks []analysis.Matrix) block.Blocks {
	all := block.Blocks{block.Heading{Level: 1, Text: sectionName(s)}}
	all = append(all, quietly(s.Note)...)
	all = append(all, quietly(sectionLegend(s.Rows))...)
	for _, how := range settingsOfKinds(s) {
		all = append(all, block.Sentence{Text: how, Quiet: true})
	}
	var sums [][]string
	for _, m := range networks {
		if text := summary(m); text != "" {
			sums = append(sums, []string{m.Network, matrixName(m), text})
		}
	}
	table := block.Texts([]string{"network", "figure", "from the worst way to the best"}, sums)
	table.Grouped = true
	all = append(all, table)
	for _, l := range lacksOf(s) {
		all = append(all, block.Sentence{Is: block.Doubt, Word: prose.Plural(len(l.titles), "row"), Text: l.text + " (" + prose.Enumerate(l.titles, 3) + ")", Advice: l.hint})
	}
	rejected := slices.DeleteFunc(slices.Clone(s.Rows), func(r Row) bool {
		return !slices.ContainsFunc(r.Figures, func(f Figure) bool { return f.Rejected })
	})
	if len(rejected) > 0 {
		all = append(all, rowTable(rejected))
	}
	one := fmt.Sprintf("All %d rows one by one", len(s.Rows))
	return append(all, block.Details{Summary: one, Brief: one + ": in the HTML, CSV and JSON reports.", Blocks: block.Blocks{rowTable(s.Rows)}})
}

// ceilingBlocks compares figures with their physical ceilings, grouped by
// ceiling.
func ceilingBlocks(s Section) block.Blocks {
	var all []block.Bars
	places := apart(s.Rows)
	for _, r := range s.Rows {
		bounded := 0
		for _, f := range r.Figures {
			if f.Ceiling != nil {
				bounded++
			}
		}
		for _, f := range r.Figures {
			if f.Ceiling == nil {
				continue
			}
			title := joinWords(", ", r.Title, places[r.Subject])
			if strings.HasPrefix(r.Title, places[r.Subject]+": ") {
				title = r.Title
			}
			if bounded > 1 {
				title = joinWords(", ", title, labelOf(f))
			}
			group := "share of the ceiling: " + quantity.Of(f.Metric, f.Ceiling.Value) + ", " + f.Ceiling.Name
			i := slices.IndexFunc(all, func(b block.Bars) bool { return b.Title == group })
			if i < 0 {
				all, i = append(all, block.Bars{Title: group, Mark: 1}), len(all)
			}
			share := block.Number(f.Ceiling.Share)
			figure := block.Figure{Host: hostOf(r), Metric: "ceiling_share." + f.Metric, Value: share, Low: share, High: share, Rejected: f.Rejected}
			bar := block.Bar{Title: title, Share: share, Cell: block.Cell{Text: percent(f.Ceiling.Share), Figure: &figure}}
			if !f.Rejected {
				bar.Aside = quantity.Of(f.Metric, f.Value)
			}
			all[i].Bars = append(all[i].Bars, bar)
		}
	}
	var blocks block.Blocks
	for _, b := range all {
		blocks = append(blocks, b)
	}
	return blocks
}

// apart returns what tells the subjects of rows from each other: host names if
// only the hosts differ, "" if there is one subject.
func apart(rows []Row) map[string]string {
	parts := map[string][]string{}
	var all [][]string
	for _, r := range rows {
		if _, known := parts[r.Subject]; !known {
			parts[r.Subject] = strings.Split(r.Subject, "/")
			all = append(all, parts[r.Subject])
		}
	}
	head, tail := 0, 0
	same := func(at func(p []string) int) bool {
		for _, p := range all {
			if i := at(p); i < head || i >= len(p) || p[i] != all[0][at(all[0])] {
				return false
			}
		}
		return len(all) > 0
	}
	for same(func([]string) int { return head }) {
		head++
	}
	for same(func(p []string) int { return len(p) - 1 - tail }) {
		tail++
	}
	names := map[string]string{}
	for subject, p := range parts {
		names[subject] = strings.Join(p[head:len(p)-tail], "/")
	}
	return names
}
