package html

import (
	"math"
	"strconv"

	"assay/report"
)

// bar is one figure on the axis of shares: 100 % is what physics allows.
type bar struct {
	Title    string
	Value    string
	Spread   string // with its n, where the figure is in a table
	Ceiling  string
	Share    string
	Width    string // of the bar, in percent of the picture
	Beyond   bool   // longer than the picture
	Rejected bool
}

// ceilings is the picture of all bars.
type ceilings struct {
	Bars   []bar
	Marker string      // where 100 % is, in percent of the picture
	Ticks  []shareTick // of the axis
}

type shareTick struct {
	At   string
	Text string
}

// longestShare is where the picture ends: a figure at 40 times its ceiling
// must not press all others into one pixel.
const longestShare = 3

func newCeilings(d report.Document) ceilings {
	end := 1.08
	for _, b := range d.Plots.Ceilings {
		if drawable(b) {
			end = math.Max(end, math.Min(b.Ceiling.Share*1.03, longestShare))
		}
	}
	place := func(share float64) string {
		return strconv.FormatFloat(100*math.Min(math.Max(share, 0), end)/end, 'f', 2, 64) + "%"
	}
	c := ceilings{Marker: place(1)}
	for _, share := range []float64{0, .25, .5, .75, 1, 2, 3} {
		// Beyond 150 % the quarters crowd each other.
		if share > end || end > 1.5 && (share == .25 || share == .75) {
			continue
		}
		c.Ticks = append(c.Ticks, shareTick{place(share), strconv.FormatFloat(100*share, 'f', 0, 64) + " %"})
	}
	for _, b := range d.Plots.Ceilings {
		if !drawable(b) {
			continue
		}
		c.Bars = append(c.Bars, bar{
			Title: b.Title, Value: report.Amount(b.Value, b.Unit), Spread: spreadOf(d, b),
			Ceiling: b.Ceiling.Name + ", " + report.Amount(b.Ceiling.Value, b.Unit),
			Share:   shareWords(b.Ceiling.Share), Width: place(b.Ceiling.Share),
			Beyond: b.Ceiling.Share > end, Rejected: b.Rejected,
		})
	}
	return c
}

// drawable says whether a bar has a number and a place.
func drawable(b report.Bar) bool { return isFinite([2]float64{b.Value, b.Ceiling.Share}) }

// spreadOf finds the figure that a bar shows, for its n and its spread.
func spreadOf(d report.Document, b report.Bar) string {
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			for _, f := range r.Figures {
				if f.Ceiling != nil && f.Ceiling.Name == b.Ceiling.Name && f.Value == b.Value && f.Unit == b.Unit {
					return joinWords(report.Spread(f), report.Count(f))
				}
			}
		}
	}
	return ""
}

func shareWords(share float64) string {
	if share >= 1.995 {
		return strconv.FormatFloat(share, 'f', 2, 64) + " ×"
	}
	if share < .01 {
		return "< 1 %"
	}
	return strconv.FormatFloat(100*share, 'f', 0, 64) + " %"
}
