package markdown

import (
	"fmt"
	"slices"
	"strings"

	"assay/report"
)

// section writes one table: a row a trial, a column a kind of figure, each with
// its unit, the interval of its median and the numbers of its footnotes.
func (p *page) section(s report.Section) {
	title := escape(s.Title)
	if title == "" {
		title = escape(s.ID)
	}
	p.block("## " + title)
	if note := paragraph(s.Note); note != "" {
		p.block(note)
	}
	if len(s.Rows) == 0 {
		p.block("Nothing was measured.")
		return
	}
	p.rows(s.Rows)
	if legend := legend(s.Rows); legend != "" {
		p.block(legend)
	}
}

// rows writes the table of some rows.
func (p *page) rows(of []report.Row) {
	labels := labelsOf(of)
	subject := commonSubject(of)
	header := []string{"test", "settings", "n"}
	right := []bool{false, false, false}
	for _, l := range labels {
		header, right = append(header, escape(l)), append(right, true)
	}
	if len(labels) == 0 { // all rows are absences: their words need a column
		header, right = append(header, ""), append(right, false)
	}
	var rows [][]string
	for _, r := range of {
		rows = append(rows, rowCells(r, labels, subject)...)
	}
	if subject != "" {
		p.block("On " + escape(subject) + ".")
	}
	p.table(header, right, rows)
}

// rowCells makes the lines of one row; more than one where it has several
// figures of one kind, the reads and writes of a mixed load.
func rowCells(r report.Row, labels []string, subject string) [][]string {
	title := escape(r.Title)
	if title == "" {
		title = escape(r.Trial)
	}
	settings := escape(r.Settings)
	if subject == "" {
		settings = join(": ", escape(r.Subject), settings)
	}
	if r.Quick {
		settings = join(", ", settings, "quick look")
	}
	settings = join("; ", settings, escape(r.Fewer))
	var lines [][]string
	add := func() []string {
		line := make([]string, 3+max(len(labels), 1))
		line[0], line[1] = title, settings
		lines = append(lines, line)
		return line
	}
	depth := make([]int, len(labels))
	for _, f := range r.Figures {
		i := slices.Index(labels, label(f))
		count := strings.TrimPrefix(report.Count(f), "n=")
		if depth[i] == len(lines) {
			add()[2] = count
		}
		lines[depth[i]][3+i] = cell(f)
		if lines[depth[i]][2] != count { // the odd one out says so itself
			lines[depth[i]][3+i] += " " + report.Count(f)
		}
		depth[i]++
	}
	if len(lines) > 1 {
		for i := range lines {
			lines[i][0] = title + ", " + direction(r, i)
		}
	}
	if r.Absent != nil {
		line := add()
		line[3] = escape(string(r.Absent.Word) + ": " + r.Absent.Why)
		if r.Absent.Hint != "" {
			line[3] += "; hint: " + escape(r.Absent.Hint)
		}
	}
	if len(lines) == 0 {
		add()
	}
	return lines
}

// direction names the i-th line of a mixed load: read or write, as the metric
// says, or its number.
func direction(r report.Row, i int) string {
	seen := map[string]int{}
	for _, f := range r.Figures {
		n := seen[label(f)]
		seen[label(f)]++
		if parts := strings.Split(f.Metric, "."); n == i && len(parts) > 2 && parts[0] == "storage" {
			return escape(parts[1])
		}
	}
	return fmt.Sprint(i + 1)
}

// cell is one figure: 243k IOPS (240k to 246k). What is rejected is struck out
// and marked.
func cell(f report.Figure) string {
	v := escape(report.Quantity(f.Metric, f.Value))
	if f.Rejected {
		v = "✗ ~~" + v + "~~"
	}
	var notes []string
	for _, n := range f.Footnotes {
		notes = append(notes, fmt.Sprint(n))
	}
	cited := ""
	if len(notes) > 0 {
		cited = "[" + strings.Join(notes, ", ") + "]"
	}
	return join(" ", v, escape(interval(f)), cited)
}

// interval is report.Interval in words, without the units where they are those
// of the value beside it: "(240k to 246k)". Brackets are left to footnotes.
func interval(f report.Figure) string {
	low, high, found := strings.Cut(strings.Trim(report.Interval(f), "[]"), ", ")
	switch {
	case !found && f.N > 1:
		return "(?)"
	case !found:
		return ""
	}
	if _, unit, has := strings.Cut(report.Quantity(f.Metric, f.Value), " "); has {
		shortLow, okLow := strings.CutSuffix(low, " "+unit)
		shortHigh, okHigh := strings.CutSuffix(high, " "+unit)
		if okLow && okHigh {
			low, high = shortLow, shortHigh
		}
	}
	return "(" + low + " to " + high + ")"
}

// legend says what the brackets mean, where there are any.
func legend(rows []report.Row) string {
	var level float64
	var unsure, several bool
	for _, r := range rows {
		for _, f := range r.Figures {
			level = max(level, f.Level)
			several = several || f.N > 1
			unsure = unsure || f.N > 1 && f.Level == 0
		}
	}
	var parts []string
	if several {
		parts = append(parts, "Median of n repeats")
	}
	if level > 0 {
		parts = append(parts, fmt.Sprintf("in parentheses its %.3g %% interval", 100*level))
	}
	if unsure {
		parts = append(parts, "(?) is too few repeats for one")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}

func label(f report.Figure) string {
	if f.Label != "" {
		return f.Label
	}
	return f.Metric
}

func labelsOf(rows []report.Row) []string {
	var labels []string
	for _, r := range rows {
		for _, f := range r.Figures {
			if !slices.Contains(labels, label(f)) {
				labels = append(labels, label(f))
			}
		}
	}
	return labels
}

// commonSubject is the subject of all rows, "" where they differ.
func commonSubject(rows []report.Row) string {
	for _, r := range rows {
		if r.Subject != rows[0].Subject {
			return ""
		}
	}
	return rows[0].Subject
}
