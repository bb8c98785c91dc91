package report

import (
	"math"
	"slices"
	"strconv"

	"assay"
	"assay/internal/quantity"
	"assay/report/block"
)

// sectionPlots are what the trials of a section did over time, and their latencies.
func sectionPlots(s Section, plots Plots) block.Blocks {
	mine := func(trial string) bool {
		return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Trial == trial })
	}
	var all block.Blocks
	over := block.Timeline{Title: sectionName(s) + " over time", Aside: "warm-up included", Joined: true}
	for _, one := range plots.Timeline {
		if len(one.Points) > 1 && mine(one.Trial) {
			over.Series = append(over.Series, seriesOf(one))
			over.Spans = append(over.Spans, spansOf(one.Spans)...)
		}
	}
	if len(over.Series) > 0 {
		all = append(all, over)
	}
	latency := block.Plot{Title: "Latency by percentile", X: block.Axis{Name: "percentile", Scale: block.Nines}, Y: block.Axis{Unit: string(assay.Seconds), Scale: block.Log}, Told: true}
	for _, c := range plots.Latency {
		if mine(c.Trial) {
			latency.Lines = append(latency.Lines, block.Line{Title: c.Title, Points: pointsOf(c.Points), Count: c.Count})
		}
	}
	if len(latency.Lines) > 0 {
		all = append(all, latency)
	}
	return all
}

// heatBlocks are what the watch saw all through the run.
func heatBlocks(h Heat) block.Blocks {
	t := block.Timeline{Title: "Temperature, clock and load", Spans: spansOf(h.Spans)}
	add := func(s *Series) {
		if s != nil && len(s.Points) > 1 {
			t.Series = append(t.Series, seriesOf(*s))
		}
	}
	for _, s := range h.Temps {
		add(&s)
	}
	add(h.Clock)
	add(h.Load)
	if len(t.Series) == 0 {
		return nil
	}
	return block.Blocks{block.Heading{Level: 1, Text: "Through the run"}, block.Sentence{Text: "Each line from its lowest to its highest.", Quiet: true}, t}
}

func seriesOf(s Series) block.Series {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		low, high = math.Min(low, p[1]), math.Max(high, p[1])
	}
	return block.Series{Title: s.Title, Unit: string(s.Unit), Points: pointsOf(s.Points), Range: overTime(low, s.Unit) + " to " + overTime(high, s.Unit)}
}

func spansOf(spans []Span) []block.Span {
	var all []block.Span
	for _, s := range spans {
		all = append(all, block.Span{From: block.Number(s.From), To: block.Number(s.To), Title: s.Title, Warmup: s.Warmup})
	}
	return all
}

func pointsOf(points [][2]float64) []block.Point {
	var all []block.Point
	for _, p := range points {
		all = append(all, block.Point{block.Number(p[0]), block.Number(p[1])})
	}
	return all
}

// overTime prints a value over time; a number of unit 1 between 0 and 1 is a share.
func overTime(v float64, u assay.Unit) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "unknown"
	case u == assay.One && v >= 0 && v <= 1:
		return percent(v)
	}
	return quantity.Amount(v, u)
}

// percent prints a share.
func percent(share float64) string {
	digits := 0
	switch a := math.Abs(share); {
	case math.IsNaN(share) || math.IsInf(share, 0):
		return "unknown"
	case a > 0 && a < .1:
		digits = 1
	case a >= 1e4: // nonsense is printed short
		return strconv.FormatFloat(100*share, 'g', 3, 64) + " %"
	}
	return strconv.FormatFloat(100*share, 'f', digits, 64) + " %"
}
