package term

import (
	"slices"
	"strings"

	"assay/report/block"
)

// figureGrid is one layout of a table of figures.
type figureGrid struct {
	shown  []int // columns of the table, without the first
	oneRow bool  // spreads are beside the figures, not below
	short  bool  // a cell is two lines: the figure with its spread, and what is smaller
	headed bool  // names are above the figures, not beside

	name   int // columns for names
	beside int // oneRow: columns for what is under a name
	spark  int // columns for the repeats
	cols   []column
}

// figureTable writes a table of figures in the roomiest layout: one line per row,
// spreads below the figures, names above them, only the main columns; else a list
// under each name. If the columns are hosts or the like, all of them are shown,
// some at a time if there is no room.
func (p *page) figureTable(t block.Table) {
	var all, main []int
	count := len(t.Columns)
	for _, r := range t.Rows {
		count = max(count, len(r.Cells))
	}
	for i := 1; i < count; i++ {
		all = append(all, i)
		if i >= len(t.Columns) || !t.Columns[i].Minor {
			main = append(main, i)
		}
	}
	ways := []figureGrid{{shown: all, oneRow: true}, {shown: all}, {shown: all, headed: true}, {shown: main}, {shown: main, headed: true}}
	if t.Wide {
		ways = []figureGrid{{shown: all, short: true}, {shown: all}, {shown: all, headed: true}}
	}
	for _, g := range ways {
		if len(g.shown) > 0 && g.fit(t, p.columns) {
			g.write(p, t)
			return
		}
	}
	if t.Wide && p.inParts(t, all) {
		return
	}
	p.stacked(t)
}

// fit measures the grid; it returns false if it is too wide.
func (g *figureGrid) fit(t block.Table, room int) bool {
	g.name, g.beside, g.spark = 0, 0, 0
	if len(t.Columns) > 0 {
		g.name = width(clean(t.Columns[0].Heading))
	}
	values, trails := make([]int, len(g.shown)), make([]int, len(g.shown))
	for i, n := range g.shown {
		if n < len(t.Columns) {
			for _, word := range strings.Fields(clean(t.Columns[n].Heading)) {
				values[i] = max(values[i], width(word))
			}
		}
	}
	for _, r := range t.Rows {
		g.measureName(r)
		if n := len(repeatsOf(r)); n > 1 && !t.Wide {
			g.spark = max(g.spark, min(n, 12), len("repeats"))
		}
		for i, n := range g.shown {
			if n >= len(r.Cells) {
				continue
			}
			if value, trail := parts(r.Cells[n]); g.oneRow {
				values[i], trails[i] = max(values[i], width(value)), max(trails[i], width(trail))
				continue
			}
			for _, l := range g.box(r.Cells[n]) {
				values[i] = max(values[i], width(l.text))
			}
		}
	}
	g.layOut(values, trails)
	over := total(g.cols) - room
	if !g.headed && !g.oneRow && over > 0 {
		// A name may wrap if its column is wide enough; a one-line row must not.
		least := 36
		switch {
		case g.short:
			least = 30
		case t.Wide:
			least = 22
		}
		take := min(over, max(g.name-least, 0))
		g.name, over = g.name-take, over-take
		g.cols[0].width = g.name
	}
	if g.headed && over < 0 && !t.Wide {
		g.name += min(-over, 14) // so that names stand out to the left
		g.cols[0].width = g.name
	}
	return over <= 0
}

func (g *figureGrid) measureName(r block.Row) {
	if r.Head || len(r.Cells) == 0 {
		return
	}
	name, under := width(clean(r.Cells[0].Text)), width(underOf(r))
	switch {
	case g.headed:
		g.name = max(g.name, 2)
	case g.oneRow:
		g.name = max(g.name, min(name, 48))
		g.beside = max(g.beside, min(under, 52))
	default:
		g.name = max(g.name, min(name, 60), min(under+2, 60))
	}
}

// layOut sets the columns.
func (g *figureGrid) layOut(values, trails []int) {
	g.cols = []column{{width: g.name}}
	if g.beside > 0 {
		g.cols = append(g.cols, column{gap: 2, width: g.beside})
	}
	if g.spark > 0 {
		g.cols = append(g.cols, column{gap: 2, width: g.spark})
	}
	for i, w := range values {
		g.cols = append(g.cols, column{gap: 2, width: w, right: true})
		if g.oneRow {
			gap := 1
			if trails[i] == 0 {
				gap = 0
			}
			g.cols = append(g.cols, column{gap: gap, width: trails[i]})
		}
	}
}

