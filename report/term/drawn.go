package term

import (
	"math"

	"assay/report/block"
)

// bars draws lengths beside each other, with the figures behind them.
func (p *page) bars(b block.Bars) {
	if b.Title != "" {
		p.say(b.Title, "", dim)
	}
	name, behind, most := 0, 0, 1.
	for _, one := range b.Bars {
		name = max(name, width(clean(one.Title)))
		if one.Absent == nil {
			behind = max(behind, width(oneLineOf(one.Cell)))
		}
		if b.Mark == 0 && one.Share.Is() {
			most = math.Max(most, float64(one.Share))
		}
	}
	name = min(name, max(p.columns/3, 12))
	behind = min(behind, p.columns/3)
	aside := 0
	for _, one := range b.Bars {
		aside = max(aside, width(clean(one.Aside)))
	}
	long := min(p.columns-2-name-2-2-behind-2-aside, 60)
	if long < 10 {
		long, aside = min(p.columns-2-name-2-2-behind, 60), 0
	}
	group := ""
	for _, one := range b.Bars {
		if one.Group != group {
			group = one.Group
			p.put(line{clean(group), strong})
		}
		title := line{"  " + pad(shorten(clean(one.Title), name), name, false) + "  ", plain}
		if a := one.Absent; a != nil {
			p.hang(title, join(": ", a.Word, a.Why), yellow)
			continue
		}
		st := cyan
		if f := one.Cell.Figure; f != nil && f.Rejected {
			st = red
		}
		edge := "  "
		if b.Mark > 0 {
			edge = "▏ "
		}
		share := 0.
		if one.Share.Is() {
			share = float64(one.Share) / most
		}
		text := oneLineOf(one.Cell)
		p.put(title, line{pad(bar(share, long), max(long, 0), false), st}, line{edge, dim},
			line{pad(shorten(text, max(behind, 2)), behind, true), cellStyle(one.Cell)}, line{"  " + shorten(clean(one.Aside), max(aside, 1)), dim})
	}
}

// plot says of each line what a reader would take from it; what tables tell
// already is not said again.
func (p *page) plot(b block.Plot) {
	if b.Told {
		return
	}
	p.strong(b.Title, b.Aside)
	for _, l := range b.Lines {
		if l.Breaks != nil {
			p.put(line{history(ordinates(l.Points), l.Breaks, p.columns), cyan})
			continue
		}
		if l.Dashed {
			continue
		}
		p.sparkLine(clean(l.Title), l.Points, clean(l.Words), 12, b.Y.Scale == block.Linear)
	}
}

// intervals says each value, unless a table does.
func (p *page) intervals(b block.Intervals) {
	if b.Told {
		return
	}
	p.strong(b.Title, "")
	for _, r := range b.Rows {
		p.hang(line{"  ", plain}, join(", ", r.Title, join(" ", r.Key, r.Text), r.Word), styles[r.Is])
	}
}

// timelines draws each quantity as one line with its extent in words behind it.
func (p *page) timelines(t block.Timeline) {
	longest := 0
	name := func(s block.Series) string {
		if s.Title == "" {
			return clean(t.Title)
		}
		return clean(s.Title)
	}
	for _, s := range t.Series {
		longest = max(longest, width(name(s)))
	}
	longest = min(max(longest, 24), max(p.columns/3, 10))
	for _, s := range t.Series {
		p.sparkLine(name(s), s.Points, clean(s.Range), longest, t.Joined)
	}
}

func (p *page) sparkLine(title string, points []block.Point, words string, longest int, fromZero bool) {
	var pairs [][2]float64
	var values []float64
	for _, pt := range points {
		if pt[0].Is() && pt[1].Is() {
			pairs = append(pairs, [2]float64{float64(pt[0]), float64(pt[1])})
			values = append(values, float64(pt[1]))
		}
	}
	low, high := extent(values)
	if fromZero {
		low = math.Min(low, 0)
	}
	room := min(p.columns-2-longest-2-2-width(words), 60)
	drawn := ""
	if room >= 8 && len(pairs) > 1 {
		drawn = pad(spark(resample(pairs, room), low, high), room, false) + "  "
	}
	p.put(line{"  " + pad(shorten(title, longest), longest, false) + "  ", plain}, line{drawn, cyan}, line{shorten(words, max(p.columns-4-longest, 2)), plain})
}

func ordinates(points []block.Point) []float64 {
	var all []float64
	for _, pt := range points {
		if pt[1].Is() {
			all = append(all, float64(pt[1]))
		}
	}
	return all
}
