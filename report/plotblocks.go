package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
)

// timelinesAtOnce is how many timelines are shown before the rest is folded
// away.
const timelinesAtOnce = 12

// sectionPlots shows the trials of a section over time, and their latencies.
func sectionPlots(s Section, plots Plots) block.Blocks {
	mine := func(trial string) bool {
		return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Trial == trial })
	}
	var all block.Blocks
	over := block.Timeline{Title: sectionName(s) + " over time", Aside: "warm-up included", Joined: true}
	for _, one := range plots.Timeline {
		if len(one.Points) > 1 && mine(one.Trial) {
			series := seriesOf(one)
			series.Spans, series.Aside = spansOf(one.Spans), repeatsOf(one.Spans)
			over.Series = append(over.Series, series)
		}
	}
	if len(over.Series) > 0 {
		rest := over
		over.Series, rest.Series = over.Series[:min(timelinesAtOnce, len(over.Series))], over.Series[min(timelinesAtOnce, len(over.Series)):]
		all = append(all, over)
		if n := len(rest.Series); n > 0 {
			rest.Title = ""
			all = append(all, block.Details{Summary: fmt.Sprintf("%d more", n), Brief: fmt.Sprintf("%d more: --format html draws them.", n), Blocks: block.Blocks{rest}})
		}
	}
	var curves []Curve
	for _, c := range plots.Latency {
		if mine(c.Trial) {
			curves = append(curves, c)
		}
	}
	if len(curves) > 0 {
		all = append(all, latencyPlot(curves))
	}
	return all
}

// repeatsOf counts the repeats that a series was measured in.
func repeatsOf(spans []Span) string {
	counted, warm := 0, 0
	for _, s := range spans {
		if s.Warmup {
			warm++
		} else {
			counted++
		}
	}
	switch {
	case len(spans) == 0:
		return ""
	case warm == 0:
		return prose.Plural(counted, "repeat")
	}
	return prose.Plural(counted, "repeat") + " after " + prose.Plural(warm, "warm-up")
}

// toldPercentiles are the percentiles of a latency curve that are also given as
// numbers.
var toldPercentiles = []float64{50, 90, 99, 99.9, 99.99, 99.999, 100}

// latencyPlot draws latency by percentile over all counted repeats of a trial.
func latencyPlot(curves []Curve) block.Plot {
	plot := block.Plot{
		Title: "Latency by percentile", Aside: "each step to the right is ten times rarer; all counted repeats together",
		X: block.Axis{Name: "percentile (%)", Scale: block.Nines}, Y: block.Axis{Unit: string(assay.Seconds), Scale: block.Log}, Told: true,
	}
	headings := []string{"test"}
	told := slices.DeleteFunc(slices.Clone(toldPercentiles), func(p float64) bool {
		return !slices.ContainsFunc(curves, func(c Curve) bool { return c.at(p) != "" })
	})
	for _, p := range told {
		if p == 100 {
			headings = append(headings, "max")
		} else {
			headings = append(headings, "p"+strconv.FormatFloat(p, 'f', -1, 64))
		}
	}
	var rows [][]string
	for _, c := range curves {
		plot.Lines = append(plot.Lines, block.Line{Title: c.Title, Points: pointsOf(c.Points), Count: c.Count})
		row := []string{c.Title}
		for _, p := range told {
			row = append(row, c.at(p))
		}
		rows = append(rows, append(row, quantity.Amount(float64(c.Count), assay.One)))
	}
	numbers := block.Texts(append(headings, "operations"), rows)
	for i := range numbers.Columns[1:] {
		numbers.Columns[i+1].Right = true
	}
	plot.Numbers = &numbers
	return plot
}

// at returns the latency at a percentile that the curve has: it does not
// interpolate.
func (c Curve) at(percentile float64) string {
	for _, p := range c.Points {
		if math.Abs(p[0]-percentile) < 1e-9 && !math.IsNaN(p[1]) && !math.IsInf(p[1], 0) {
			return quantity.Amount(p[1], assay.Seconds)
		}
	}
	return ""
}

// heatBlocks shows what the watch recorded throughout the run.
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
	return block.Blocks{block.Heading{Level: 1, Text: "During the run"}, t}
}

func seriesOf(s Series) block.Series {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		if !math.IsNaN(p[1]) && !math.IsInf(p[1], 0) {
			low, high = min(low, p[1]), max(high, p[1])
		}
	}
	between := overTime(low, s.Unit)
	if end := overTime(high, s.Unit); end != between {
		between += " to " + end
	}
	return block.Series{Title: s.Title, Unit: string(s.Unit), Points: pointsOf(s.Points), Range: between}
}

func spansOf(spans []Span) []block.Span {
	var all []block.Span
	for _, s := range spans {
		all = append(all, block.Span{From: block.Number(s.From), To: block.Number(s.To), Title: s.Title, Warmup: s.Warmup})
	}
	return all
}

func pointsOf(points [][2]float64) []block.Point {
	all := make([]block.Point, len(points))
	for i, p := range points {
		all[i] = block.Point{block.Number(p[0]), block.Number(p[1])}
	}
	return all
}

// overTime formats a value over time; a number of unit 1 between 0 and 1 is a
// share.
func overTime(v float64, u assay.Unit) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "unknown"
	case u == assay.One && v >= 0 && v <= 1:
		return percent(v)
	}
	return quantity.Amount(v, u)
}

// percent formats a share.
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