func (g *figureGrid) write(p *page, t block.Table) {
	p.row(g.cols, g.header(t))
	for i, r := range t.Rows {
		switch {
		case r.Head:
			p.strong(rowName(r), "")
			continue
		case g.headed && t.Continues(i):
			p.strong("", underOf(r))
		case g.headed:
			p.strong(r.Name().Text, underOf(r))
		}
		if r.Absent == nil || !g.headed {
			p.row(g.cols, g.boxes(t, i))
		}
		p.below(r)
		p.noted(t, r, g.shown)
	}
	if hidden := g.hidden(t); hidden != "" {
		p.say("also measured: "+hidden, "", dim)
	}
}

// boxes returns the cells of the i-th row.
func (g *figureGrid) boxes(t block.Table, i int) []box {
	r := t.Rows[i]
	boxes := []box{g.nameBox(t, i)}
	if g.beside > 0 {
		boxes = append(boxes, styled(dim, wrap(underOf(r), g.beside)...))
	}
	if g.spark > 0 {
		var drawn box
		if repeats := repeatsOf(r); len(repeats) > 1 {
			drawn = styled(cyan, sparkRepeats(fewer(repeats, g.spark)))
		}
		boxes = append(boxes, drawn)
	}
	for _, n := range g.shown {
		var c block.Cell
		if n < len(r.Cells) {
			c = r.Cells[n]
		}
		if !g.oneRow {
			boxes = append(boxes, g.box(c))
			continue
		}
		value, trail := parts(c)
		st := dim
		if len(c.Notes) > 0 {
			st = yellow
		}
		boxes = append(boxes, styled(cellStyle(c), value), styled(st, trail))
	}
	return boxes
}

// nameBox returns the name of the i-th row, with smaller text below it; of rows
// with one name, only the first shows it.
func (g *figureGrid) nameBox(t block.Table, i int) box {
	if g.headed {
		return nil
	}
	var b box
	r := t.Rows[i]
	if !t.Continues(i) {
		b = styled(plain, wrap(clean(r.Name().Text), g.name)...)
	}
	if g.oneRow {
		return b
	}
	indent := "  "
	if t.Wide {
		indent = ""
	}
	for _, l := range wrap(underOf(r), g.name-width(indent)) {
		b = append(b, line{indent + l, dim})
	}
	return b
}

// header puts each heading above its values, aligned at the bottom.
func (g *figureGrid) header(t block.Table) []box {
	boxes := []box{nil}
	if len(t.Columns) > 0 {
		boxes[0] = styled(dim, wrap(clean(t.Columns[0].Heading), g.name)...)
	}
	at := 1
	if g.beside > 0 {
		boxes, at = append(boxes, nil), at+1
	}
	if g.spark > 0 {
		boxes, at = append(boxes, styled(dim, "repeats")), at+1
	}
	for _, n := range g.shown {
		var heading box
		if n < len(t.Columns) {
			heading = styled(dim, wrap(clean(t.Columns[n].Heading), g.cols[at].width)...)
		}
		boxes, at = append(boxes, heading), at+1
		if g.oneRow {
			boxes, at = append(boxes, nil), at+1
		}
	}
	height := 0
	for _, b := range boxes {
		height = max(height, len(b))
	}
	for i, b := range boxes {
		boxes[i] = append(make(box, height-len(b)), b...)
	}
	return boxes
}

// hidden names the columns that did not fit.
func (g *figureGrid) hidden(t block.Table) string {
	var names []string
	for i := 1; i < len(t.Columns); i++ {
		if !slices.Contains(g.shown, i) {
			names = append(names, clean(t.Columns[i].Heading))
		}
	}
	return strings.Join(names, ", ")
}

// box returns a cell as lines: the value, its spread, smaller text, its
// footnotes.
func (g *figureGrid) box(c block.Cell) box {
	value, _ := parts(c)
	if value == "" && len(c.Under) == 0 {
		return nil
	}
	b := box{{value, cellStyle(c)}}
	if f := c.Figure; f != nil && c.Absent == nil {
		if spread := join(" ", clean(f.Spread), clean(f.Count)); g.short {
			b[0].text = join(" ", value, spread)
		} else {
			b = append(b, styled(dim, filled(clean(f.Spread), clean(f.Count))...)...)
		}
	}
	if under := cleaned(c.Under); g.short {
		b = append(b, styled(dim, filled(strings.Join(under, " "))...)...)
	} else {
		for _, u := range under {
			b = append(b, styled(dim, wrap(u, 16)...)...)
		}
	}
	if m := marksOf(c.Notes); m != "" && c.Absent == nil {
		b = append(b, line{m, yellow})
	}
	return b
}

