package html

import (
	"cmp"
	"slices"
	"strings"

	"assay/report/block"
)

// tableView is a table as the page shows it.
type tableView struct {
	block.Table
	Anchor string
	Class  string
	Note   string // below the title of a map
	Broad  bool   // too broad to stand beside another map
	Headed bool
	Span   int // columns
	Rest   int // columns but the first
	Rows   []rowView
}

type rowView struct {
	block.Row
	ID    string // that footnotes link to
	Name  *cellView
	Again bool // the row before has the same name
	Cells []cellView
}

const (
	// mostColumns is how many figures fit side by side: in a table with more
	// kinds of them (SMART data), each gets its own line.
	mostColumns = 7
	// mapsAbreast is the most names a heat map may have to stand beside another.
	mapsAbreast = 4
)

func (p *painter) table(t block.Table) tableView {
	numbers := false
	for _, r := range t.Rows {
		numbers = numbers || slices.ContainsFunc(r.Cells, func(c block.Cell) bool { return c.Figure != nil })
	}
	switch {
	case t.Wide:
		return p.side(t)
	case !numbers:
		return p.grid(t, "plain words", nil)
	case len(t.Columns) > mostColumns+1:
		return p.long(t)
	}
	return p.grid(t, "figures", nil)
}

// side returns a table whose columns are of one kind. Columns with a worse
// figure come first: readers look for them, and there may be no room for all.
func (p *painter) side(t block.Table) tableView {
	if !t.Grouped {
		return p.grid(p.worstFirst(t), "side", nil)
	}
	// A name is shown once, above its rows, which are titled by the text under it.
	grouped := t
	grouped.Rows = nil
	for i, r := range t.Rows {
		if !t.Continues(i) {
			grouped.Rows = append(grouped.Rows, block.Row{Head: true, Cells: []block.Cell{{Text: r.Name().Text}}})
		}
		if len(r.Cells) > 0 {
			r.Cells = slices.Clone(r.Cells)
			name := r.Cells[0]
			r.Cells[0] = block.Cell{Text: strings.Join(name.Under, ", "), Is: name.Is, Notes: name.Notes}
		}
		grouped.Rows = append(grouped.Rows, r)
	}
	grouped.Grouped = false
	return p.grid(grouped, "side grouped", nil)
}

func (p *painter) worstFirst(t block.Table) block.Table {
	var order []int
	for i := range t.Columns {
		order = append(order, i)
	}
	rank := func(i int) int {
		at := slices.Index(p.worst, t.Columns[i].Heading)
		if i == 0 {
			return -2
		}
		if at < 0 {
			return len(p.worst)
		}
		return at
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	if slices.IsSorted(order) {
		return t
	}
	columns, rows := make([]block.Column, len(order)), make([]block.Row, len(t.Rows))
	for to, from := range order {
		columns[to] = t.Columns[from]
	}
	for i, r := range t.Rows {
		rows[i] = r
		if r.Head || len(r.Cells) > len(order) {
			continue
		}
		rows[i].Cells = make([]block.Cell, len(order))
		for to, from := range order {
			if from < len(r.Cells) {
				rows[i].Cells[to] = r.Cells[from]
			}
		}
	}
	t.Columns, t.Rows = columns, rows
	return t
}

// long puts each figure of a row on its own line, under the row's name.
func (p *painter) long(t block.Table) tableView {
	lines := t
	lines.Columns, lines.Rows = []block.Column{{Heading: "figure"}, {Heading: "value"}}, nil
	for _, r := range t.Rows {
		if len(r.Cells) == 0 {
			continue
		}
		lines.Rows = append(lines.Rows, block.Row{Head: true, Cells: r.Cells[:1], Remarks: r.Remarks})
		if r.Absent != nil {
			lines.Rows = append(lines.Rows, block.Row{Absent: r.Absent})
		}
		for i, c := range r.Cells[1:] {
			if c.Text == "" && c.Absent == nil {
				continue
			}
			heading := ""
			if i+1 < len(t.Columns) {
				heading = t.Columns[i+1].Heading
			}
			lines.Rows = append(lines.Rows, block.Row{Cells: []block.Cell{{Text: heading}, c}})
		}
	}
	return p.grid(lines, "figures long", nil)
}

// heatMap is a matrix whose cells are coloured by their value.
func (p *painter) heatMap(m block.Matrix) tableView {
	t := m.Table()
	h := heatOf(t)
	v := p.grid(t, "side map", &h)
	v.Note, v.Broad = joined(". ", "From the row to the column"+prefixed(", ", m.Aside), h.words()), len(m.Names) > mapsAbreast
	return v
}

func prefixed(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// grid returns the table itself; h colours its cells.
func (p *painter) grid(t block.Table, class string, h *heat) tableView {
	v := tableView{Table: t, Class: class, Anchor: p.anchor(), Span: len(t.Columns)}
	for _, c := range t.Columns {
		v.Headed = v.Headed || c.Heading != ""
	}
	for _, r := range t.Rows {
		v.Span = max(v.Span, len(r.Cells))
	}
	v.Span = max(v.Span, 1)
	v.Rest = max(v.Span-1, 1)
	for i, r := range t.Rows {
		row := p.row(v, r, h)
		row.Again = t.Continues(i)
		v.Rows = append(v.Rows, row)
	}
	return v
}

func (p *painter) row(t tableView, r block.Row, h *heat) rowView {
	v := rowView{Row: r, ID: p.cited(r)}
	if len(r.Cells) > 0 {
		name := p.cell(r.Cells[0])
		v.Name = &name
	}
	if r.Head {
		return v
	}
	sparked := t.Wide
	for i := 1; i < t.Span; i++ {
		var c block.Cell
		if i < len(r.Cells) {
			c = r.Cells[i]
		}
		one := p.cell(c)
		var class []string
		switch {
		case c.Self:
			class = append(class, "self")
		case one.Empty:
			class = append(class, "empty")
		}
		if f := c.Figure; f != nil {
			if h != nil && !f.Rejected {
				class = append(class, h.shade(float64(f.Value)))
			}
			if f.Odd != "" {
				class = append(class, "is-odd", oddClass(f.Odd))
			}
			if !sparked {
				one.Spark, sparked = sparkOf(*f), true
			}
		}
		if i < len(t.Columns) {
			one.Label = t.Columns[i].Heading
			if t.Columns[i].Right && c.Absent == nil {
				class = append(class, "num")
			}
		}
		one.Class = joined(" ", class...)
		v.Cells = append(v.Cells, one)
	}
	return v
}

func oddClass(odd string) string {
	switch odd {
	case "worse":
		return "odd-worse"
	case "better":
		return "odd-better"
	}
	return ""
}

// cited returns the anchor of the first row that cites some footnote, for the
// footnote to link back to; "" for any other row.
func (p *painter) cited(r block.Row) string {
	id := ""
	for _, c := range r.Cells {
		for _, n := range c.Notes {
			if p.noted[n] && p.rows[n] == "" {
				if id == "" {
					id = p.anchor()
				}
				p.rows[n] = id
			}
		}
	}
	return id
}
