package term

import (
	"math"
	"strings"

	"assay/report/block"
)

// leastBar is the shortest length at which bars are worth their room.
const leastBar = 8

// bars draws lengths, each followed by its figure, or the figures alone if there is
// no room for bars. Intervals are left to the table, if there is one.
func (p *page) bars(b block.Bars) {
	if b.Title != "" {
		p.say(b.Title, "", dim)
	}
	behind := func(one block.Bar) (value, trail, aside string) {
		value, trail = parts(one.Cell)
		if b.Told {
			trail = ""
		}
		return value, trail, clean(one.Aside)
	}
	names, values, trails, asides, most := []string{}, 0, 0, 0, 1.
	for _, one := range b.Bars {
		names = append(names, one.Title)
		if one.Absent != nil {
			continue
		}
		value, trail, aside := behind(one)
		values, trails, asides = max(values, width(value)), max(trails, width(trail)), max(asides, width(aside))
		if b.Mark == 0 && one.Share.Is() {
			most = math.Max(most, float64(one.Share))
		}
	}
	name := widest(names, 2*p.columns/5)
	gap := min(trails, 1)
	long := min(p.columns-2-name-2-2-values-gap-trails-min(asides, 1)*2-asides, 60)
	edge := "  "
	if b.Mark > 0 {
		edge = "▏ "
	}
	group := ""
	for _, one := range b.Bars {
		if one.Group != group {
			group = one.Group
			p.say(group, "", strong)
		}
		title := p.titled(one.Title, name, plain)
		if a := one.Absent; a != nil {
			p.hang(title, join(": ", a.Word, a.Why), yellow)
			continue
		}
		value, trail, aside := behind(one)
		if long < leastBar {
			p.hang(title, join("  ", join(" ", value, trail), aside), cellStyle(one.Cell))
			continue
		}
		drawn, st := barOf(one, most, long)
		p.put(title, line{pad(drawn, long, false), st}, line{edge, dim},
			line{pad(value, values, true) + pad("", gap, false) + pad(trail, trails, false), cellStyle(one.Cell)}, line{"  " + aside, dim})
	}
}

// barOf draws one bar; a share of most takes all the room, and a rejected figure is
// hollow.
func barOf(one block.Bar, most float64, long int) (string, style) {
	share := 0.
	switch {
	case one.Beyond:
		share = math.Inf(1)
	case one.Share.Is():
		share = float64(one.Share) / most
	}
	drawn := bar(share, long)
	if one.From.Is() && one.From > 0 {
		start := min(int(math.Round(float64(one.From)/most*float64(long))), long-1)
		drawn = strings.Repeat(" ", start) + bar(math.Min(share*float64(long)/float64(long-start), 1), long-start)
	}
	if f := one.Cell.Figure; f != nil && f.Rejected {
		return strings.ReplaceAll(drawn, "█", "░"), red
	}
	return drawn, cyan
}

// plot writes what a reader would take from each line.
func (p *page) plot(b block.Plot) {
	p.strong(b.Title, b.Aside)
	for _, l := range b.Lines {
		if l.Breaks != nil {
			p.put(line{history(ordinates(l.Points), l.Breaks, p.columns), cyan})
			continue
		}
		if l.Dashed {
			continue
		}
		const titles = 12
		words := clean(l.Words)
		p.sparkLine(l.Title, l.Points, words, titles, p.sparkRoom(titles, width(words), len(l.Points)), b.Y.Scale == block.Linear)
	}
}

// intervals writes each value.
func (p *page) intervals(b block.Intervals) {
	p.strong(b.Title, "")
	for _, r := range b.Rows {
		p.hang(line{"  ", plain}, join(", ", r.Title, join(" ", r.Key, r.Text), r.Word), styles[r.Is])
	}
}

// timelines draws each quantity as one line, followed by its extent in words.
func (p *page) timelines(t block.Timeline) {
	extent := "each line from its minimum to its maximum"
	if t.Joined {
		extent = "from 0 to the maximum"
	}
	p.say(join("; ", join(", ", t.Title, t.Aside), extent), "", dim)
	names, words, points := []string{}, 0, 0
	for _, s := range t.Series {
		names, words, points = append(names, s.Title), max(words, width(clean(s.Range))), max(points, len(s.Points))
	}
	titles := widest(names, 2*p.columns/5)
	room := p.sparkRoom(titles, words, points)
	for _, s := range t.Series {
		p.sparkLine(s.Title, s.Points, clean(s.Range), titles, room, t.Joined)
	}
}

// sparkRoom returns how many columns there are for drawing that many points between
// titles and words; 0 if too few.
func (p *page) sparkRoom(titles, words, points int) int {
	room := min(p.columns-2-titles-2-2-words, 60)
	if room < leastBar {
		return 0
	}
	return min(room, points)
}

// sparkLine draws points in that much room, between a title and the words.
func (p *page) sparkLine(title string, points []block.Point, words string, titles, room int, fromZero bool) {
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
	drawn := ""
	if room > 0 && len(pairs) > 1 {
		drawn = pad(spark(resample(pairs, room), low, high), room, false) + "  "
	}
	p.put(p.titled(title, titles, plain), line{drawn, cyan}, line{shorten(words, max(p.columns-4-titles, 2)), plain})
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
