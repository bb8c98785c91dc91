package term

import (
	"regexp"
	"strings"
	"sync"
)

// runID matches the id of a run.
var runID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b\d{8}-\d{6}-[0-9a-f]{6}\b`) })

// column is one column of a grid. Its gap is the space before it.
type column struct {
	gap, width int
	right      bool
	least      int // width of text that is never broken, as people copy it
}

func total(cols []column) int {
	n := 0
	for _, c := range cols {
		n += c.gap + c.width
	}
	return n
}

// row writes the blocks of one row side by side. A block beyond the last column
// is the caller's mistake.
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

// squeeze narrows the last column, then the widest, until all fit, but none below its
// unbreakable text.
func squeeze(cols []column, room int) bool {
	const least = 6
	last := &cols[len(cols)-1]
	if over := total(cols) - room; over > 0 {
		last.width = max(last.width-over, min(last.width, max(24, last.least)))
	}
	for total(cols) > room {
		var widest *column
		for i := range cols {
			if c := &cols[i]; c.width > max(least, c.least) && (widest == nil || c.width > widest.width) {
				widest = c
			}
		}
		if widest == nil {
			return false
		}
		widest.width--
	}
	return true
}
