package versus

import (
	"math"
	"slices"

	"assay"
	"assay/compare"
	"assay/internal/quantity"
	"assay/report"
	"assay/report/block"
	"assay/stats"
)

// percentiles are the columns of the latency tables.
var percentiles = []float64{50, 90, 99, 99.9, 99.99}

// latencies draws the latencies of a trial in each column, and lists
// percentiles.
func latencies(c compare.Comparison, curves []compare.Curve) block.Blocks {
	if curves == nil {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Latency"}}
	if len(curves) == 0 {
		return append(all, block.Sentence{Text: "No two columns have latency histograms of the same trial."})
	}
	all = append(all,
		block.Sentence{Quiet: true, Text: "All counted repeats of a column combined. Percentiles with fewer than ten operations beyond them are left out."},
	)
	t := block.Table{Grouped: true, Columns: []block.Column{
		{Heading: "trial"}, {}, {Heading: "p50"}, {Heading: "p90"}, {Heading: "p99"}, {Heading: "p99.9"}, {Heading: "p99.99"}, {Heading: "operations"},
	}}
	for _, curve := range curves {
		title := curveTitle(c.Rows[curve.Row], curve)
		nines := block.Plot{Title: title, Aside: "by percentile: each step to the right is ten times rarer", Told: true,
			X: block.Axis{Name: "percentile (%)", Scale: block.Nines}, Y: block.Axis{Unit: "s", Scale: block.Log}}
		shares := block.Plot{Title: title, Aside: "share of operations completed within this time", Told: true,
			X: block.Axis{Unit: "s", Scale: block.Log}, Y: block.Axis{Unit: "%"}}
		for i, h := range curve.Of {
			if h == nil {
				continue
			}
			if steps := thin(h.Steps()); len(steps) > 1 {
				up, along := block.Line{Title: Letter(i), Count: h.Count()}, block.Line{Title: Letter(i)}
				for _, s := range steps {
					up.Points = append(up.Points, block.Point{block.Number(s[0]), block.Number(s[1])})
					along.Points = append(along.Points, block.Point{block.Number(s[1]), block.Number(s[0])})
				}
				nines.Lines, shares.Lines = append(nines.Lines, up), append(shares.Lines, along)
			}
			row := []block.Cell{{Text: title}, {Text: Letter(i)}}
			for _, percentile := range percentiles {
				cell := block.Cell{}
				if seconds, ok := h.Percentile(percentile); ok {
					cell = block.Cell{Text: report.Amount(seconds, assay.Seconds), Figure: &block.Figure{Unit: "s", Value: block.Number(seconds), Low: block.Number(seconds), High: block.Number(seconds)}}
				}
				row = append(row, cell)
			}
			t.Rows = append(t.Rows, block.Row{Cells: append(row, block.Cell{Text: "n=" + report.Amount(float64(h.Count()), assay.One)})})
		}
		if len(nines.Lines) > 0 {
			all = append(all, nines, shares)
		}
	}
	return append(all, t)
}

// curveTitle names a trial, with the direction unless the title has it.
func curveTitle(r compare.Row, c compare.Curve) string {
	r.Metric = "storage." + c.Direction + ".iops"
	return Title(r)
}

// Steps closer together than this are one point on a screen: in nines of the
// percentile, in decades of the latency.
const (
	nearNines   = .012
	nearDecades = .006
)

// thin keeps the first and the last of rising steps, and those that a screen can
// tell apart.
func thin(steps [][2]float64) [][2]float64 {
	var kept [][2]float64
	for i, s := range steps {
		if i > 0 && i < len(steps)-1 {
			last := kept[len(kept)-1]
			if nines(s[0])-nines(last[0]) < nearNines && math.Log10(s[1]/last[1]) < nearDecades {
				continue
			}
		}
		kept = append(kept, s)
	}
	return kept
}

// nines returns the position of a percentile on its axis: 90 is 1, 99 is 2.
func nines(percent float64) float64 { return -math.Log10(1 - percent/100) }

// spreads draws the distribution of each figure's repeats, if the base and
// another column have enough of them.
func spreads(c compare.Comparison) block.Blocks {
	var plots block.Blocks
	for _, r := range c.Rows {
		if p, enough := spreadOf(r); enough {
			plots = append(plots, p)
		}
	}
	if len(plots) == 0 {
		return nil
	}
	all := block.Blocks{
		block.Details{Summary: "Repeats: how they are distributed", Open: true, Brief: "How the repeats are distributed is drawn on the page that --format html gives.", Blocks: append(block.Blocks{block.Sentence{Quiet: true,
			Text: "Share of a column's repeats at or below each value: curves that do not overlap differ, steep curves vary little."}}, plots...)},
	}
	return all
}

func spreadOf(r compare.Row) (p block.Plot, enough bool) {
	unit, scale := quantity.Axis(r.Metric, r.Unit)
	p = block.Plot{Title: Title(r), Told: true, X: block.Axis{Unit: unit}, Y: block.Axis{Unit: "%"}}
	base := false
	for i, cell := range r.Cells {
		if cell == nil || len(cell.Values) < stats.LeastForInterval {
			continue
		}
		base = base || i == 0
		line := block.Line{Title: Letter(i), Steps: true}
		for j, v := range slices.Sorted(slices.Values(cell.Values)) {
			line.Points = append(line.Points, block.Point{block.Number(scale * v), block.Number(100 * float64(j+1) / float64(len(cell.Values)))})
		}
		p.Lines = append(p.Lines, line)
	}
	return p, base && len(p.Lines) > 1
}
