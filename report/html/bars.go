package html

import (
	"math"
	"strconv"

	"assay/report/block"
)

type barsView struct {
	Title  string
	Mark   string      // where the line is; "" where there is none
	Ticks  []shareTick // of the axis, where there is a line
	Groups []barGroup
}

type barGroup struct {
	Title string
	Bars  []barView
}

type barView struct {
	block.Bar
	Cell     cellView
	Start    string // where it begins
	Width    string
	Interval []string
	Words    string
	Cut      bool // longer than the picture
	Rejected bool
}

// shareTick is a tick of an axis, at a percentage of the picture's width.
type shareTick struct {
	At   string
	Text string
}

const (
	// beyondMark is how far the picture extends past the line, or past the longest
	// bar that is believed.
	beyondMark = 1.08
	// longest is where the picture ends, so that one impossible figure does not
	// flatten all others.
	longest = 3
	// leastBar is the shortest visible bar: something is never drawn as
	// nothing.
	leastBar = .004
)

func (p *painter) bars(b block.Bars) barsView {
	v := barsView{Title: b.Title}
	end := math.Max(b.Mark*beyondMark, 1e-9)
	for _, one := range b.Bars {
		if one.Beyond {
			end = math.Max(end, beyondMark)
		}
		if one.Share.Is() {
			end = math.Max(end, float64(one.Share)+math.Max(float64(one.From), 0))
		}
	}
	end = math.Min(end, longest*math.Max(b.Mark, 1))
	place := func(n block.Number) string {
		if !n.Is() {
			return "0%"
		}
		return percent(math.Min(math.Max(float64(n)/end, 0), 1))
	}
	if b.Mark > 0 {
		v.Mark = place(block.Number(b.Mark))
		v.Ticks = shareTicks(end/b.Mark, func(share float64) string { return place(block.Number(share * b.Mark)) })
	}
	for _, one := range b.Bars {
		if len(v.Groups) == 0 || v.Groups[len(v.Groups)-1].Title != one.Group {
			v.Groups = append(v.Groups, barGroup{Title: one.Group})
		}
		view := barView{Bar: one, Cell: p.cell(one.Cell), Width: place(one.Share), Cut: float64(one.Share) > end}
		if s := float64(one.Share) / end; s > 0 && s < leastBar {
			view.Width = percent(leastBar)
		}
		if one.From > 0 {
			view.Start = place(one.From)
		}
		if one.Beyond {
			view.Width = percent(1)
		}
		view.Rejected, view.Cell.Brief = view.Cell.Rejected, b.Told
		view.Words = one.Title + ": " + one.Cell.Text
		if view.Rejected {
			view.Words += ", rejected"
		}
		if one.High > one.Low {
			view.Interval = []string{place(one.Low), place(one.High)}
		}
		g := &v.Groups[len(v.Groups)-1]
		g.Bars = append(g.Bars, view)
	}
	return v
}

// shareTicks returns the ticks of an axis of shares that ends at end times the
// line.
func shareTicks(end float64, place func(share float64) string) []shareTick {
	var all []shareTick
	for _, share := range []float64{0, .25, .5, .75, 1, 2, 3} {
		// Beyond 150 % the quarters crowd each other.
		if share > end || end > 1.5 && (share == .25 || share == .75) {
			continue
		}
		all = append(all, shareTick{place(share), strconv.FormatFloat(100*share, 'f', 0, 64) + " %"})
	}
	return all
}
