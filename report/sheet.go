package report

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/internal/prose"
	"assay/report/block"
)

// sheet is a table whose cells hold the figures of several outputs and cite the
// findings about them.
type sheet struct {
	table block.Table
	cells map[string][]sheetCell // by output
	names map[string]*block.Cell // of the output's first row
}

// sheetCell is a cell with the metric that it holds.
type sheetCell struct {
	metric string
	cell   *block.Cell
}

// published returns a published table with its own cells, rejected figures marked and
// findings as footnotes.
func (w *readingWriter) published(p part, level int) block.Blocks {
	t := p.table
	s := sheet{cells: map[string][]sheetCell{}, names: map[string]*block.Cell{}}
	numbers := map[int]bool{}
	for _, c := range t.Cells {
		numbers[c.Column] = true
	}
	for i, h := range t.Header {
		s.table.Columns = append(s.table.Columns, block.Column{Heading: h, Right: numbers[i]})
	}
	for _, r := range t.Rows {
		s.table.Rows = append(s.table.Rows, block.Row{Cells: block.Words(r...)})
	}
	byID := map[string]Output{}
	for _, o := range p.outputs {
		byID[o.ID] = o
	}
	for _, c := range t.Cells {
		if c.Row >= len(s.table.Rows) || c.Column >= len(s.table.Rows[c.Row].Cells) {
			continue
		}
		cells := s.table.Rows[c.Row].Cells
		cell := &cells[c.Column]
		s.cells[c.Output] = append(s.cells[c.Output], sheetCell{c.Metric, cell})
		if s.names[c.Output] == nil {
			s.names[c.Output] = &cells[0]
		}
		o := byID[c.Output]
		i := slices.IndexFunc(o.Figures, func(f Reported) bool { return f.Metric == c.Metric })
		if i < 0 {
			continue
		}
		rejected := cell.Figure != nil && cell.Figure.Rejected
		cell.Figure = o.Figures[i].cell(o.Host).Figure
		cell.Figure.Rejected = cell.Figure.Rejected || rejected
	}
	title := "table"
	if t.Caption != "" {
		title += ": " + t.Caption
	}
	return w.sheet(s, p, w.place(p.file, p.line)+"  "+title, level)
}

// sheet returns a heading, the table and its footnotes.
func (w *readingWriter) sheet(s sheet, p part, title string, level int) block.Blocks {
	notes := w.notes(s, p.outputs)
	all := block.Blocks{block.Heading{Level: level, Text: title}, s.table}
	if len(notes.Notes) > 0 {
		all = append(all, notes)
	}
	return all
}

// mostAbout is the most results that a footnote names.
const mostAbout = 3

// notes returns the findings about a table, numbering each distinct one. The
// cells it is about cite it.
func (w *readingWriter) notes(s sheet, outputs []Output) block.Footnotes {
	var notes block.Footnotes
	folds := fold(outputs, exactly)
	order.Stable(folds, func(a, b folded) int { return rank(a.first.Severity) - rank(b.first.Severity) })
	for _, f := range folds {
		w.note++
		for _, one := range f.all {
			for _, cell := range s.cited(one) {
				if !slices.Contains(cell.Notes, w.note) {
					cell.Notes = append(cell.Notes, w.note)
				}
			}
		}
		says := severities[f.first.Severity]
		notes.Notes = append(notes.Notes, block.Footnote{
			Number: w.note, Is: says.kind, Word: says.word, Name: f.first.Rule, Text: w.short(f.first.Message), About: aboutThese(f.outputs, len(outputs)),
			Sum: w.sumOf(f), Advice: w.advice(f.first.Advice, fmt.Sprintf("footnote %d", w.note)),
		})
	}
	return notes
}

// cited returns the cells that a finding is about: those of its metrics, else
// all of its output; the row's name if there is no such cell.
func (s sheet) cited(f assay.Finding) []*block.Cell {
	var cells []*block.Cell
	for _, at := range s.cells[f.Subject] {
		if len(f.Metrics) == 0 || slices.Contains(f.Metrics, at.metric) {
			cells = append(cells, at.cell)
		}
	}
	if name := s.names[f.Subject]; len(cells) == 0 && name != nil {
		return []*block.Cell{name}
	}
	return cells
}

// aboutThese names the outputs that a footnote is about.
func aboutThese(outputs []Output, of int) string {
	if len(outputs) == of && of > 1 {
		return fmt.Sprintf("all %d", of)
	}
	var names []string
	for _, o := range outputs {
		names = append(names, o.named())
	}
	return prose.Enumerate(names, mostAbout)
}

// jobs returns the results of one output as a table, one row each.
func (w *readingWriter) jobs(p part, level int) block.Blocks {
	s := sheet{cells: map[string][]sheetCell{}, names: map[string]*block.Cell{}}
	first := p.outputs[0]
	columns := jobColumns(p.outputs)
	s.table.Columns = []block.Column{{Heading: "job"}}
	for _, c := range columns {
		s.table.Columns = append(s.table.Columns, block.Column{Heading: strings.TrimSpace(c.group + " " + c.name), Right: true})
	}
	same := !slices.ContainsFunc(p.outputs, func(o Output) bool { return o.Settings != first.Settings })
	rest := 0
	for _, o := range p.outputs {
		cells := make([]block.Cell, len(columns)+1)
		cells[0].Text = strings.TrimSpace(strings.TrimPrefix(o.named(), o.Tool))
		if !same && o.Settings != "" {
			cells[0].Under = []string{o.Settings}
		}
		for _, f := range o.Figures {
			i := slices.Index(columns, columnOf(f))
			if i < 0 || cells[i+1].Figure != nil {
				rest++
				continue
			}
			cells[i+1] = f.cell(o.Host)
			s.cells[o.ID] = append(s.cells[o.ID], sheetCell{f.Metric, &cells[i+1]})
		}
		s.names[o.ID] = &cells[0]
		s.table.Rows = append(s.table.Rows, block.Row{Cells: cells})
	}
	if rest > 0 {
		s.table.Legend = countOf(rest, "figure") + " not shown: --format json lists them."
	}
	all := w.sheet(s, p, fmt.Sprintf("%s  %s, %d results", w.place(p.file, p.line), first.Tool, len(p.outputs)), level)
	if same && first.Settings != "" {
		all = slices.Insert(all, 1, block.Block(block.Sentence{Text: first.Settings, Quiet: true}))
	}
	return all
}

// jobColumn is a column of a table of jobs.
type jobColumn struct{ group, name string }

func columnOf(f Reported) jobColumn {
	name := f.Name
	if name == "" {
		name = string(f.Unit)
		if stem := strings.LastIndexByte(f.Metric, '.'); stem >= 0 {
			name = strings.ReplaceAll(f.Metric[stem+1:], "_", " ")
		}
	}
	return jobColumn{f.Group, name}
}

// mostJobColumns is how many columns fit side by side on a page.
const mostJobColumns = 6

// jobColumns returns the figures that the outputs have, or the most telling if
// there are too many.
func jobColumns(outputs []Output) []jobColumn {
	var all []jobColumn
	for _, minor := range []bool{false, true} {
		for _, o := range outputs {
			for _, f := range o.Figures {
				c := columnOf(f)
				if minorJob(c.name) == minor && !slices.Contains(all, c) && len(all) < mostJobColumns {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// minorJob reports whether a table of jobs leaves a figure out first.
func minorJob(name string) bool {
	return slices.Contains([]string{"min", "max", "stddev", "p50", "p95", "p99.9", "p99.99"}, name)
}
