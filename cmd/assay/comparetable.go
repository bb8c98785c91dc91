package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/compare"
	"assay/report/term"
)

// printComparison prints a comparison in the format that was asked for.
func (a *app) printComparison(c compare.Comparison) error {
	if a.format == formatJSON {
		return writeJSON(a.stdout, c)
	}
	p := tables{w: a.stdout, markdown: a.format == formatMarkdown}
	p.width, _ = terminal(a.stdout)
	p.columns(c)
	p.rows(c)
	p.differences("Measured on other things", c.Rows, func(r compare.Row) []compare.Difference { return r.Facts })
	p.differences("Measured with other settings", c.Rows, func(r compare.Row) []compare.Difference { return r.Settings })
	p.differences("Not compared: measured with other settings", c.Refused, func(r compare.Row) []compare.Difference { return r.Settings })
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

// letter names a column, from 0: A, B, … Z, AA.
func letter(i int) string {
	if i >= 26 {
		return letter(i/26-1) + letter(i%26)
	}
	return string(rune('A' + i))
}

// columns says what the letters stand for.
func (p *tables) columns(c compare.Comparison) {
	var rows [][]string
	selections := false
	for i, head := range c.Columns {
		runs := plural(len(head.Runs), "run")
		if n := len(head.Runs); n == 1 {
			runs = head.Runs[0]
		} else if n > 1 {
			runs += ", " + head.Runs[0] + " to " + head.Runs[n-1]
		}
		selections = selections || head.Name != "run="+runs
		rows = append(rows, []string{letter(i), runs, few(head.Hosts), strings.TrimPrefix(head.Name, "run="+runs+" ")})
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

// few lists some names.
func few(names []string) string {
	const most = 4
	switch {
	case len(names) == 0:
		return "an unnamed host"
	case len(names) > most:
		return fmt.Sprintf("%s and %d more", list(names[:most-1]), len(names)-most+1)
	}
	return list(names)
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
			rows = append(rows, []string{rowTitle(r), cellText(r, r.Cells[0], rests == ""), cellText(r, other, rests == ""), ratioText(r, other.Against), verdictText(other)})
		}
	} else {
		header = []string{"test", "", "median", "to A", "verdict"}
		for _, r := range c.Rows {
			title := rowTitle(r)
			for i, cell := range r.Cells {
				if cell == nil {
					rows = append(rows, []string{title, letter(i), "no data", "", ""})
				} else {
					rows = append(rows, []string{title, letter(i), cellText(r, cell, rests == ""), ratioText(r, cell.Against), verdictText(cell)})
				}
				if !p.markdown {
					title = ""
				}
			}
		}
	}
	p.table("", header, rows)
	p.say(summary(c, rests))
}

// differences prints what is not alike: once for all rows where it is the same in
// all of them.
func (p *tables) differences(title string, rows []compare.Row, of func(compare.Row) []compare.Difference) {
	type group struct {
		text string
		in   []string
	}
	var groups []*group
	for _, r := range rows {
		for _, d := range of(r) {
			text := differenceText(d)
			i := slices.IndexFunc(groups, func(g *group) bool { return g.text == text })
			if i < 0 {
				groups, i = append(groups, &group{text: text}), len(groups)
			}
			if name := rowTitle(r); !slices.Contains(groups[i].in, name) {
				groups[i].in = append(groups[i].in, name)
			}
		}
	}
	var lines [][]string
	for _, g := range groups {
		in := strings.Join(g.in, "; ")
		if len(g.in) == len(rows) && len(rows) > 1 {
			in = "all"
		}
		lines = append(lines, []string{g.text, in})
	}
	p.table(title, []string{"what", "in"}, lines)
}

// mostWhy is how much of a reason stands in the table: tools print long lines.
const mostWhy = 120

// lone prints what has no partner: one line for the figures of one trial that
// lack one for the same reason, in whatever columns.
func (p *tables) lone(c compare.Comparison) {
	type line struct{ columns, metrics []string }
	lines := map[[2]string]*line{}
	var order [][2]string
	for _, l := range c.Lone {
		key := [2]string{l.Trial, l.Why}
		at := lines[key]
		if at == nil {
			at = &line{}
			lines[key], order = at, append(order, key)
		}
		at.columns, at.metrics = withOnce(at.columns, letter(l.Column)), withOnce(at.metrics, l.Metric)
	}
	var rows [][]string
	for _, key := range order {
		at, what, why := lines[key], key[0], []rune(key[1])
		switch {
		case len(at.metrics) > 1:
			what += ", " + plural(len(at.metrics), "figure")
		case at.metrics[0] != "":
			what += ", " + at.metrics[0]
		}
		if len(why) > mostWhy {
			why = append(why[:mostWhy-1], '…')
		}
		rows = append(rows, []string{list(at.columns), what, string(why)})
	}
	p.table("Without a partner", []string{"", "trial", "why"}, rows)
}

func withOnce(all []string, one string) []string {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}
