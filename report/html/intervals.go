package html

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/report/block"
)

// forest shows every value with its interval on one logarithmic axis. All
// positions are in percent of the picture's width.
type forest struct {
	Title  string
	Ticks  []shareTick
	Band   band // of values that count as equal
	One    string
	Groups []forestGroup
	Many   bool // some titles have several marks
}

type band struct{ At, Width string }

type forestGroup struct {
	Title string
	Rows  []forestRow
}

type forestRow struct {
	Title string
	Under string
	Marks []forestMark
}

// forestMark is one value.
type forestMark struct {
	Key      string
	Class    string // of colour
	Shape    string // of the mark: colour alone never shows a verdict
	Drawn    bool   // there is a value
	At       string // of the mark
	Interval *forestInterval
	Text     string
	Word     string
}

type forestInterval struct {
	Low, High       string
	Less, More      bool // it reaches beyond the picture
	LowEnd, HighEnd bool // it ends inside
}

// shapes maps kinds to marks; without a kind the mark is an open circle.
var shapes = map[block.Kind]string{block.Good: "up", block.Bad: "down", block.Limit: "same", block.Note: "same", block.Doubt: "other"}

func shapeOf(k block.Kind) string {
	if s := shapes[k]; s != "" {
		return s
	}
	return "open"
}

// The least and the greatest reach of the picture: a ratio of a thousand must not
// press all others into one pixel, and noise must look small.
const (
	leastReach = 1.12
	mostReach  = 32
)

// ratioAxis is the logarithmic axis of a forest: its two ends as ratios.
type ratioAxis struct{ low, high float64 }

func newRatioAxis(rows []block.Interval, one float64) ratioAxis {
	x := ratioAxis{1 / leastReach, leastReach}
	for _, r := range rows {
		if !onAxis(r.At, one) {
			continue
		}
		for _, v := range []block.Number{r.At, r.Low, r.High} {
			if v > 0 && v.Is() {
				x.low, x.high = math.Min(x.low, float64(v)/one), math.Max(x.high, float64(v)/one)
			}
		}
	}
	x.low, x.high = math.Max(x.low, 1./mostReach), math.Min(x.high, mostReach)
	// Keep marks at the ends whole.
	margin := math.Pow(x.high/x.low, .03)
	return ratioAxis{x.low / margin, x.high * margin}
}

// share returns the position of a ratio, from 0 to 1, or outside where the
// picture is cut.
func (x ratioAxis) share(ratio float64) float64 {
	return math.Log(ratio/x.low) / math.Log(x.high/x.low)
}

// place returns the same, clamped to the picture, in percent.
func (x ratioAxis) place(ratio float64) string {
	return percent(math.Min(math.Max(x.share(ratio), 0), 1))
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + "%" }

// ratioTicks are the ratios that may label the axis, the most wanted first.
var ratioTicks = []float64{1, .5, 2, .1, 10, .2, 5, .8, 1.25, .9, 1.1, .95, 1.05, .7, 1.5, .05, 20, .3, 3}

// tickRoom is the least distance between two ticks, as a share of the picture.
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

func onAxis(n block.Number, one float64) bool { return n.Is() && n > 0 && one > 0 }

func newForest(b block.Intervals) forest {
	if !(b.One > 0) {
		b.One = 1
	}
	x := newRatioAxis(b.Rows, b.One)
	f := forest{Title: b.Title, Ticks: x.ticks(), One: x.place(1)}
	if b.Margin > 0 {
		low, high := x.share(1/(1+b.Margin)), x.share(1+b.Margin)
		f.Band = band{percent(low), percent(high - low)}
	}
	for _, r := range b.Rows {
		if n := len(f.Groups); n == 0 || f.Groups[n-1].Title != r.Group {
			f.Groups = append(f.Groups, forestGroup{Title: r.Group})
		}
		g := &f.Groups[len(f.Groups)-1]
		if n := len(g.Rows); n == 0 || g.Rows[n-1].Title != r.Title {
			g.Rows = append(g.Rows, forestRow{Title: r.Title, Under: r.Under})
		}
		row := &g.Rows[len(g.Rows)-1]
		row.Marks = append(row.Marks, x.mark(r, b.One))
		f.Many = f.Many || len(row.Marks) > 1
	}
	return f
}

func (x ratioAxis) mark(r block.Interval, one float64) forestMark {
	m := forestMark{Key: r.Key, Class: kindOf(string(r.Is)), Shape: shapeOf(r.Is), Text: r.Text, Word: r.Word}
	if !onAxis(r.At, one) {
		return m
	}
	m.Drawn, m.At = true, x.place(float64(r.At)/one)
	if r.Low.Is() && r.Low > 0 && !math.IsNaN(float64(r.High)) {
		low, high := x.share(float64(r.Low)/one), x.share(float64(r.High)/one)
		m.Interval = &forestInterval{
			Low: x.place(float64(r.Low) / one), High: x.place(float64(r.High) / one), Less: low < 0, More: high > 1, LowEnd: low >= 0, HighEnd: high <= 1,
		}
	}
	return m
}

// Words describes the mark for screen readers.
func (m forestMark) Words() string { return strings.TrimSpace(joined(", ", m.Key, m.Text, m.Word)) }
