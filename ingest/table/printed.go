package table

import (
	"slices"

	"assay"
)

// Printed is a table as it stands in a text, with the figures read from its
// cells.
type Printed struct {
	Line    int    // of the header
	Caption string // the heading or the line above it
	Header  []string
	Rows    []PrintedRow
	Read    []ReadCell
}

// PrintedRow is one line of a table, with a cell for each column.
type PrintedRow struct {
	Line  int
	Cells []string
}

// ReadCell is a figure read from a cell.
type ReadCell struct {
	Row, Column int
	Result      int // of the table's results
	Metric      string
}

// spot is the position of a figure in a printed table.
type spot struct{ table, row, column int }

// printed returns the grid for people to read. A row without figures stays: it
// is part of what was published.
func (g grid) printed() Printed {
	p := Printed{Line: g.line, Header: g.header}
	if near := g.above.near(); len(near) > 0 {
		p.Caption = near[0]
	}
	for _, r := range g.rows {
		p.Rows = append(p.Rows, PrintedRow{r.line, r.cells})
	}
	return p
}

// place records which figures the cells of the printed tables hold. of has the row
// of each result.
func place(printed []Printed, of []row) []Printed {
	for result, r := range of {
		for _, f := range r.figures {
			if f.at != nil {
				p := &printed[f.at.table]
				p.Read = append(p.Read, ReadCell{f.at.row, f.at.column, result, f.metric})
			}
		}
	}
	return slices.DeleteFunc(printed, func(p Printed) bool { return len(p.Read) == 0 })
}

// placeLines is place for one figure per line, all in one column.
func (p *Printed) placeLines(column int, results []assay.Result) {
	rows := map[int]int{}
	for i, r := range p.Rows {
		rows[r.Line] = i
	}
	for result, res := range results {
		for _, rep := range res.Repeats {
			for _, m := range rep.Measurements {
				p.Read = append(p.Read, ReadCell{rows[m.Line], column, result, m.Metric})
			}
		}
	}
}
