package table

import (
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// Bounds on tables in web pages.
const (
	widestSpan = 24   // columns that one cell may take
	mostCells  = 2000 // of one row
)

var (
	htmlTable = lazyregexp.New(`(?i)<table\b`)
	// a tag of a table, with its attributes
	tableTag = lazyregexp.New(`(?i)<(/?)(table|tr|th|td|caption)\b([^<>]{0,300})>`)
	colspan  = lazyregexp.New(`(?i)\bcolspan\s*=\s*["']?(\d{1,3})`)
	rowspan  = lazyregexp.New(`(?i)\browspan\s*=\s*["']?(\d{1,4})`)
	lineTag  = lazyregexp.New(`(?i)<(?:br|/?p|/?li|/?div)\b[^<>]{0,100}>`)
)

// htmlGrid reads an HTML table, whose rows may be on one line or many. It rejects a
// table with another inside: that is old-style page layout.
func htmlGrid(lines []string, i int) (grid, int, bool) {
	if !strings.Contains(lines[i], "<") || !htmlTable.MatchString(lines[i]) {
		return grid{}, 0, false
	}
	t := htmlRows{grid: grid{line: i + 1}, from: map[int]reaching{}}
	next := i
	for depth := 0; next < len(lines); next++ {
		at := 0
		for _, m := range tableTag.FindAllStringSubmatchIndex(lines[next], -1) {
			t.text(lines[next][at:m[0]])
			at = m[1]
			name, closing := strings.ToLower(lines[next][m[4]:m[5]]), m[3] > m[2]
			if name == "table" {
				if depth += map[bool]int{false: 1, true: -1}[closing]; depth > 1 {
					return grid{}, 0, false
				}
			} else if depth == 1 {
				t.tag(name, closing, lines[next][m[6]:m[7]], next+1)
			}
			if depth == 0 {
				t.endRow()
				return t.grid, next + 1, len(t.header) > 1 && len(t.rows) > 0
			}
		}
		t.text(lines[next][at:] + " ")
	}
	return grid{}, 0, false // unterminated
}

// htmlRows gathers the rows of a table. The first row is its header.
type htmlRows struct {
	grid
	line  int // of the open row
	cells []string
	span  int // of the open cell; 0: none
	down  int // rows below that the open cell spans
	cell  strings.Builder
	from  map[int]reaching // cells of rows above, by column
}

// reaching is a cell that spans further rows.
type reaching struct {
	text string
	more int
}

func (t *htmlRows) text(s string) {
	if t.span > 0 {
		t.cell.WriteString(lineTag.ReplaceAllString(s, " "))
	}
}

func (t *htmlRows) tag(name string, closing bool, attributes string, line int) {
	switch name {
	case "caption":
	case "tr":
		t.endRow()
		t.line = line
	default: // th, td: end tags are optional
		t.endCell()
		if closing {
			return
		}
		if t.span = 1; len(t.cells) == 0 && t.line == 0 {
			t.line = line
		}
		if m := colspan.FindStringSubmatch(attributes); m != nil {
			n, _ := strconv.Atoi(m[1])
			t.span = min(max(n, 1), widestSpan)
		}
		if m := rowspan.FindStringSubmatch(attributes); m != nil {
			n, _ := strconv.Atoi(m[1])
			t.down = max(n-1, 0)
		}
	}
}

func (t *htmlRows) endCell() {
	if t.span > 0 && len(t.cells) < mostCells {
		t.reach()
		text := clean(t.cell.String())
		for i := range t.span {
			if t.down > 0 {
				t.from[len(t.cells)] = reaching{text, t.down}
			}
			t.cells = append(t.cells, map[bool]string{true: text}[i == 0])
		}
	}
	t.span, t.down = 0, 0
	t.cell.Reset()
}

// reach adds cells that span down from rows above into the next columns.
func (t *htmlRows) reach() {
	for {
		r, ok := t.from[len(t.cells)]
		if !ok {
			return
		}
		if r.more--; r.more > 0 {
			t.from[len(t.cells)] = r
		} else {
			delete(t.from, len(t.cells))
		}
		t.cells = append(t.cells, r.text)
	}
}

func (t *htmlRows) endRow() {
	t.endCell()
	if len(t.cells) > 0 {
		t.reach()
	}
	cells, line := t.cells, t.line
	t.cells, t.line = nil, 0
	switch {
	case len(cells) == 0:
	case t.header == nil:
		t.header = cells
		t.grid.line = line
	case len(cells) == len(t.header):
		t.rows = append(t.rows, gridRow{line, cells})
	}
}
