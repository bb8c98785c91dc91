package versus

import (
	"fmt"
	"math"
	"strings"
	"time"

	"assay/compare"
	"assay/report"
	"assay/report/block"
	"assay/stats"
)

// kinds maps verdicts to how readers should take them.
var kinds = map[compare.Verdict]block.Kind{
	compare.Faster: block.Good, compare.IsBetter: block.Good, compare.Slower: block.Bad, compare.IsWorse: block.Bad,
	compare.Equivalent: block.Limit, compare.IsHigher: block.Doubt, compare.IsLower: block.Doubt, compare.Undetermined: block.Next,
}

// Dates are when the first and the last run of a column began.
type Dates struct{ First, Last time.Time }

// words returns the one date, or the range.
func (d Dates) words() string {
	const form = "2006-01-02 15:04 MST"
	switch {
	case d.First.IsZero():
		return ""
	case d.Last.Equal(d.First) || d.Last.IsZero():
		return d.First.Format(form)
	}
	return d.First.Format(form) + " to " + d.Last.Format(form)
}

// Document returns a comparison as blocks. curves are latencies, as from
// compare.Curves; nil leaves latency out.
func Document(c compare.Comparison, curves []compare.Curve, dates []Dates) block.Document {
	var names []string
	for _, h := range c.Columns {
		names = append(names, strings.TrimPrefix(h.Name, "run="))
	}
	d := block.Document{Name: strings.Join(names, " vs "), Data: c, Tally: tally(c)}
	d.Add(Columns(c.Columns, dates))
	d.Add(verdicts(c)...)
	if len(c.Rows) > 0 {
		rests := SameCount(c)
		d.Add(ratios(c), figures(c, rests == ""), block.Sentence{Text: Counts(c) + ". " + Basis(c, rests)})
	}
	d.Add(Unlike("Measured on different hardware or software", c.Rows, Facts)...)
	d.Add(Unlike("Measured with different settings", c.Rows, Settings)...)
	d.Add(Unlike("Not compared: measured with different settings", c.Refused, Settings)...)
	if lone := Lone(c); len(lone) > 0 {
		var rows [][]string
		for _, l := range lone {
			rows = append(rows, []string{l.What, strings.Join(l.Columns, ", "), l.Why})
		}
		d.Add(block.Heading{Level: 1, Text: "Unmatched trials"}, block.Texts([]string{"trial", "in", "why"}, rows))
	}
	d.Add(latencies(c, curves)...)
	d.Add(spreads(c)...)
	for _, n := range c.Notes {
		d.Add(block.Sentence{Text: "Note: " + n + "."})
	}
	return d
}

// Columns explains the letters.
func Columns(heads []compare.Head, dates []Dates) block.Table {
	var rows [][]string
	selections, dated := false, false
	for i, h := range heads {
		row := []string{Letter(i), Runs(h), Hosts(h), Selection(h), ""}
		if i < len(dates) {
			row[4] = dates[i].words()
		}
		selections, dated = selections || row[3] != "", dated || row[4] != ""
		rows = append(rows, row)
	}
	header := []string{"", "run", "host"}
	keep := func(i int, name string) {
		header = append(header, name)
		for j, row := range rows {
			rows[j][len(header)-1] = row[i]
		}
	}
	if selections {
		keep(3, "selection")
	}
	if dated {
		keep(4, "started")
	}
	for i := range rows {
		rows[i] = rows[i][:len(header)]
	}
	return block.Texts(header, rows)
}

// verdicts compares every column with the base, in one sentence each.
func verdicts(c compare.Comparison) block.Blocks {
	var all block.Blocks
	for i := 1; i < len(c.Columns); i++ {
		only := c
		only.Rows = nil
		for _, r := range c.Rows {
			if r.Cells[i] != nil {
				r.Cells = []*compare.Cell{r.Cells[0], r.Cells[i]}
				only.Rows = append(only.Rows, r)
			}
		}
		told := Tally(only)
		if len(told) == 0 {
			all = append(all, block.Sentence{Is: block.Next, Word: Letter(i), Text: "has no figure to compare with A."})
			continue
		}
		kind := kinds[told[0].Verdict]
		var words []string
		for _, t := range told {
			words = append(words, fmt.Sprintf("%d %s", t.N, t.Verdict))
			if kind == block.Bad && kinds[t.Verdict] == block.Good {
				kind = block.Doubt // both ways: no single word fits
			}
		}
		text := strings.Join(words, ", ")
		if n := len(words); n > 1 {
			text = strings.Join(words[:n-1], ", ") + " and " + words[n-1]
		}
		all = append(all, block.Sentence{Is: kind, Word: Letter(i), Text: fmt.Sprintf("%s compared with A: %s.", countOf(len(only.Rows), "figure"), text)})
	}
	return all
}

