package term

import (
	"io"
	"strings"
)

// Table writes aligned columns with two spaces between them, no line wider
// than columns. right says which columns are set flush right; it may be short
// or nil. Where the room is too small the last column wraps first, then the
// widest ones; where even that cannot be, each row becomes lines of "heading:
// cell". An empty header is left out. The error is w's.
func Table(w io.Writer, columns int, header []string, rows [][]string, right []bool) error {
	p := &page{columns: max(columns, 10)}
	p.table(header, rows, right)
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) table(header []string, rows [][]string, right []bool) {
	count := len(header)
	for _, r := range rows {
		count = max(count, len(r))
	}
	all := make([][]string, 0, len(rows)+1)
	if len(header) > 0 {
		all = append(all, header)
	}
	all = append(all, rows...)
	cols := make([]column, count)
	for i := range cols {
		cols[i] = column{right: i < len(right) && right[i], gap: 2}
		for _, r := range all {
			if i < len(r) {
				cols[i].width = max(cols[i].width, width(clean(r[i])))
			}
		}
	}
	if count == 0 {
		return
	}
	cols[0].gap = 0
	if !squeeze(cols, p.columns) {
		p.list(header, rows)
		return
	}
	for i, r := range all {
		st := plain
		if i == 0 && len(header) > 0 {
			st = dim
		}
		blocks := make([]box, len(r))
		for j, text := range r {
			blocks[j] = styled(st, wrap(clean(text), cols[j].width)...)
		}
		p.row(cols, blocks)
	}
}

// squeeze narrows the last column, then the widest, until all fit.
func squeeze(cols []column, room int) bool {
	const least = 6
	last := &cols[len(cols)-1]
	if over := total(cols) - room; over > 0 {
		last.width = max(last.width-over, min(last.width, 24))
	}
	for total(cols) > room {
		widest := last
		for i := range cols {
			if cols[i].width > widest.width {
				widest = &cols[i]
			}
		}
		if widest.width <= least {
			return false
		}
		widest.width--
	}
	return true
}

func (p *page) list(header []string, rows [][]string) {
	for i, r := range rows {
		if i > 0 {
			p.put()
		}
		for j, text := range r {
			if j < len(header) {
				text = header[j] + ": " + text
			}
			for _, l := range wrap(clean(text), p.columns) {
				p.put(line{l, plain})
			}
		}
	}
}

// column is one column of a grid. Its gap is the space before it.
type column struct {
	gap, width int
	right      bool
}

func total(cols []column) int {
	n := 0
	for _, c := range cols {
		n += c.gap + c.width
	}
	return n
}

// row writes the blocks of one row beside each other. A block beyond the last
// column is a mistake of the caller.
func (p *page) row(cols []column, blocks []box) {
	height := 1
	for _, b := range blocks {
		height = max(height, len(b))
	}
	for y := range height {
		pieces := make([]line, 0, 2*len(cols))
		for i, c := range cols {
			var l line
			if i < len(blocks) && y < len(blocks[i]) {
				l = blocks[i][y]
			}
			pieces = append(pieces, line{strings.Repeat(" ", c.gap), plain})
			space := line{strings.Repeat(" ", max(c.width-width(l.text), 0)), plain}
			if c.right {
				pieces = append(pieces, space, l)
			} else {
				pieces = append(pieces, l, space)
			}
		}
		p.put(pieces...)
	}
}
