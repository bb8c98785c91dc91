package html

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strconv"

	"assay"
	"assay/report"
)

// points are written with five significant digits: a plot shows no more.
type points [][2]float64

func (ps points) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 20*len(ps)+2), '[')
	for i, p := range ps {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		// A time keeps its milliseconds also in a run of hours.
		out = strconv.AppendFloat(out, math.Round(p[0]*1e5)/1e5, 'f', -1, 64)
		out = append(out, ',')
		out = strconv.AppendFloat(out, p[1], 'g', 5, 64)
		out = append(out, ']')
	}
	return append(out, ']'), nil
}

// plotData is what the script reads.
type plotData struct {
	Latency  []plotCurve    `json:"latency"`
	Timeline []plotTimeline `json:"timeline"`
	Heat     plotHeat       `json:"heat"`
	Scaling  []plotScaling  `json:"scaling,omitempty"`
}

type plotCurve struct {
	Title  string `json:"title"`
	Count  int64  `json:"count"`
	Points points `json:"points"`
}

type plotTimeline struct {
	Title    string    `json:"title"`
	Unit     string    `json:"unit"`
	Segments []segment `json:"segments"`
}

type plotHeat struct {
	Temps []plotLine `json:"temps"`
	Clock *plotLine  `json:"clock,omitempty"`
	Load  *plotLine  `json:"load,omitempty"`
	Spans []plotSpan `json:"spans"`
}

type plotLine struct {
	Title  string `json:"title"`
	Points points `json:"points"`
}

type plotSpan struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Title  string  `json:"title"`
	Warmup bool    `json:"warmup,omitempty"`
}

// Empty says whether there is nothing to draw.
func (h plotHeat) Empty() bool { return len(h.Temps) == 0 && h.Clock == nil && h.Load == nil }

// newPlotData keeps what can be drawn: a line needs two points.
func newPlotData(p report.Plots) plotData {
	data := plotData{Latency: []plotCurve{}, Timeline: []plotTimeline{}, Heat: plotHeat{Temps: []plotLine{}, Spans: []plotSpan{}}}
	for _, c := range p.Latency {
		if drawn := finite(c.Points); len(drawn) > 1 {
			data.Latency = append(data.Latency, plotCurve{c.Title, c.Count, drawn})
		}
	}
	most := pointsEach(len(p.Timeline))
	for _, s := range p.Timeline {
		if len(finite(s.Points)) > 1 {
			data.Timeline = append(data.Timeline, plotTimeline{s.Title, string(s.Unit), segments(s, most)})
		}
	}
	most = pointsEach(len(p.Heat.Temps) + 2)
	for _, s := range p.Heat.Temps {
		if l := newPlotLine(&s, most); l != nil {
			data.Heat.Temps = append(data.Heat.Temps, *l)
		}
	}
	data.Heat.Clock = newPlotLine(p.Heat.Clock, most)
	data.Heat.Load = newPlotLine(p.Heat.Load, most)
	for _, s := range p.Heat.Spans {
		if isFinite([2]float64{s.From, s.To}) {
			data.Heat.Spans = append(data.Heat.Spans, plotSpan(s))
		}
	}
	return data
}

func newPlotLine(s *report.Series, most int) *plotLine {
	if s == nil || len(finite(s.Points)) < 2 {
		return nil
	}
	return &plotLine{s.Title, downsample(s.Points, most)}
}

// script is the data as JSON that may stand inside a script element:
// encoding/json escapes <, > and &, so that no name can end the element.
func (d plotData) script() (template.JS, error) {
	text, err := json.Marshal(d)
	return template.JS(text), err //nolint:gosec // encoding/json has escaped what could end the element
}

// curveRow is one curve in words: the plot's table.
type curveRow struct {
	Title string
	Count string
	Cells []string
}

var shownPercentiles = []float64{50, 90, 99, 99.9, 99.99, 100}

// curveRows gives the percentiles that a curve really has; none is made up
// between two others.
func curveRows(curves []report.Curve) []curveRow {
	var rows []curveRow
	for _, c := range curves {
		row := curveRow{Title: c.Title, Count: report.Amount(float64(c.Count), assay.One)}
		for _, p := range shownPercentiles {
			cell := ""
			for _, q := range finite(c.Points) {
				if math.Abs(q[0]-p) < 1e-9 {
					cell = report.Amount(q[1], assay.Seconds)
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// timelineView is the frame of one timeline.
type timelineView struct {
	Index   int
	Title   string
	Summary string
}

func timelineViews(series []plotTimeline) []timelineView {
	var out []timelineView
	for i, s := range series {
		out = append(out, timelineView{Index: i, Title: s.Title, Summary: summarise(s)})
	}
	return out
}

// summarise says in words what a timeline shows.
func summarise(s plotTimeline) string {
	counted, warm := 0, 0
	low, high := math.Inf(1), math.Inf(-1)
	for _, seg := range s.Segments {
		if seg.Warmup {
			warm++
			continue
		}
		counted++
		for _, p := range seg.Points {
			low, high = math.Min(low, p[1]), math.Max(high, p[1])
		}
	}
	text := plural(counted, "repeat")
	if warm > 0 {
		text += " after " + plural(warm, "warm-up")
	}
	if counted == 0 {
		return text
	}
	unit := assay.Unit(s.Unit)
	return fmt.Sprintf("%s; samples from %s to %s", text, report.Amount(low, unit), report.Amount(high, unit))
}

// heatWords says in words what the heat plot shows.
func heatWords(h plotHeat) []string {
	var out []string
	for _, t := range h.Temps {
		low, high := extent(t.Points)
		out = append(out, t.Title+" "+between(low, high, assay.Celsius))
	}
	if h.Clock != nil {
		low, high := extent(h.Clock.Points)
		out = append(out, "clock "+between(low, high, assay.Hertz))
	}
	if h.Load != nil {
		low, high := extent(h.Load.Points)
		out = append(out, fmt.Sprintf("load %.0f %% to %.0f %%", 100*low, 100*high))
	}
	return out
}

// between says one value where both ends print alike.
func between(low, high float64, u assay.Unit) string {
	a, b := report.Amount(low, u), report.Amount(high, u)
	if a == b {
		return a
	}
	return a + " to " + b
}

func extent(ps points) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range ps {
		low, high = math.Min(low, p[1]), math.Max(high, p[1])
	}
	return low, high
}
