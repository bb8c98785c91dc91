package html

import (
	"fmt"

	"assay"
	"assay/report"
)

// scalingView is one curve of totals by how many hosts, in words: its frame, its
// table and its verdict.
type scalingView struct {
	Index  int // of its plot, -1 where there is nothing to draw
	Anchor string
	Name   string
	Text   string
	Alt    string
	Rows   []scalingRow
}

type scalingRow struct {
	Hosts, Names                           string
	Total, Interval, Count, Share, Between string
	Rejected                               bool
	Absent                                 *assay.Absence
}

// plotScaling is what the script draws: totals with their intervals, and what the
// hosts would have that do not disturb each other.
type plotScaling struct {
	Unit   string `json:"unit"`
	Totals points `json:"totals"`
	Low    points `json:"low"`
	High   points `json:"high"`
	Alone  points `json:"alone"`
}

// newPlotScaling keeps what can be drawn: totals that are believed.
func newPlotScaling(s report.Scaling) plotScaling {
	p := plotScaling{Unit: string(s.Unit), Totals: points{}, Low: points{}, High: points{}, Alone: points{}}
	for _, point := range s.Points {
		f := point.Figure
		if f == nil || f.Rejected {
			continue
		}
		k := float64(point.Hosts)
		alone := point.Alone
		if point.Hosts == 1 {
			alone = f.Value
		}
		for _, one := range []struct {
			to *points
			v  float64
			is bool
		}{{&p.Totals, f.Value, true}, {&p.Low, f.Low, f.Level > 0}, {&p.High, f.High, f.Level > 0}, {&p.Alone, alone, alone > 0}} {
			if at := [2]float64{k, one.v}; one.is && isFinite(at) {
				*one.to = append(*one.to, at)
			}
		}
	}
	return p
}

func newScaling(curves []report.Scaling) (views []scalingView, plots []plotScaling) {
	plots = []plotScaling{}
	for i, s := range curves {
		v := scalingView{Index: -1, Anchor: fmt.Sprintf("scaling-%d", i+1), Name: s.Name(), Text: s.Text}
		if p := newPlotScaling(s); len(p.Totals) > 1 {
			v.Index, plots = len(plots), append(plots, p)
			v.Alt = fmt.Sprintf("total by hosts at once, %s; the table below has the numbers", plural(len(p.Totals), "point"))
		}
		for _, point := range s.Points {
			row := scalingRow{Hosts: plural(point.Hosts, "host"), Names: joinWords(point.Names...), Absent: point.Absent, Share: point.Share(), Between: point.ShareInterval()}
			if f := point.Figure; f != nil {
				row.Total, row.Interval, row.Count, row.Rejected = report.Quantity(s.Metric, f.Value), report.Interval(*f), report.Count(*f), f.Rejected
			}
			v.Rows = append(v.Rows, row)
		}
		views = append(views, v)
	}
	return views, plots
}
