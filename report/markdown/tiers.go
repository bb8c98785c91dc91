package markdown

import (
	"strings"

	"assay/compare"
	"assay/report"
	"assay/report/versus"
)

// tiers writes kinds of storage beside each other, with their ratios to the
// first, and what bounds each of them.
func (p *page) tiers(t *report.Tiers) {
	if t == nil {
		return
	}
	for _, table := range t.Tables {
		p.block("## " + escape(table.Title))
		if note := paragraph(table.Note); note != "" {
			p.block(note)
		}
		p.tierTable(table)
		p.block(paragraph(report.TierLegend(table, "after it")))
		p.list(table.Refused)
	}
	p.block("## The tiers")
	var rows [][]string
	for _, c := range t.Columns {
		rows = append(rows, []string{escape(c.Name), escape(c.What)})
	}
	p.table([]string{"tier", "what it is"}, []bool{false, false}, rows)
	p.list(t.Notes)
	if len(t.Binds) == 0 {
		return
	}
	p.block("## What binds")
	var lines []string
	for _, b := range t.Binds {
		lines = append(lines, join("; ", b.Text, b.Arithmetic()))
	}
	p.list(lines)
}

// list writes sentences, each as one item.
func (p *page) list(sentences []string) {
	var lines []string
	for _, s := range sentences {
		lines = append(lines, "- "+escape(s))
	}
	if len(lines) > 0 {
		p.block(lines...)
	}
}

func (p *page) tierTable(t report.TierTable) {
	header, right := []string{"test", "figure"}, []bool{false, false}
	for _, name := range t.Columns {
		header, right = append(header, escape(name)), append(right, true)
	}
	counts := t.Count() == ""
	var rows [][]string
	for i, r := range t.Rows {
		title := join(", ", escape(r.Title), escape(r.Settings))
		if t.Continues(i) {
			title = ""
		}
		cells := sideCells(r.Sides(), counts)
		for j, c := range r.Cells {
			switch {
			case c.Refused != "":
				cells[j] += "; ≠"
			case c.Against != nil:
				cells[j] += "; " + tierRatio(c, r.Metric)
			}
		}
		rows = append(rows, append([]string{title, escape(r.Label)}, cells...))
	}
	p.table(header, right, rows)
}

// tierRatio is the ratio to the base in bold, with ~ where the two cannot be told
// apart. Brackets are left to footnotes.
func tierRatio(c report.TierCell, metric string) string {
	ratio, interval, _ := strings.Cut(versus.Ratio(compare.Row{Metric: metric}, c.Against), " [")
	if c.Against.Difference == nil && c.Against.Ratio > 0 {
		ratio += " ×"
	}
	text := "**" + escape(ratio) + "**"
	if c.Same() {
		text = "\\~ " + text
	}
	if interval = strings.TrimSuffix(interval, "]"); interval != "" {
		text += " (" + escape(strings.ReplaceAll(strings.ReplaceAll(interval, "–", " to "), ", ", " to ")) + ")"
	}
	return text
}
