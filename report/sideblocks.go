package report

import (
	"fmt"
	"math"
	"strconv"

	"assay/analysis"
	"assay/internal/quantity"
	"assay/report/block"
)

// sideBlocks shows the hosts side by side: what each has, and for each network,
// who reaches whom how fast.
func sideBlocks(d Document) block.Blocks {
	s := d.Side
	if s == nil {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Side by side"}}
	all = append(all, quietly(sideBasis(s))...)
	for _, o := range d.unsaid() {
		kind, word := block.Bad, "worse"
		if o.Better {
			kind, word = block.Good, "better"
		}
		all = append(all, block.Sentence{Is: kind, Word: word, Text: o.Text})
	}
	for _, t := range s.Tables {
		all = append(all, sideTableBlock(t, s.Hosts))
	}
	var said []string
	for _, m := range s.Networks {
		if ways := alike(m); ways != "" {
			said = append(said, m.Network+": "+matrixName(m)+": "+ways)
		} else {
			all = append(all, matrixBlock(m))
		}
	}
	if len(said) > 0 {
		all = append(all, block.List{Items: said})
	}
	return all
}

func sideBasis(s *Side) string {
	var figures []Figure
	add := func(rows ...[]analysis.SideCell) {
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

func sideTableBlock(t analysis.SideTable, hosts []string) block.Table {
	var cells [][]analysis.SideCell
	for _, r := range t.Rows {
		cells = append(cells, r.Cells)
	}
	out := block.Table{Title: t.Title, Aside: commonCellCount(cells...), Columns: besideColumns("test", hosts), Wide: true}
	for _, r := range t.Rows {
		own := ""
		if out.Aside == "" {
			own = countRange(r.Cells)
		}
		row := block.Row{Cells: []block.Cell{{Text: r.Title, Under: filled(joinWords(", ", quantity.Heading(r.Label, r.Metric), own))}}}
		for i, c := range r.Cells {
			row.Cells = append(row.Cells, sideBlockCell(hosts[i], c))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// besideColumns returns columns of one kind: hosts, tiers.
func besideColumns(first string, names []string) []block.Column {
	columns := []block.Column{{Heading: first}}
	for _, n := range names {
		columns = append(columns, block.Column{Heading: n, Right: true})
	}
	return columns
}

// matrixBlock shows a network from each host to every other.
func matrixBlock(m analysis.Matrix) block.Matrix {
	out := block.Matrix{Title: matrixHeading(m), Aside: countRange(m.Cells...), Names: m.Hosts}
	for i, row := range m.Cells {
		var cells []block.Cell
		for _, c := range row {
			cells = append(cells, sideBlockCell(m.Hosts[i], c))
		}
		out.Cells = append(out.Cells, cells)
	}
	return out
}

// commonCellCount returns what all figures of some cells rest on, "n=6 × 5 s", or
// "" if they differ or there are none. Tools stop some ms early or late: lengths
// within a twentieth of each other count as equal.
func commonCellCount(rows ...[]analysis.SideCell) string {
	common, alike := Figure{}, true
	least, most := math.Inf(1), 0.
	for _, cells := range rows {
		for _, c := range cells {
			if c.Figure == nil {
				continue
			}
			if common.N > 0 && c.Figure.N != common.N {
				return ""
			}
			alike = alike && (common.N == 0 || Count(common) == Count(*c.Figure))
			common = *c.Figure
			least, most = min(least, common.Seconds), max(most, common.Seconds)
		}
	}
	switch {
	case common.N == 0 || most > 1.05*least:
		return ""
	case alike:
		return Count(common)
	}
	return fmt.Sprintf("n=%d × about %s", common.N, quantity.DurationTwo((least+most)/2))
}

// countRange returns the range of what the figures of some cells rest on: "n=6 ×
// 5.00 s", "n=2 to 3 × 5.00 s"; "" if there are none.
func countRange(rows ...[]analysis.SideCell) string {
	if common := commonCellCount(rows...); common != "" {
		return common
	}
	fewest, most, shortest, longest := math.MaxInt, 0, math.Inf(1), 0.
	for _, cells := range rows {
		for _, c := range cells {
			if f := c.Figure; f != nil {
				fewest, most = min(fewest, f.N), max(most, f.N)
				shortest, longest = min(shortest, f.Seconds), max(longest, f.Seconds)
			}
		}
	}
	if most == 0 {
		return ""
	}
	text := "n=" + fromTo(strconv.Itoa(fewest), strconv.Itoa(most))
	if longest > 0 {
		text += " × " + fromTo(quantity.Duration(shortest), quantity.Duration(longest))
	}
	return text
}

func fromTo(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
}

// sideBlockCell returns one host's figure, or the word for why it has none.
func sideBlockCell(host string, c analysis.SideCell) block.Cell {
	switch {
	case c.Figure != nil:
		cell := shortCell(host, *c.Figure)
		cell.Figure.Odd = c.Odd
		if c.Via != "" {
			cell.Under = []string{"via " + c.Via}
		}
		return cell
	case c.Absent != nil:
		return block.Cell{Absent: &block.Absent{Word: string(c.Absent.Word)}} // the section says why
	}
	return block.Cell{Self: true}
}
