package html

import (
	"strings"

	"assay/report/block"
)

// plotView is the frame of a drawing.
type plotView struct {
	Title, Aside, Class, Words string
	Index                      int
}

// drawing is what the script reads of one plot.
type drawing struct {
	Kind  string       `json:"kind"` // lines, joined, whole
	X     block.Axis   `json:"x"`
	Y     block.Axis   `json:"y"`
	Lines []drawnLine  `json:"lines"`
	Spans []block.Span `json:"spans,omitempty"`
}

type drawnLine struct {
	Title  string `json:"title"`
	Unit   string `json:"unit,omitempty"`
	Points points `json:"points"`
	Count  int64  `json:"count,omitempty"`
	Dashed bool   `json:"dashed,omitempty"`
	Steps  bool   `json:"steps,omitempty"`
}

func (p *painter) plot(b block.Plot) {
	d := drawing{Kind: "lines", X: b.X, Y: b.Y}
	var said []string
	for _, l := range b.Lines {
		d.Lines = append(d.Lines, drawnLine{Title: l.Title, Points: p.thinned(l.Points), Count: l.Count, Dashed: l.Dashed, Steps: l.Steps})
		said = append(said, joined(": ", l.Title, l.Words))
	}
	if b.Told {
		said = nil
	}
	p.draw(d, plotView{Title: b.Title, Aside: b.Aside, Class: "latency", Words: joined(": ", b.Title, plural(len(b.Lines), "line"))}, said)
}

func (p *painter) timeline(b block.Timeline) {
	d := drawing{Kind: "whole", Spans: b.Spans}
	v := plotView{Title: b.Title, Aside: b.Aside, Class: "heat"}
	if b.Joined {
		d.Kind, v.Class = "joined", "timeline"
	}
	var said []string
	for _, s := range b.Series {
		d.Lines = append(d.Lines, drawnLine{Title: s.Title, Unit: s.Unit, Points: p.thinned(s.Points)})
		said = append(said, joined(": ", s.Title, s.Range))
	}
	v.Words = joined(": ", b.Title, strings.Join(said, "; "))
	if b.Joined && v.Aside == "" {
		v.Aside, said = strings.Join(said, "; "), nil
	}
	p.draw(d, v, said)
}

// draw frames a drawing where there is a point to draw, and says in words what it
// shows.
func (p *painter) draw(d drawing, v plotView, said []string) {
	some := false
	for _, l := range d.Lines {
		some = some || len(l.Points) > 0
	}
	if some {
		v.Index = len(p.drawings)
		p.drawings = append(p.drawings, d)
		p.exec("plot", v)
	}
	if len(said) > 0 {
		p.exec("undrawn", said)
	}
}

func (p *painter) thinned(all []block.Point) points {
	var out [][2]float64
	for _, pt := range all {
		if pt[0].Is() && pt[1].Is() {
			out = append(out, [2]float64{float64(pt[0]), float64(pt[1])})
		}
	}
	return downsample(out, p.points)
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
