package html

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/compare"
	"assay/report"
	"assay/report/versus"
	"assay/stats"
)

// key is how the lines of a column look, the same in every plot.
type key struct {
	Letter string `json:"letter"`
	Colour string `json:"colour"`
	Dash   string `json:"dash"` // as of SVG; "" is solid
}

// colours is how many the style sheet has: --c0 and so on.
const colours = 7

// dashes go on faster than the colours: two lines never differ by colour alone.
var dashes = []string{"", "7 3", "2 2", "9 3 2 3", "4 2", "1 3", "12 4"}

func keyOf(column int) key {
	return key{versus.Letter(column), "var(--c" + strconv.Itoa(column%colours) + ")", dashes[column%len(dashes)]}
}

// comparePlots is what the script reads.
type comparePlots struct {
	Curves  []pairedPlot `json:"curves"` // one for each of Compared.Curves, maybe without lines
	Spreads []pairedPlot `json:"spreads"`
}

// pairedPlot is how some values are distributed in each column.
type pairedPlot struct {
	Title string       `json:"title"`
	Unit  string       `json:"unit"`
	Lines []pairedLine `json:"lines"`
}

type pairedLine struct {
	key
	Count  int64  `json:"count"`
	Points points `json:"points"` // percent that are at most so much, and how much
}

func newComparePlots(c Compared) comparePlots {
	all := comparePlots{Curves: []pairedPlot{}, Spreads: []pairedPlot{}}
	for _, curve := range c.Curves {
		p := pairedPlot{Title: curveTitle(c.Rows[curve.Row], curve), Unit: string(assay.Seconds)}
		for i, h := range curve.Of {
			if steps := thin(h.Steps()); len(steps) > 1 {
				p.Lines = append(p.Lines, pairedLine{keyOf(i), h.Count(), steps})
			}
		}
		all.Curves = append(all.Curves, p)
	}
	for _, r := range c.Rows {
		if p := newSpread(r); p != nil {
			all.Spreads = append(all.Spreads, *p)
		}
	}
	return all
}

// curveTitle names a trial, and the direction where the title does not tell it.
func curveTitle(r compare.Row, c compare.Curve) string {
	r.Metric = "storage." + c.Direction + ".iops"
	return versus.Title(r)
}

// Steps that lie nearer to each other than this are one point on a screen: in
// nines of the percentile, in decades of the latency.
const (
	nearNines   = .012
	nearDecades = .006
)

// thin keeps of rising steps the first, the last, and what a screen can tell apart.
func thin(steps [][2]float64) [][2]float64 {
	var kept [][2]float64
	for i, s := range steps {
		if i == 0 || i == len(steps)-1 {
			kept = append(kept, s)
			continue
		}
		last := kept[len(kept)-1]
		if nines(s[0])-nines(last[0]) >= nearNines || math.Log10(s[1]/last[1]) >= nearDecades {
			kept = append(kept, s)
		}
	}
	return finite(kept)
}

// nines is where a percentile lies on its axis: 90 is 1, 99 is 2.
func nines(percent float64) float64 { return -math.Log10(1 - percent/100) }

// newSpread gives the values of the repeats, where base and another column have
// enough of them to see a distribution; else nil.
func newSpread(r compare.Row) *pairedPlot {
	scale, unit := 1., string(r.Unit)
	if strings.HasPrefix(r.Metric, "net.") && r.Unit == assay.BytesPerSecond {
		scale, unit = 8, "bit/s" // as networks are spoken of
	}
	p := &pairedPlot{Title: versus.Title(r), Unit: unit}
	for i, cell := range r.Cells {
		if cell == nil || len(cell.Values) < stats.LeastForInterval {
			continue
		}
		line := pairedLine{key: keyOf(i), Count: int64(len(cell.Values))}
		for j, v := range slices.Sorted(slices.Values(cell.Values)) {
			line.Points = append(line.Points, [2]float64{100 * float64(j+1) / float64(len(cell.Values)), scale * v})
		}
		if line.Points = finite(line.Points); len(line.Points) > 1 {
			p.Lines = append(p.Lines, line)
		}
	}
	if len(p.Lines) < 2 || p.Lines[0].Letter != versus.Letter(0) {
		return nil
	}
	return p
}

// curveView is the frame of a curve, and its table.
type curveView struct {
	Index int
	Title string
	Keys  []key // of its lines; none where there is nothing to draw
	Rows  []pairedRow
}

type pairedRow struct {
	key
	Count string
	Cells []string
}

// pairedPercentiles are those of the table.
var pairedPercentiles = []float64{50, 90, 99, 99.9, 99.99}

// curveViews gives the tables of the curves, also of what is too little to draw.
func (p comparePlots) curveViews(c Compared) []curveView {
	var all []curveView
	for i, curve := range c.Curves {
		v := curveView{Index: i, Title: p.Curves[i].Title, Keys: p.Curves[i].keys()}
		for j, h := range curve.Of {
			if h == nil {
				continue
			}
			row := pairedRow{key: keyOf(j), Count: report.Amount(float64(h.Count()), assay.One)}
			for _, percentile := range pairedPercentiles {
				cell := ""
				if seconds, ok := h.Percentile(percentile); ok {
					cell = report.Amount(seconds, assay.Seconds)
				}
				row.Cells = append(row.Cells, cell)
			}
			v.Rows = append(v.Rows, row)
		}
		all = append(all, v)
	}
	return all
}

func (p pairedPlot) keys() (all []key) {
	for _, l := range p.Lines {
		all = append(all, l.key)
	}
	return all
}

// spreadView is the frame of one distribution of repeats.
type spreadView struct {
	Index int
	Title string
	Keys  []key
}

func (p comparePlots) spreadViews() []spreadView {
	var all []spreadView
	for i, s := range p.Spreads {
		all = append(all, spreadView{i, s.Title, s.keys()})
	}
	return all
}
