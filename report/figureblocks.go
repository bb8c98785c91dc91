package report

import (
	"strings"

	"assay"
	"assay/internal/quantity"
	"assay/report/block"
)

// blockFigure returns a figure in base units, with what it rests on.
func blockFigure(host string, f Figure) *block.Figure {
	out := block.Figure{
		Host: host, Metric: f.Metric, Unit: string(f.Unit), Better: f.Better, Rejected: f.Rejected,
		Value: block.Number(f.Value), Low: block.Number(f.Low), High: block.Number(f.High), Level: f.Level,
		N: f.N, Repeats: block.Numbers(f.Repeats), Spread: Spread(f), Interval: Interval(f),
	}
	if !out.Value.Is() || !(out.High - out.Low).Is() { // a value that is no number has no spread
		out.Spread, out.Interval = "", ""
	} else if out.Spread == "" && unsure(f) {
		out.Spread = "± ?"
	}
	return &out
}

// unsure reports whether there are repeats, but too few for an interval.
func unsure(f Figure) bool { return f.N > 1 && f.Level == 0 }

// figureCell returns a figure with its unit.
func figureCell(host string, f Figure) block.Cell {
	text := quantity.Of(f.Metric, f.Value)
	if f.TooHot {
		text = "too hot"
	}
	return block.Cell{Text: text, Figure: blockFigure(host, f), Notes: f.Footnotes}
}

// shortCell returns a figure without its unit, which the row names.
func shortCell(host string, f Figure) block.Cell {
	c := figureCell(host, f)
	c.Text, _ = quantity.Short(f.Metric, f.Value)
	if c.Figure.Interval != "" {
		low, _ := quantity.Short(f.Metric, f.Low)
		high, _ := quantity.Short(f.Metric, f.High)
		c.Figure.Interval = "[" + low + ", " + high + "]"
	}
	return c
}

func absentOf(a *assay.Absence) *block.Absent {
	if a == nil {
		return nil
	}
	return &block.Absent{Word: string(a.Word), Why: a.Why, Hint: a.Hint}
}

// basis returns one note on what figures rest on: "Median of the repeats with
// its 95 % interval; ± ? is too few repeats for one"; "" without figures.
func basis(figures []Figure, count string) string {
	if len(figures) == 0 {
		return ""
	}
	several, unknown, level := false, false, 0.
	for _, f := range figures {
		several, unknown, level = several || f.N > 1, unknown || unsure(f), max(level, f.Level)
	}
	words := "Single readings, so without a spread"
	if several {
		words = "Median of the repeats"
	}
	if count != "" {
		words += ", " + count
	}
	if level > 0 {
		words += ", with its " + percent(level) + " interval"
	}
	if unknown {
		words += "; ± ? is too few repeats for one"
	}
	return words
}

// joinWords joins the non-empty words with sep.
func joinWords(sep string, words ...string) string { return strings.Join(filled(words...), sep) }
