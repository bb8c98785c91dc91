package main

import (
	"fmt"
	"io"
	"strings"

	"assay/compare"
	"assay/report/term"
	"assay/report/versus"
)

// printComparison prints a comparison as text, or as Markdown.
func printComparison(w io.Writer, c compare.Comparison, markdown bool) error {
	p := tables{w: w, markdown: markdown}
	p.width, _ = terminal(w)
	p.columns(c)
	p.rows(c)
	p.differences("Measured on other things", c.Rows, versus.Facts)
	p.differences("Measured with other settings", c.Rows, versus.Settings)
	p.differences("Not compared: measured with other settings", c.Refused, versus.Settings)
	p.lone(c)
	for _, n := range c.Notes {
		p.say("Note: " + n + ".")
	}
	return p.err
}

// tables writes text or Markdown, with an empty line between its blocks. The
// first error stays.
type tables struct {
	w        io.Writer
	width    int
	markdown bool
	begun    bool
	err      error
}

func (p *tables) gap() {
	if p.begun && p.err == nil {
		_, p.err = fmt.Fprintln(p.w)
	}
	p.begun = true
}

func (p *tables) table(title string, header []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	p.gap()
	if title != "" && p.err == nil {
		line := title
		if p.markdown {
			line = "## " + title + "\n"
		}
		_, p.err = fmt.Fprintln(p.w, line)
	}
	switch {
	case p.err != nil:
	case p.markdown:
		p.err = markdownTable(p.w, header, rows)
	default:
		p.err = term.Table(p.w, p.width, header, rows, nil)
	}
}

// say writes a paragraph.
func (p *tables) say(text string) {
	p.gap()
	switch {
	case p.err != nil:
	case p.markdown:
		_, p.err = fmt.Fprintln(p.w, strings.NewReplacer("<", "&lt;", "*", `\*`, "|", `\|`).Replace(text))
	default:
		p.err = term.Table(p.w, p.width, nil, [][]string{{text}}, nil)
	}
}

// columns says what the letters stand for.
func (p *tables) columns(c compare.Comparison) {
	var rows [][]string
	selections := false
	for i, head := range c.Columns {
		selections = selections || versus.Selection(head) != ""
		rows = append(rows, []string{versus.Letter(i), versus.Runs(head), versus.Hosts(head), versus.Selection(head)})
	}
	header := []string{"", "run", "host", "selection"}
	if !selections {
		header = header[:3]
		for i := range rows {
			rows[i] = rows[i][:3]
		}
	}
	p.table("", header, rows)
}

// rows prints the figures: two columns side by side, more of them below each
// other.
func (p *tables) rows(c compare.Comparison) {
	if len(c.Rows) == 0 {
		return
	}
	rests := sameCount(c)
	var rows [][]string
	header := []string{"test", "A", "B", "B / A", "verdict"}
	if len(c.Columns) == 2 {
		for _, r := range c.Rows {
			other := r.Cells[1]
			rows = append(rows, []string{rowTitle(r), cellText(r, r.Cells[0], rests == ""), cellText(r, other, rests == ""), ratioText(r, other.Against), versus.Verdict(other)})
		}
	} else {
		header = []string{"test", "", "median", "to A", "verdict"}
		for _, r := range c.Rows {
			title := rowTitle(r)
			for i, cell := range r.Cells {
				if cell == nil {
					rows = append(rows, []string{title, versus.Letter(i), "no data", "", ""})
				} else {
					rows = append(rows, []string{title, versus.Letter(i), cellText(r, cell, rests == ""), ratioText(r, cell.Against), versus.Verdict(cell)})
				}
				if !p.markdown {
					title = ""
				}
			}
		}
	}
	p.table("", header, rows)
	p.say(versus.Counts(c) + ". " + versus.Basis(c, rests))
}

// differences prints what is not alike: once for all rows where it is the same in
// all of them.
func (p *tables) differences(title string, rows []compare.Row, of func(compare.Row) []compare.Difference) {
	var lines [][]string
	for _, d := range versus.Differences(rows, of) {
		in := strings.Join(d.In, "; ")
		if d.All {
			in = "all"
		}
		lines = append(lines, []string{versus.Difference(d.Difference), in})
	}
	p.table(title, []string{"what", "in"}, lines)
}

// lone prints what has no partner.
func (p *tables) lone(c compare.Comparison) {
	var rows [][]string
	for _, l := range versus.Lone(c) {
		rows = append(rows, []string{list(l.Columns), l.What, l.Why})
	}
	p.table("Without a partner", []string{"", "trial", "why"}, rows)
}
