package term

import (
	"slices"
	"strings"
)

const (
	leastName   = 5  // columns that a shortened name keeps
	leastNow    = 14 // columns for what a host does now
	figureRoom  = 13 // "112k events/s"
	longestHost = 24
)

// boardFit is one layout of the rows of a board.
type boardFit struct {
	host    int      // columns for the names of hosts
	names   []string // headings
	members [][]int  // the board's columns behind each heading
	widths  []int    // of the columns
	cases   bool     // each case has a column
	figures bool     // a cell has room for its figure
	now     int      // columns for what a host does now
}

// rows draws the heading and the rows of hosts.
func (b Board) rows(p *page, rows []BoardRow) {
	f := b.fit(p.columns)
	cols := []column{{width: f.host}}
	heading := []box{nil}
	for i, w := range f.widths {
		cols = append(cols, column{gap: 2, width: w})
		if i < len(f.names) {
			heading = append(heading, styled(dim, f.names[i]))
		}
	}
	cols = append(cols, column{gap: 2, width: f.now})
	if len(f.names) > 0 {
		p.row(cols, heading)
	} else {
		p.put(line{within("how far the hosts are, in repeats", p.columns), dim})
	}
	for _, r := range rows {
		name := box{{within(clean(r.Name), f.host), plain}}
		if r.Away != "" {
			name[0].style = yellow
		}
		if r.Away != "" && !r.begun() {
			// Nothing was measured there: the reason gets the whole row.
			whole := column{gap: 2, width: p.columns - f.host - 2}
			p.row([]column{cols[0], whole}, []box{name, {{within("? "+clean(r.Away), whole.width), yellow}}})
			continue
		}
		blocks := []box{name}
		for i, members := range f.members {
			blocks = append(blocks, f.cell(r, members, f.widths[i]))
		}
		p.row(cols, append(blocks, f.does(r)))
	}
}

func (r BoardRow) begun() bool {
	return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Ended > 0 })
}

// cell draws all cells under one heading as one.
func (f *boardFit) cell(r BoardRow, members []int, room int) box {
	all := r.cell(members[0])
	for _, m := range members[1:] {
		all = all.Plus(r.cell(m))
	}
	mark := all.mark()
	if figure := clean(all.Figure); f.figures && figure != "" && all.Of > 0 {
		mark.text = within(pad(mark.text, min(all.count(), room-figureRoom-1), false)+" "+figure, room)
	}
	mark.text = within(mark.text, room)
	return box{mark}
}

// cell returns the cell of a column; a row may be short.
func (r BoardRow) cell(i int) Cell {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return Cell{}
}

// does says what a host does now.
func (f *boardFit) does(r BoardRow) box {
	text, st := clean(r.Now+" "+r.With), plain
	switch {
	case r.Away != "":
		text, st = clean(r.Away), yellow
	case !r.Busy:
		st = dim
	case r.With != "" && width(text) > f.now && f.cases:
		text = clean(r.With) // a cell says the rest
	}
	if text = within(text, f.now); width(text) == 0 {
		text = "" // a lone combining mark has no width, and would keep the spaces before it
	}
	return box{{text, st}}
}

// fit chooses the fullest layout that is not too wide: figures in the cells,
// whole names, shortened names, a column for each group, no columns at all.
func (b Board) fit(columns int) boardFit {
	host := len("host")
	for _, r := range b.Rows {
		host = max(host, min(width(clean(r.Name)), longestHost))
	}
	host = min(host, columns/3)
	cases := boardFit{host: host, cases: true}
	var groups boardFit
	groups.host = host
	var groupNames []string
	for i, c := range b.Columns {
		cases.names = append(cases.names, clean(c.Name))
		cases.members = append(cases.members, []int{i})
		if n := len(groupNames); n > 0 && groupNames[n-1] == c.Group {
			groups.members[n-1] = append(groups.members[n-1], i)
			continue
		}
		groupNames = append(groupNames, c.Group)
		groups.names = append(groups.names, clean(c.Group))
		groups.members = append(groups.members, []int{i})
	}
	figures := cases
	figures.figures = true
	longest := 0
	for _, n := range cases.names {
		longest = max(longest, width(n))
	}
	if figures.measure(b, longest, columns, 24) {
		return figures
	}
	for _, f := range []boardFit{cases, groups} {
		for most := longest; most >= leastName; most-- {
			if f.measure(b, most, columns, leastNow) {
				return f
			}
		}
	}
	return b.bare(host, columns)
}

// bare returns a layout with one column for all cases.
func (b Board) bare(host, columns int) boardFit {
	f := boardFit{host: host}
	if len(b.Columns) > 0 {
		f.members = [][]int{nil}
	}
	for i := range b.Columns {
		f.members[0] = append(f.members[0], i)
	}
	if !f.measure(b, 0, columns, 0) {
		f.widths[0] = max(columns-host-2, 1)
		f.now = 0
	}
	return f
}

// measure sets the widths, with names of at most that many columns; it returns
// false if the whole is too wide or two names would look alike.
func (f *boardFit) measure(b Board, most, columns, now int) bool {
	names := make([]string, len(f.names))
	for i, n := range f.names {
		if names[i] = abbreviate(n, most); slices.Contains(names[:i], names[i]) {
			return false
		}
	}
	f.widths = make([]int, len(f.members))
	used := f.host
	for i, members := range f.members {
		w := 1
		if i < len(names) {
			w = max(w, width(names[i]))
		}
		for _, r := range b.Rows {
			var all Cell
			for _, m := range members {
				all = all.Plus(r.cell(m))
			}
			room := all.count()
			if f.figures && all.Of > 0 {
				room += 1 + figureRoom
			}
			w = max(w, room)
		}
		f.widths[i] = w
		used += 2 + w
	}
	f.now = columns - used - 2
	if f.now < now {
		return false
	}
	f.now = max(f.now, 0)
	f.names = names
	return true
}

// abbreviate shortens a name to n columns by cutting its longest words, so that
// its distinguishing parts stay: randread-4k, randr-4k.
func abbreviate(name string, n int) string {
	words := strings.Split(name, "-")
	for over := width(name) - n; over > 0; over-- {
		longest := 0
		for i, w := range words {
			if width(w) > width(words[longest]) {
				longest = i
			}
		}
		w := []rune(words[longest])
		if len(w) <= 1 {
			break
		}
		words[longest] = string(w[:len(w)-1])
	}
	return strings.Join(words, "-")
}

// within shortens s to n columns, however few they are.
func within(s string, n int) string {
	if s = shorten(s, n); width(s) <= n {
		return s
	}
	return strings.Repeat("…", min(max(n, 0), 1))
}
