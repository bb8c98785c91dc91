package term

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/internal/lazyregexp"
)

// Board shows the state of a run: hosts as rows, the plan's cases as columns. A
// board without rows is one line.
type Board struct {
	Columns []BoardColumn
	Rows    []BoardRow // in the order in which people know the hosts
	// Share is how much of the run is done, from 0 to 1; Left estimates the
	// remaining time.
	Share float64
	Left  time.Duration
	Text  string // after the remaining time
}

// BoardColumn is one case. If there is no room for every case, adjacent ones of
// one Group share a column.
type BoardColumn struct{ Name, Group string }

// BoardRow is one host.
type BoardRow struct {
	Name  string
	Cells []Cell // one for each column
	Now   string // what it does now
	With  string // on what, or with whom: shown alone if both do not fit
	Busy  bool   // it measures, or prepares to
	Away  string // why it cannot be asked, "" where it can
}

// Cell is the progress of the trials of one case on one host, in counted
// repeats.
type Cell struct {
	Of      int // planned; 0 where nothing can be measured
	Ended   int
	Failed  int // of Ended
	Running int // under way
	Warming int // warm-ups under way
	Lost    int // will not run: a host is away
	Figure  string
}

// Plus returns the sum of two cells. It has no figure: none speaks for
// different trials.
func (c Cell) Plus(d Cell) Cell {
	c.Of, c.Ended, c.Failed = c.Of+d.Of, c.Ended+d.Ended, c.Failed+d.Failed
	c.Running, c.Warming, c.Lost = c.Running+d.Running, c.Warming+d.Warming, c.Lost+d.Lost
	c.Figure = ""
	return c
}

// mark shows the progress of the cell, in at most count columns.
func (c Cell) mark() line {
	of := fmt.Sprintf("%d/%d", min(c.Ended+c.Running, c.Of), c.Of)
	switch {
	case c.Of == 0:
		return line{"–", dim}
	case c.Running+c.Warming > 0 && c.Failed > 0:
		return line{"▸" + of + "✗", red}
	case c.Running+c.Warming > 0:
		return line{"▸" + of, cyan}
	case c.Lost > 0 && c.Ended == 0:
		return line{"?", yellow}
	case c.Lost > 0 && c.Ended+c.Lost >= c.Of:
		return line{"?" + of, yellow}
	case c.Failed > 0 && c.Ended < c.Of:
		return line{of + "✗", red}
	case c.Failed > 0 && c.Of > 1:
		return line{fmt.Sprintf("✗%d/%d", c.Failed, c.Of), red}
	case c.Failed > 0:
		return line{"✗", red}
	case c.Ended >= c.Of:
		return line{"✓", green}
	case c.Ended == 0:
		return line{"·", dim}
	}
	return line{of, plain}
}

// count returns the most columns that the mark ever takes during the run.
func (c Cell) count() int {
	if c.Of == 0 {
		return 1
	}
	return len(fmt.Sprintf("%d/%d", c.Of, c.Of)) + 2
}

// Lines draws the board in at most that many columns and lines. If there are
// more hosts than lines, those that are away or busy are shown first, and one
// line counts the others. Colour only repeats what the marks show.
func (b Board) Lines(columns, lines int, color bool) []string {
	p := &page{columns: max(columns, 10), color: color}
	rows, others := b.choose(max(lines-2, 0)) // the heading and the sum
	if len(rows) > 0 {
		b.rows(p, rows)
	}
	if others != "" {
		p.put(line{within(others, p.columns), dim})
	}
	b.sum(p)
	return strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n")
}

// sum is the last line: a bar, the remaining time, and the text.
func (b Board) sum(p *page) {
	const cells = 20
	full := min(max(int(b.Share*cells), 0), cells)
	text := " " + Clock(b.Left) + " left  " + clean(b.Text)
	n := min(cells, p.columns/3)
	full = full * n / cells
	p.put(line{strings.Repeat("█", full), cyan}, line{strings.Repeat("░", n-full), dim}, line{within(text, p.columns-n), plain})
}

// Clock formats a remaining time as minutes and seconds, with hours if it is
// that long.
func Clock(d time.Duration) string {
	s := int(max(d, 0).Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// choose returns at most room rows, in their order, and a text for the others.
func (b Board) choose(room int) (rows []BoardRow, others string) {
	if len(b.Rows) <= room {
		return b.Rows, ""
	}
	if room < 2 {
		return nil, ""
	}
	order := make([]int, len(b.Rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return b.Rows[i].rank() - b.Rows[j].rank() })
	shown := order[:room-1]
	slices.Sort(shown)
	for _, i := range shown {
		rows = append(rows, b.Rows[i])
	}
	var rest Cell
	for _, i := range order[room-1:] {
		for _, c := range b.Rows[i].Cells {
			rest = rest.Plus(c)
		}
	}
	return rows, fmt.Sprintf("and %d more hosts: %d of %d repeats done", len(b.Rows)-len(rows), rest.Ended, rest.Of)
}

// rank orders rows by how much they deserve a look.
func (r BoardRow) rank() int {
	ended, failed, of := 0, 0, 0
	for _, c := range r.Cells {
		ended, failed, of = ended+c.Ended, failed+c.Failed, of+c.Of
	}
	switch {
	case r.Away != "":
		return 0
	case failed > 0:
		return 1
	case r.Busy:
		return 2
	case ended < of:
		return 3
	}
	return 4
}

// Width returns how many columns a text from Lines takes.
func Width(s string) int { return width(sgr.ReplaceAllString(s, "")) }

// sgr matches what switches colours.
var sgr = lazyregexp.New(`\x1b\[[0-9;]*m`)
