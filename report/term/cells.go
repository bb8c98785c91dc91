package term

import (
	"strconv"
	"strings"

	"assay/report/block"
)

// cells writes a table in the roomiest layout that the width allows.
func (p *page) cells(t block.Table) {
	if t.Title != "" || t.Aside != "" {
		p.strong(t.Title, t.Aside)
	}
	if len(t.Rows) > 0 {
		if t.Wide || ofFigures(t) {
			p.figureTable(t)
		} else {
			p.wordTable(t)
		}
	}
	p.say(t.Legend, "", dim)
}

// ofFigures reports whether all columns but the first hold figures; columns of
// words have to wrap.
func ofFigures(t block.Table) bool {
	some := false
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			some = some || i > 0 && c.Figure != nil
			if i > 0 && c.Figure == nil && c.Text != "" {
				return false
			}
		}
	}
	return some
}

// wordTable writes aligned columns. If there is too little room, the last column
// wraps first, then the widest ones; if even that does not fit, each row becomes
// lines of "heading: cell".
func (p *page) wordTable(t block.Table) {
	count := len(t.Columns)
	for _, r := range t.Rows {
		count = max(count, len(r.Cells))
	}
	if count == 0 {
		return
	}
	cols := make([]column, count)
	var headings []string
	for i := range cols {
		cols[i].gap = 2
		if i < len(t.Columns) {
			heading := clean(t.Columns[i].Heading)
			headings = append(headings, heading)
			cols[i].right, cols[i].width = t.Columns[i].Right, width(heading)
		}
		for _, r := range t.Rows {
			if i < len(r.Cells) && !r.Head {
				for _, l := range wholeBox(r.Cells[i]) {
					cols[i].width = max(cols[i].width, width(l.text))
					for _, id := range runID().FindAllString(l.text, -1) {
						cols[i].least = max(cols[i].least, width(id))
					}
				}
			}
		}
	}
	cols[0].gap = 0
	if !squeeze(cols, p.columns) {
		p.listed(t)
		return
	}
	if count > 1 && strings.Join(headings, "") != "" {
		var boxes []box
		for i, h := range headings {
			boxes = append(boxes, styled(dim, wrap(h, cols[i].width)...))
		}
		p.row(cols, boxes)
	}
	for i, r := range t.Rows {
		if r.Head {
			p.say(rowName(r), "", strong)
			continue
		}
		boxes := make([]box, len(r.Cells))
		for j, c := range r.Cells {
			boxes[j] = wrapped(wholeBox(c), cols[j].width)
		}
		if t.Continues(i) && len(boxes) > 0 {
			boxes[0] = nil
		}
		p.row(cols, boxes)
		p.below(r)
	}
}

// listed writes each cell on a line of its own.
func (p *page) listed(t block.Table) {
	for i, r := range t.Rows {
		if i > 0 {
			p.put()
		}
		for j, c := range r.Cells {
			text := join(" ", oneLineOf(c))
			if j < len(t.Columns) && t.Columns[j].Heading != "" && text != "" {
				text = clean(t.Columns[j].Heading) + ": " + text
			}
			for _, l := range wrap(text, p.columns) {
				p.put(line{l, cellStyle(c)})
			}
		}
		p.below(r)
	}
}

// below writes why a row has no figures, and what its figures alone do not
// show.
func (p *page) below(r block.Row) {
	const indent = "  "
	if a := r.Absent; a != nil {
		p.hang(line{indent + "– ", yellow}, join(": ", a.Word, a.Why), yellow)
		if a.Hint != "" {
			p.hang(line{indent + "  hint: ", dim}, a.Hint, plain)
		}
	}
	for _, s := range r.Remarks {
		mark := line{indent + "– ", styles[s.Is]}
		if s.Is == block.Bad {
			mark.text = indent + "✗ "
		}
		p.hang(mark, s.Text, styles[s.Is])
	}
}

func wrapped(b box, room int) box {
	var out box
	for _, l := range b {
		out = append(out, styled(l.style, wrap(l.text, room)...)...)
	}
	return out
}

func rowName(r block.Row) string { return join(" · ", clean(r.Name().Text), underOf(r)) }

func cleaned(texts []string) []string {
	var all []string
	for _, t := range texts {
		all = append(all, clean(t))
	}
	return all
}

// wholeBox returns a cell as lines: the complete value, and smaller text below it.
func wholeBox(c block.Cell) box {
	value, trail := parts(c)
	b := styled(cellStyle(c), join(" ", value, trail))
	for _, u := range c.Under {
		b = append(b, line{clean(u), dim})
	}
	if len(b) == 1 && b[0].text == "" {
		return nil
	}
	return b
}

// oneLineOf returns the whole cell as one text.
func oneLineOf(c block.Cell) string {
	value, trail := parts(c)
	return join(" ", append([]string{value, trail}, cleaned(c.Under)...)...)
}

// parts returns the value of a cell with its marks, and what follows it.
func parts(c block.Cell) (value, trail string) {
	switch {
	case c.Absent != nil:
		return clean(c.Absent.Word), ""
	case c.Self:
		return "–", ""
	case c.Figure == nil:
		return clean(c.Text), marksOf(c.Notes)
	}
	value = clean(c.Text)
	switch c.Figure.Odd {
	case "worse":
		value = "▼ " + value
	case "better":
		value = "▲ " + value
	}
	if c.Figure.Rejected {
		value = "✗ " + value
	}
	return value, join(" ", clean(c.Figure.Spread), clean(c.Figure.Count), marksOf(c.Notes))
}

func cellStyle(c block.Cell) style {
	switch f := c.Figure; {
	case c.Absent != nil:
		return yellow
	case c.Self:
		return dim
	case f != nil && (f.Rejected || f.Odd == "worse"):
		return red
	case f != nil && f.Odd == "better":
		return green
	}
	return styles[c.Is]
}

// marksOf formats the numbers of footnotes: "[1,4]".
func marksOf(notes []int) string {
	if len(notes) == 0 {
		return ""
	}
	var ns []string
	for _, n := range notes {
		ns = append(ns, strconv.Itoa(n))
	}
	return "[" + strings.Join(ns, ",") + "]"
}
