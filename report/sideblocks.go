package report

import (
	"assay/analysis"
	"assay/internal/quantity"
	"assay/report/block"
)

// sideBlocks are the hosts beside each other: what each of them has, and for each
// network who reaches whom how fast.
func sideBlocks(d Document) block.Blocks {
	s := d.Side
	if s == nil {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Side by side"}}
	all = append(all, quietly(sideBasis(s))...)
	for _, t := range s.Tables {
		all = append(all, sideTableBlock(t, s.Hosts))
	}
	for _, m := range s.Networks {
		all = append(all, matrixBlock(m))
	}
	for _, o := range d.Unsaid() {
		kind, word := block.Bad, "worse"
		if o.Better {
			kind, word = block.Good, "better"
		}
		all = append(all, block.Sentence{Is: kind, Word: word, Text: o.Text})
	}
	return all
}

func sideBasis(s *Side) string {
	var figures []Figure
	add := func(rows ...[]SideCell) {
		for _, cells := range rows {
			for _, c := range cells {
				if c.Figure != nil {
					figures = append(figures, *c.Figure)
				}
			}
		}
	}
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			add(r.Cells)
		}
	}
	for _, m := range s.Networks {
		add(m.Cells...)
	}
	return joinWords("; ", basis(figures, ""), "▼ is clearly worse and ▲ clearly better than the others.")
}

func sideTableBlock(t SideTable, hosts []string) block.Table {
	var cells [][]SideCell
	for _, r := range t.Rows {
		cells = append(cells, r.Cells)
	}
	out := block.Table{Title: t.Title, Aside: analysis.CommonCount(cells...), Columns: besideColumns("test", hosts), Wide: true}
	for _, r := range t.Rows {
		own := ""
		if out.Aside == "" {
			own = analysis.CommonCount(r.Cells)
		}
		row := block.Row{Cells: []block.Cell{{Text: r.Title, Under: filled(joinWords(", ", quantity.Heading(r.Label, r.Metric), own))}}}
		for i, c := range r.Cells {
			row.Cells = append(row.Cells, sideBlockCell(hosts[i], c, out.Aside == "" && own == ""))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// besideColumns are columns of one kind: hosts, tiers.
func besideColumns(first string, names []string) []block.Column {
	columns := []block.Column{{Heading: first}}
	for _, n := range names {
		columns = append(columns, block.Column{Heading: n, Right: true})
	}
	return columns
}

// matrixBlock is a network from each host to each other, or a sentence where all
// its ways are alike.
func matrixBlock(m Matrix) block.Block {
	if alike := m.Alike(); alike != "" {
		return block.Sentence{Text: m.Network + ": " + m.Name() + ": " + alike}
	}
	out := block.Matrix{Title: m.Heading(), Aside: analysis.CommonCount(m.Cells...), Names: m.Hosts}
	for i, row := range m.Cells {
		var cells []block.Cell
		for _, c := range row {
			cells = append(cells, sideBlockCell(m.Hosts[i], c, out.Aside == ""))
		}
		out.Cells = append(out.Cells, cells)
	}
	return out
}

// sideBlockCell is what one host has, or the word for why it has nothing; counts
// says whether it says what it rests on.
func sideBlockCell(host string, c SideCell, counts bool) block.Cell {
	switch {
	case c.Figure != nil:
		cell := shortCell(host, *c.Figure)
		cell.Figure.Odd = c.Odd
		if counts {
			cell.Figure.Count = analysis.Count(*c.Figure)
		}
		if c.Via != "" {
			cell.Under = []string{"via " + c.Via}
		}
		return cell
	case c.Absent != nil:
		return block.Cell{Absent: &block.Absent{Word: string(c.Absent.Word)}} // the section says why
	}
	return block.Cell{Self: true}
}
