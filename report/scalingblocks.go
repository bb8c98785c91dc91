package report

import (
	"math"
	"slices"
	"strconv"

	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
)

// scalingNote explains the section.
const scalingNote = "The total of all hosts measuring at the same time, and its share of what the same hosts reach one at a time."

// scalingBlocks shows how the total of several hosts grows.
func scalingBlocks(curves []Scaling) block.Blocks {
	if len(curves) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Several hosts at once"}, block.Sentence{Text: scalingNote, Quiet: true}}
	for _, s := range curves {
		if plot := curvePlot(s); len(plot.Lines) > 0 {
			all = append(all, plot)
		}
	}
	var tables block.Blocks
	for _, s := range curves {
		kind := block.Note
		if s.Saturated > 0 {
			kind = block.Limit
		}
		all = append(all, curveBars(s), block.Sentence{Is: kind, Text: s.Text + "."})
		if len(s.Rows) > 1 { // the bars have the first
			tables = append(tables, clientTable(s))
		}
	}
	if len(tables) > 0 {
		all = append(all, block.Details{Summary: "All figures by number of hosts", Blocks: tables})
	}
	return all
}

// clientTable shows every figure of a curve, with a column for each number of
// hosts.
func clientTable(s Scaling) block.Table {
	t := block.Table{Title: s.Tier + ": " + s.Title, Columns: []block.Column{{Heading: "hosts at once"}}}
	for _, p := range s.Points {
		t.Columns = append(t.Columns, block.Column{Heading: strconv.Itoa(p.Hosts), Right: true})
	}
	for _, r := range s.Rows {
		row := block.Row{Cells: []block.Cell{{Text: r.Title}}}
		for _, p := range s.Points {
			row.Cells = append(row.Cells, clientCell(r, p.Hosts))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// clientCell returns the value of a row for that many hosts, if it has one.
func clientCell(r analysis.ClientRow, hosts int) block.Cell {
	i := slices.IndexFunc(r.Values, func(v analysis.ClientValue) bool { return v.Hosts == hosts })
	if i < 0 {
		return block.Cell{}
	}
	v := block.Number(r.Values[i].Value)
	text := quantity.Figure(r.Values[i].Value)
	if r.Metric != "" {
		text = quantity.Of(r.Metric, r.Values[i].Value)
	}
	return block.Cell{Text: text, Figure: &block.Figure{Metric: r.Metric, Unit: string(r.Unit), Value: v, Low: v, High: v}}
}

// curveBars returns the totals of one curve, from zero to the greatest that is believed,
// or of all if none is.
func curveBars(s Scaling) block.Bars {
	out := block.Bars{}
	most, believed := 0., 0.
	for _, p := range s.Points {
		if f := p.Figure; f != nil {
			most = max(most, f.Value)
			if !f.Rejected {
				believed = max(believed, f.Value)
			}
		}
	}
	if believed > 0 {
		most = believed
	}
	for _, p := range s.Points {
		bar := block.Bar{Group: curveName(s), Title: prose.Plural(p.Hosts, "host"), Absent: absentOf(p.Absent), Aside: joinWords(" ", shareOfAlone(p), shareInterval(p))}
		if p.Figure != nil {
			bar.Cell = figureCell("", *p.Figure)
			if most > 0 {
				bar.Share, bar.Beyond = block.Number(min(p.Figure.Value/most, 1)), p.Figure.Value > most
				if p.Figure.Level > 0 {
					bar.Low, bar.High = block.Number(p.Figure.Low/most), block.Number(p.Figure.High/most)
				}
			}
		}
		out.Bars = append(out.Bars, bar)
	}
	return out
}

// curvePlot draws the totals that are believed, and those that hosts would reach
// without disturbing each other. One point is not a curve.
func curvePlot(s Scaling) block.Plot {
	nan := block.Number(math.NaN())
	together, alone := block.Line{Title: "all together"}, block.Line{Title: "one at a time", Dashed: true}
	known := false
	for _, p := range s.Points {
		f := p.Figure
		if f == nil || f.Rejected {
			continue
		}
		hosts := block.Number(p.Hosts)
		between := block.Point{nan, nan}
		if f.Level > 0 {
			between, known = block.Point{block.Number(f.Low), block.Number(f.High)}, true
		}
		together.Points, together.Between = append(together.Points, block.Point{hosts, block.Number(f.Value)}), append(together.Between, between)
		switch {
		case p.Hosts == 1:
			alone.Points = append(alone.Points, block.Point{hosts, block.Number(f.Value)})
		case p.Alone > 0:
			alone.Points = append(alone.Points, block.Point{hosts, block.Number(p.Alone)})
		}
	}
	if !known {
		together.Between = nil
	}
	plot := block.Plot{Title: curveName(s), X: block.Axis{Name: "hosts at once", Scale: block.Counts}, Y: block.Axis{Unit: string(s.Unit)}, Told: true}
	if len(together.Points) > 1 {
		plot.Lines = append(plot.Lines, together)
		if len(alone.Points) > 1 {
			plot.Lines = append(plot.Lines, alone)
		}
	}
	return plot
}
