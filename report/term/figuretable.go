package term

import (
	"slices"
	"strings"

	"assay/report/block"
)

// figureGrid is one way to set a table of figures.
type figureGrid struct {
	shown  []int // columns of the table, without the first
	oneRow bool  // a figure has its spread behind it, not below
	headed bool  // names stand above the figures, not beside

	name   int // columns for names
	beside int // oneRow: columns for what is under a name
	spark  int // columns for the repeats
	cols   []column
}

// figureTable writes a table of figures in the roomiest way: one line a row,
// spreads below the figures, names above them, only the main columns; then, where
// the columns are hosts or the like, some of them at a time, or each row as a list
// of them.
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
		ways = ways[1:3]
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

// fit measures the grid; false where it is too wide.
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
			for _, l := range tallBox(r.Cells[n]) {
				values[i] = max(values[i], width(l.text))
			}
		}
	}
	g.layOut(values, trails)
	over := total(g.cols) - room
	if !g.headed && !g.oneRow && over > 0 {
		// A name may wrap in a column of some width; one line that wraps is none.
		least := 36
		if t.Wide {
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
	name, under := width(clean(r.Cells[0].Text)), 0
	for _, u := range r.Cells[0].Under {
		under = max(under, width(clean(u)))
	}
	switch {
	case g.headed:
		g.name = max(g.name, 2)
	case g.oneRow:
		g.name = max(g.name, min(name, 44))
		g.beside = max(g.beside, min(width(strings.Join(cleaned(r.Cells[0].Under), " · ")), 52))
	default:
		g.name = max(g.name, min(name, 44), min(under+2, 44))
	}
}

// layOut makes the columns.
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
	for _, r := range t.Rows {
		if r.Head {
			p.strong(rowName(r), "")
			continue
		}
		if g.headed && len(r.Cells) > 0 {
			p.strong(r.Cells[0].Text, strings.Join(cleaned(r.Cells[0].Under), " · "))
		}
		if r.Absent == nil || !g.headed {
			p.row(g.cols, g.boxes(t, r))
		}
		p.below(r)
	}
	if hidden := g.hidden(t); hidden != "" {
		p.say("also measured: "+hidden, "", dim)
	}
}

func (g *figureGrid) boxes(t block.Table, r block.Row) []box {
	var boxes []box
	name := block.Cell{}
	if len(r.Cells) > 0 && !g.headed {
		name = r.Cells[0]
	}
	first := styled(plain, wrap(clean(name.Text), g.name)...)
	if !g.oneRow {
		for _, u := range name.Under {
			indent := "  "
			if t.Wide {
				indent = ""
			}
			for _, l := range wrap(clean(u), g.name-width(indent)) {
				first = append(first, line{indent + l, dim})
			}
		}
	}
	boxes = append(boxes, first)
	if g.beside > 0 {
		boxes = append(boxes, styled(dim, wrap(strings.Join(cleaned(name.Under), " · "), g.beside)...))
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
			boxes = append(boxes, tallBox(c))
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

// header sets each heading over its values, flush at the bottom.
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

// hidden names the columns that had no room.
func (g *figureGrid) hidden(t block.Table) string {
	var names []string
	for i := 1; i < len(t.Columns); i++ {
		if !slices.Contains(g.shown, i) {
			names = append(names, clean(t.Columns[i].Heading))
		}
	}
	return strings.Join(names, ", ")
}

// tallBox is a cell as lines: the value, its spread, its footnotes, and what is
// smaller.
func tallBox(c block.Cell) box {
	value, _ := parts(c)
	if value == "" && len(c.Under) == 0 {
		return nil
	}
	b := box{{value, cellStyle(c)}}
	if f := c.Figure; f != nil && c.Absent == nil {
		for _, text := range []string{clean(f.Spread), clean(f.Count)} {
			if text != "" {
				b = append(b, line{text, dim})
			}
		}
	}
	for _, u := range c.Under {
		b = append(b, line{shorten(clean(u), 16), dim})
	}
	if m := marksOf(c.Notes); m != "" && c.Absent == nil {
		b = append(b, line{m, yellow})
	}
	return b
}

// inParts writes a table of many columns as several under each other, each with
// as many as fit and the names again; false where fewer than four would.
func (p *page) inParts(t block.Table, all []int) bool {
	fits := func(from, to int) (figureGrid, bool) {
		g := figureGrid{shown: all[from:to]}
		return g, g.fit(t, p.columns)
	}
	if len(all) < fewestBeside {
		return false
	}
	if _, ok := fits(0, fewestBeside); !ok {
		return false
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) {
			if _, ok := fits(from, to+1); !ok {
				break
			}
			to++
		}
		if from > 0 {
			p.put()
		}
		g, _ := fits(from, to)
		g.writePart(p, t)
		from = to
	}
	return true
}

// writePart is write without what is said once for all parts.
func (g *figureGrid) writePart(p *page, t block.Table) {
	whole := t
	whole.Columns = slices.Clone(t.Columns)
	p.row(g.cols, g.header(whole))
	for _, r := range t.Rows {
		if r.Head {
			p.strong(rowName(r), "")
			continue
		}
		p.row(g.cols, g.boxes(t, r))
		p.below(r)
	}
}

// stacked writes under the name of each row its cells, one a line, which always
// fits.
func (p *page) stacked(t block.Table) {
	for _, r := range t.Rows {
		p.strong(rowName(r), "")
		for i := 1; i < len(r.Cells); i++ {
			c := r.Cells[i]
			text := oneLineOf(c)
			if text == "" || c.Self {
				continue
			}
			heading := ""
			if i < len(t.Columns) {
				heading = clean(t.Columns[i].Heading)
			}
			p.hang(line{"  " + heading + "  ", dim}, text, cellStyle(c))
		}
		p.below(r)
	}
}

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
