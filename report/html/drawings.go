package html

import (
	"strings"

	"assay/internal/prose"
	"assay/report/block"
)

// plotView is the frame of a drawing.
type plotView struct {
	Title, Aside, Class, Words string
	Index                      int  // of the drawing; -1 where there is nothing to draw
	Bands                      bool // spans are drawn behind the lines
}

// drawing is the data of one plot for the script.
type drawing struct {
	Kind  string      `json:"kind"`
	X     block.Axis  `json:"x"`
	Y     block.Axis  `json:"y"`
	Lines []drawnLine `json:"lines"`
}

type drawnLine struct {
	Title  string `json:"title"`
	Unit   string `json:"unit,omitempty"`
	Points points `json:"points"`
	Low    points `json:"low,omitempty"` // the ends of the intervals of points
	High   points `json:"high,omitempty"`
	Count  int64  `json:"count,omitempty"`
	Dashed bool   `json:"dashed,omitempty"`
	Steps  bool   `json:"steps,omitempty"`
}

// drawn keeps a drawing for the script and returns its number.
func (p *painter) drawn(d any) int {
	p.drawings = append(p.drawings, d)
	return len(p.drawings) - 1
}

func (p *painter) plot(b block.Plot) {
	d := drawing{Kind: "lines", X: b.X, Y: b.Y}
	some := false
	var said []string
	for _, l := range b.Lines {
		line := drawnLine{Title: l.Title, Points: downsample(pairs(l.Points), p.points), Count: l.Count, Dashed: l.Dashed, Steps: l.Steps}
		line.Low, line.High = ends(l)
		some = some || len(line.Points) > 0
		d.Lines = append(d.Lines, line)
		said = append(said, joined(": ", l.Title, l.Words))
	}
	if some {
		words := prose.Plural(len(b.Lines), "line")
		if b.Numbers != nil {
			words += "; the table below has the numbers"
		}
		p.paint(plotView{Title: b.Title, Aside: b.Aside, Class: "latency", Words: joined(": ", b.Title, words), Index: p.drawn(d)}.markup())
	}
	if len(said) > 0 && !b.Told {
		p.paint(listMarkup("inline", said))
	}
}

// mostNumbers is the most rows of numbers shown unfolded below a plot.
const mostNumbers = 12

// numbers writes the values of a plot's lines as a table.
func (p *painter) numbers(b block.Plot) {
	if b.Numbers == nil {
		return
	}
	t := *b.Numbers
	if t.Title == "" {
		t.Title = joined(", ", b.Title, "in numbers")
	}
	if len(t.Rows) <= mostNumbers {
		p.block(t)
		return
	}
	p.block(block.Details{Summary: t.Title, Blocks: block.Blocks{t}})
}

// ends returns the ends of the intervals of a line's points.
func ends(l block.Line) (low, high points) {
	for i, between := range l.Between {
		if i < len(l.Points) && l.Points[i][0].Is() && between[0].Is() && between[1].Is() {
			x := float64(l.Points[i][0])
			low, high = append(low, [2]float64{x, float64(between[0])}), append(high, [2]float64{x, float64(between[1])})
		}
	}
	return low, high
}

// pairs returns the points that are numbers.
func pairs(all []block.Point) [][2]float64 {
	out := make([][2]float64, 0, len(all))
	for _, pt := range all {
		if pt[0].Is() && pt[1].Is() {
			out = append(out, [2]float64{float64(pt[0]), float64(pt[1])})
		}
	}
	return out
}

func joined(sep string, words ...string) string {
	var kept []string
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, sep)
}
