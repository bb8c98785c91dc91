package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"assay/compare"
	"assay/report/versus"
	"assay/stats"
)

// look is how a verdict is shown: never by its colour alone.
type look struct {
	Kind  string // of colour, a class of the style sheet
	Shape string // of the mark: up, down, same, open or other
}

func lookOf(v compare.Verdict) look {
	switch v {
	case compare.Faster, compare.IsBetter:
		return look{"good", "up"}
	case compare.Slower, compare.IsWorse:
		return look{"bad", "down"}
	case compare.Equivalent:
		return look{"limit", "same"}
	case compare.IsHigher, compare.IsLower:
		return look{"doubt", "other"}
	}
	return look{"next", "open"}
}

// forest is every ratio with its interval on one logarithmic axis. All places are
// in percent of the picture's width.
type forest struct {
	Ticks  []shareTick
	Band   span // of what is equivalent
	One    string
	Groups []forestGroup
	Many   bool // several columns are held against the base
}

type span struct{ At, Width string }

type forestGroup struct {
	Title string
	Rows  []forestRow
}

type forestRow struct {
	Title string
	Under string // which way is better
	Marks []forestMark
}

// forestMark is one column's ratio to the base.
type forestMark struct {
	key
	look
	Drawn    bool   // there is a ratio
	At       string // of the mark
	Interval *forestInterval
	Ratio    string
	Verdict  string
}

type forestInterval struct {
	Low, High       string
	Less, More      bool // it reaches beyond the picture
	LowEnd, HighEnd bool // it ends inside
}

// Where the picture ends at the least and at the most: a ratio of a thousand must
// not press all others into one pixel, and noise must look small.
const (
	leastReach = 1.12
	mostReach  = 32
)

// axisOf is the logarithmic axis of a forest: its two ends as ratios.
type ratioAxis struct{ low, high float64 }

func newRatioAxis(c compare.Comparison) ratioAxis {
	x := ratioAxis{1 / leastReach, leastReach}
	for _, r := range c.Rows {
		for _, cell := range r.Cells {
			if cell == nil || cell.Against == nil || !(cell.Against.Ratio > 0) {
				continue
			}
			for _, v := range []float64{cell.Against.Ratio, cell.Against.Low, cell.Against.High} {
				if v > 0 && !math.IsInf(v, 0) && (cell.Against.Level > 0 || v == cell.Against.Ratio) {
					x.low, x.high = math.Min(x.low, v), math.Max(x.high, v)
				}
			}
		}
	}
	x.low, x.high = math.Max(x.low, 1./mostReach), math.Min(x.high, mostReach)
	// Marks at the ends are still whole.
	margin := math.Pow(x.high/x.low, .03)
	return ratioAxis{x.low / margin, x.high * margin}
}

// share is where a ratio lies, from 0 to 1, and beyond where the picture is cut.
func (x ratioAxis) share(ratio float64) float64 {
	return math.Log(ratio/x.low) / math.Log(x.high/x.low)
}

// place is the same inside the picture, in percent.
func (x ratioAxis) place(ratio float64) string {
	return percent(math.Min(math.Max(x.share(ratio), 0), 1))
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + "%" }

// ratioTicks are the ratios that may be written at the axis, the most wanted first.
var ratioTicks = []float64{1, .5, 2, .1, 10, .2, 5, .8, 1.25, .9, 1.1, .95, 1.05, .7, 1.5, .05, 20, .3, 3}

// tickRoom is the least distance of two ticks, as a share of the picture.
const tickRoom = .11

func (x ratioAxis) ticks() []shareTick {
	var at []float64
	for _, ratio := range ratioTicks {
		s := x.share(ratio)
		if s < .02 || s > .98 || slices.ContainsFunc(at, func(other float64) bool { return math.Abs(x.share(other)-s) < tickRoom }) {
			continue
		}
		at = append(at, ratio)
	}
	slices.Sort(at)
	var all []shareTick
	for _, ratio := range at {
		all = append(all, shareTick{percent(x.share(ratio)), strconv.FormatFloat(ratio, 'f', -1, 64)})
	}
	return all
}

func newForest(c compare.Comparison) forest {
	x := newRatioAxis(c)
	low, high := x.share(1/(1+stats.Margin)), x.share(1+stats.Margin)
	f := forest{Ticks: x.ticks(), One: x.place(1), Band: span{percent(low), percent(high - low)}, Many: len(c.Columns) > 2}
	for _, l := range layersOf(c.Rows) {
		g := forestGroup{Title: l.title}
		for _, r := range l.rows {
			row := forestRow{Title: versus.Title(r)}
			if r.Better == "lower" {
				row.Under = "less is better"
			}
			for i, cell := range r.Cells {
				if cell != nil && cell.Against != nil {
					row.Marks = append(row.Marks, x.mark(r, i, cell.Against))
				}
			}
			if len(row.Marks) > 0 {
				g.Rows = append(g.Rows, row)
			}
		}
		if len(g.Rows) > 0 {
			f.Groups = append(f.Groups, g)
		}
	}
	return f
}

func (x ratioAxis) mark(r compare.Row, column int, a *compare.Against) forestMark {
	m := forestMark{key: keyOf(column), look: lookOf(a.Verdict), Ratio: versus.Ratio(r, a), Verdict: string(a.Verdict)}
	if !(a.Ratio > 0) || math.IsInf(a.Ratio, 0) {
		return m
	}
	m.Drawn, m.At = true, x.place(a.Ratio)
	if a.Level > 0 && a.Low > 0 && !math.IsNaN(a.High) {
		low, high := x.share(a.Low), x.share(a.High)
		m.Interval = &forestInterval{
			Low: x.place(a.Low), High: x.place(a.High), Less: low < 0, More: high > 1, LowEnd: low >= 0, HighEnd: high <= 1,
		}
	}
	return m
}

// Words say the mark to those who do not see it.
func (m forestMark) Words() string {
	return fmt.Sprintf("%s to A: %s, %s", m.Letter, m.Ratio, m.Verdict)
}
