package html

import (
	"math"
	"strings"

	"assay/report/block"
)

// joinedDrawing is one quantity whose spans are drawn end to end.
type joinedDrawing struct {
	Kind     string    `json:"kind"`
	Unit     string    `json:"unit"`
	Segments []segment `json:"segments"`
}

// segment is one repeat of a series.
type segment struct {
	Title  string  `json:"title"`
	Warmup bool    `json:"warmup"`
	From   float64 `json:"from"` // s since the run began
	To     float64 `json:"to"`
	Points points  `json:"points"`
}

// wholeDrawing is several quantities over the whole run.
type wholeDrawing struct {
	Kind  string       `json:"kind"`
	Lines []drawnLine  `json:"lines"`
	Spans []block.Span `json:"spans,omitempty"`
}

// timelinesView is series under one heading, each in its own frame.
type timelinesView struct {
	Title, Aside string
	Warmups      bool // there are some, and their drawing needs explaining
	Frames       []plotView
}

func (p *painter) timeline(b block.Timeline) {
	if b.Joined {
		p.joined(b)
	} else {
		p.whole(b)
	}
}

func (p *painter) joined(b block.Timeline) {
	v := timelinesView{Title: b.Title, Aside: b.Aside}
	for _, s := range b.Series {
		spans := s.Spans
		if spans == nil {
			spans = b.Spans
		}
		frame := plotView{Title: s.Title, Aside: joined("; ", s.Aside, s.Range), Class: "timeline", Index: -1}
		if frame.Title == "" {
			frame.Title, v.Title, v.Aside = b.Title, "", ""
			frame.Aside = joined("; ", b.Aside, frame.Aside)
		}
		frame.Words = joined(": ", frame.Title+" over time", frame.Aside)
		if cut := segments(pairs(s.Points), spans, p.points); len(cut) > 0 {
			frame.Index = p.drawn(joinedDrawing{"joined", s.Unit, cut})
			for _, one := range cut {
				v.Warmups = v.Warmups || one.Warmup && !p.explained
			}
		}
		v.Frames = append(v.Frames, frame)
	}
	p.explained = p.explained || v.Warmups
	if len(v.Frames) > 0 {
		p.paint(v.markup())
	}
}

func (p *painter) whole(b block.Timeline) {
	d := wholeDrawing{Kind: "whole"}
	for _, s := range b.Spans {
		if s.From.Is() && s.To.Is() {
			d.Spans = append(d.Spans, s)
		}
	}
	some := false
	var said []string
	for _, s := range b.Series {
		line := drawnLine{Title: s.Title, Unit: s.Unit, Points: downsample(pairs(s.Points), p.points)}
		some = some || len(line.Points) > 0
		d.Lines = append(d.Lines, line)
		said = append(said, joined(": ", s.Title, s.Range))
	}
	if some {
		p.paint(plotView{
			Title: b.Title, Aside: b.Aside, Class: "heat", Words: joined(": ", b.Title, strings.Join(said, "; ")),
			Index: p.drawn(d), Bands: len(d.Spans) > 0,
		}.markup())
	}
	if len(said) > 0 {
		p.paint(listMarkup("inline", said))
	}
}

// segments assigns each point to the span it was measured in: the latest that had
// begun. A tool's last sample may lie slightly after its repeat, and extends it.
// Without spans, all points are one segment. Points that are not numbers are
// dropped.
func segments(all [][2]float64, spans []block.Span, most int) []segment {
	points := finite(all)
	if len(points) == 0 {
		return nil
	}
	if len(spans) == 0 {
		return []segment{{From: points[0][0], To: points[len(points)-1][0], Points: downsample(points, most)}}
	}
	total := len(points)
	var out []segment
	for i, span := range spans {
		var own [][2]float64
		for len(points) > 0 && (i+1 == len(spans) || points[0][0] < float64(spans[i+1].From)) {
			own, points = append(own, points[0]), points[1:]
		}
		if len(own) == 0 {
			continue
		}
		one := segment{Title: span.Title, Warmup: span.Warmup, From: own[0][0], To: own[len(own)-1][0], Points: own}
		if span.From.Is() {
			one.From = math.Min(float64(span.From), one.From)
		}
		if span.To.Is() {
			one.To = math.Max(float64(span.To), one.To)
		}
		out = append(out, one)
	}
	for i := range out {
		share := float64(len(out[i].Points)) / float64(total)
		out[i].Points = downsample(out[i].Points, max(int(share*float64(most)), 4))
	}
	return out
}