// tally counts what a reader must not overlook.
func tally(c compare.Comparison) []block.Sentence {
	out := []block.Sentence{{Text: countOf(len(c.Rows), "figure") + " compared"}}
	add := func(n int, kind block.Kind, text string) {
		if n > 0 {
			out = append(out, block.Sentence{Is: kind, Text: fmt.Sprintf("%d %s", n, text)})
		}
	}
	for _, t := range Tally(c) {
		add(t.N, kinds[t.Verdict], string(t.Verdict))
	}
	add(len(c.Refused), block.Doubt, "refused")
	add(len(Lone(c)), block.Next, "unmatched")
	return out
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// figures shows the medians: two columns side by side, more of them below each
// other.
func figures(c compare.Comparison, counts bool) block.Table {
	t := block.Table{Grouped: true}
	if len(c.Columns) == 2 {
		t.Columns = []block.Column{{Heading: "test"}, {Heading: "A"}, {Heading: "B"}, {Heading: "B / A"}, {Heading: "verdict"}}
	} else {
		t.Columns = []block.Column{{Heading: "test"}, {}, {Heading: "median"}, {Heading: "to A"}, {Heading: "verdict"}}
	}
	for _, r := range c.Rows {
		name := block.Cell{Text: Title(r)}
		if len(c.Columns) == 2 {
			cells := append([]block.Cell{name, MedianCell(r, r.Cells[0], counts), MedianCell(r, r.Cells[1], counts)}, against(r, r.Cells[1])...)
			t.Rows = append(t.Rows, block.Row{Cells: cells})
			continue
		}
		for i, cell := range r.Cells {
			cells := append([]block.Cell{name, {Text: Letter(i)}, MedianCell(r, cell, counts)}, against(r, cell)...)
			t.Rows = append(t.Rows, block.Row{Cells: cells})
		}
	}
	return t
}

// MedianCell returns the figure of one column; counts adds what it rests on.
func MedianCell(r compare.Row, c *compare.Cell, counts bool) block.Cell {
	if c == nil {
		return block.Cell{Text: "no data"}
	}
	f := Figure(r, c)
	out := block.Figure{
		Metric: r.Metric, Unit: string(r.Unit), Better: r.Better, N: c.N, Level: c.Level,
		Value: block.Number(c.Median), Low: block.Number(c.Low), High: block.Number(c.High), Spread: report.Spread(f), Interval: report.Interval(f),
	}
	if out.Spread == "" {
		out.Spread = "± ?"
	}
	if counts {
		out.Count = RestsOn(c)
	}
	return block.Cell{Text: report.Quantity(r.Metric, c.Median), Figure: &out}
}

// RatioCell returns a ratio, or a difference, with its interval.
func RatioCell(r compare.Row, a *compare.Against) block.Cell {
	cell := block.Cell{Text: Ratio(r, a)}
	switch {
	case a == nil || a.Difference == nil && !(a.Ratio > 0):
	case a.Difference != nil:
		d := a.Difference
		cell.Figure = &block.Figure{Metric: "difference." + r.Metric, Unit: string(r.Unit), Level: d.Level, Value: block.Number(d.Center), Low: block.Number(d.Low), High: block.Number(d.High)}
	default:
		cell.Figure = &block.Figure{Metric: "ratio." + r.Metric, Level: a.Level, Value: block.Number(a.Ratio), Low: block.Number(a.Low), High: block.Number(a.High)}
	}
	return cell
}

func against(r compare.Row, c *compare.Cell) []block.Cell {
	if c == nil || c.Against == nil {
		return []block.Cell{{}, {}}
	}
	return []block.Cell{RatioCell(r, c.Against), {Text: Verdict(c), Is: kinds[c.Against.Verdict]}}
}

// ratios draws every ratio with its interval on one axis.
func ratios(c compare.Comparison) block.Intervals {
	all := block.Intervals{Title: "Ratio to A", One: 1, Margin: stats.Margin, Told: true}
	for _, r := range c.Rows {
		for i, cell := range r.Cells {
			if cell == nil || cell.Against == nil {
				continue
			}
			a := cell.Against
			one := block.Interval{Group: report.Layer(r.Metric), Title: Title(r), Word: string(a.Verdict), Is: kinds[a.Verdict], Text: Ratio(r, a)}
			if len(c.Columns) > 2 {
				one.Key = Letter(i)
			}
			if r.Better == "lower" {
				one.Under = "lower is better"
			}
			one.At, one.Low, one.High = block.Number(a.Ratio), block.Number(math.NaN()), block.Number(math.NaN())
			if a.Level > 0 {
				one.Low, one.High = block.Number(a.Low), block.Number(a.High)
			}
			all.Rows = append(all.Rows, one)
		}
	}
	return all
}

// Unlike lists what differs between the columns, under a heading; nil if
// nothing does.
func Unlike(title string, rows []compare.Row, of func(compare.Row) []compare.Difference) block.Blocks {
	var lines [][]string
	for _, d := range Differences(rows, of) {
		in := strings.Join(d.In, "; ")
		if d.All {
			in = "all"
		}
		lines = append(lines, []string{Difference(d.Difference), in})
	}
	if len(lines) == 0 {
		return nil
	}
	return block.Blocks{block.Heading{Level: 1, Text: title}, block.Texts([]string{"what", "in"}, lines)}
}
