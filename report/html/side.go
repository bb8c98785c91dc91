package html

import (
	"fmt"
	"math"

	"assay"
	"assay/report"
)

// sideView is the hosts beside each other.
type sideView struct {
	Hosts    []string
	Tables   []sideTable
	Networks []heatMap
	Alike    []sum         // matrices whose ways are all alike
	Outliers []outlierView // those that the verdict does not name
}

type outlierView struct {
	Kind string
	Icon string
	Text string
}

type sideTable struct {
	Anchor string
	Title  string
	Rows   []sideRow
}

type sideRow struct {
	Title string
	Under string // what the figure is, and what it rests on
	// Head and Settings open the rows of one case of a table of tiers.
	Head, Settings string
	Cells          []sideCell
}

// sideCell is a figure, an absence, or nothing.
type sideCell struct {
	cell
	Host   string
	Odd    string // worse or better
	Via    string // the third host that it went through
	Absent *assay.Absence
	Shade  string // of the heat map: shade-0 to shade-5, "" for none
	Self   bool   // the diagonal
	// Of a table of tiers: what the figure is to the base, and that the two cannot
	// be told apart; or why they are not compared.
	Ratio, Reach, Verdict string
	Same                  bool
	Refused               string
}

// heatMap is one matrix, its cells shaded by their value.
type heatMap struct {
	Title string
	Count string
	Words string // what the shades mean
	Hosts []string
	Wide  bool // too many hosts to stand beside another map
	Rows  []sideRow
}

// shades is how many steps a heat map has; the palest is the least.
const shades = 6

// besideEachOther is how many hosts a heat map may have to stand beside another.
const besideEachOther = 5

func newSide(d report.Document) *sideView {
	s := d.Side
	if s == nil {
		return nil
	}
	v := &sideView{Hosts: s.Hosts}
	for i, t := range s.Tables {
		table := sideTable{Anchor: fmt.Sprintf("side-%d", i+1), Title: t.Title}
		for _, r := range t.Rows {
			count := report.CommonCount(r.Cells)
			row := sideRow{Title: r.Title, Under: joinWords(r.Label, count)}
			for j, c := range r.Cells {
				row.Cells = append(row.Cells, newSideCell(c, s.Hosts[j], count))
			}
			table.Rows = append(table.Rows, row)
		}
		v.Tables = append(v.Tables, table)
	}
	for _, m := range s.Networks {
		if alike := m.Alike(); alike != "" {
			v.Alike = append(v.Alike, sum{m.Network, m.Name(), alike})
			continue
		}
		v.Networks = append(v.Networks, newHeatMap(m))
	}
	for _, o := range d.Unsaid() {
		view := outlierView{"bad", "bad", o.Text}
		if o.Better {
			view.Kind, view.Icon = "good", "good"
		}
		v.Outliers = append(v.Outliers, view)
	}
	return v
}

func newSideCell(c report.SideCell, host, count string) sideCell {
	out := sideCell{Host: host, Odd: c.Odd, Via: c.Via, Absent: c.Absent}
	if c.Figure == nil {
		out.Empty = c.Absent == nil
		return out
	}
	out.cell = newCell(*c.Figure, count)
	out.Ceiling = ""
	if out.Spread == "" && c.Figure.N > 1 {
		out.Spread = "± ?"
	}
	return out
}

func newHeatMap(m report.Matrix) heatMap {
	h := heatMap{Title: m.Heading(), Count: report.CommonCount(m.Cells...), Hosts: m.Hosts, Wide: len(m.Hosts) > besideEachOther}
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range m.Cells {
		for _, c := range row {
			if c.Figure != nil && isFinite([2]float64{c.Figure.Value}) {
				low, high = min(low, c.Figure.Value), max(high, c.Figure.Value)
			}
		}
	}
	for i, from := range m.Hosts {
		row := sideRow{Title: from}
		for j, c := range m.Cells[i] {
			one := newSideCell(c, m.Hosts[j], h.Count)
			one.Self = i == j
			if c.Figure != nil && !c.Figure.Rejected {
				one.Shade = shade(c.Figure.Value, low, high)
			}
			row.Cells = append(row.Cells, one)
		}
		h.Rows = append(h.Rows, row)
	}
	if low <= high {
		h.Words = "The stronger the colour, the more."
		if low == high {
			h.Words = "All alike."
		}
	}
	return h
}

// shade picks a step between the least and the greatest value, as ratios go.
// The scale is never shorter than a doubling, its end at the greatest value:
// noise must not look like a difference.
func shade(v, low, high float64) string {
	if low == high {
		return "shade-2"
	}
	if !isFinite([2]float64{v, low}) || !isFinite([2]float64{high}) || high <= 0 {
		return ""
	}
	reach := math.Log2(high / math.Max(low, high/1024))
	from := high / math.Exp2(math.Max(reach, 1))
	at := math.Log2(math.Max(v, from)/from) / math.Log2(high/from)
	return fmt.Sprintf("shade-%d", min(int(at*shades), shades-1))
}