// inParts writes a table of many columns as several below each other, each with
// as many as fit and the names again; it returns false if fewer than four would
// fit, or one alone does not.
func (p *page) inParts(t block.Table, all []int) bool {
	var parts []figureGrid
	for from := 0; from < len(all); {
		var part figureGrid
		to := from
		for ; to < len(all); to++ {
			longer := figureGrid{shown: all[from : to+1]}
			if !longer.fit(t, p.columns) {
				break
			}
			part = longer
		}
		if to == from || from == 0 && to < fewestBeside {
			return false
		}
		parts, from = append(parts, part), to
	}
	for i, part := range parts {
		if i > 0 {
			p.put()
		}
		part.writePart(p, t)
	}
	return len(parts) > 0
}

// writePart is write without the text that all parts share.
func (g *figureGrid) writePart(p *page, t block.Table) {
	p.row(g.cols, g.header(t))
	for i, r := range t.Rows {
		if r.Head {
			p.strong(rowName(r), "")
			continue
		}
		p.row(g.cols, g.boxes(t, i))
		p.below(r)
	}
}

// stacked writes the cells of each row under its name, one per line, which
// always fits.
func (p *page) stacked(t block.Table) {
	for n, r := range t.Rows {
		if t.Continues(n) {
			p.strong("", underOf(r))
		} else {
			p.strong(rowName(r), "")
		}
		for i := 1; i < len(r.Cells); i++ {
			c := r.Cells[i]
			text := oneLineOf(c)
			if text == "" || c.Self {
				continue
			}
			heading := headingOf(t, i)
			if width(heading) > p.columns/2 {
				p.hang(line{"  ", plain}, join(" ", heading, text), cellStyle(c))
				continue
			}
			p.hang(line{"  " + heading + "  ", dim}, text, cellStyle(c))
		}
		p.below(r)
		p.noted(t, r, nil)
	}
}

// noted says in words what the figures of a row alone do not show: which of them
// are rejected, and which of those without room have a footnote. shown are the
// columns with room, or nil if all have.
func (p *page) noted(t block.Table, r block.Row, shown []int) {
	if t.Wide {
		return
	}
	var also, rejected []string
	for i := 1; i < len(r.Cells); i++ {
		c := r.Cells[i]
		if c.Figure == nil {
			continue
		}
		if c.Figure.Rejected {
			rejected = append(rejected, join(" ", headingOf(t, i), marksOf(c.Notes)))
		}
		if shown != nil && !slices.Contains(shown, i) && (c.Figure.Rejected || len(c.Notes) > 0) {
			also = append(also, join(" ", headingOf(t, i), oneLineOf(c)))
		}
	}
	if len(also) > 0 {
		p.hang(line{"  also ", dim}, strings.Join(also, ", "), plain)
	}
	if len(rejected) > 0 {
		p.hang(line{"  ✗ ", red}, "rejected: "+strings.Join(rejected, ", "), red)
	}
}

// headingOf returns the heading of the i-th column.
func headingOf(t block.Table, i int) string {
	if i >= len(t.Columns) {
		return ""
	}
	return clean(t.Columns[i].Heading)
}

// underOf returns the text below the name of a row, as one line.
func underOf(r block.Row) string { return join(" · ", cleaned(r.Name().Under)...) }

func filled(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// fewestBeside is the fewest columns for a part of a table: with fewer, a list
// under each name is easier to read.
const fewestBeside = 4

func repeatsOf(r block.Row) []float64 {
	for _, c := range r.Cells {
		if c.Figure != nil {
			var all []float64
			for _, v := range c.Figure.Repeats {
				all = append(all, float64(v))
			}
			return all
		}
	}
	return nil
}

// fewer averages neighbours until there are at most n values.
func fewer(values []float64, n int) []float64 {
	if len(values) <= n {
		return values
	}
	points := make([][2]float64, len(values))
	for i, v := range values {
		points[i] = [2]float64{float64(i), v}
	}
	return resample(points, n)
}
