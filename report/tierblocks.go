package report

import "assay/report/block"

// tierBlocks shows kinds of storage side by side, with their ratios to the
// first, and what bounds each of them.
func tierBlocks(t *Tiers) block.Blocks {
	if t == nil {
		return nil
	}
	hosts := map[string]string{}
	for _, c := range t.Columns {
		hosts[c.Name] = c.Host
	}
	var all block.Blocks
	for _, table := range t.Tables {
		all = append(all, block.Heading{Level: 1, Text: table.Title})
		all = append(all, quietly(table.Note)...)
		if bars := tierBars(table, hosts); len(bars.Bars) > 0 {
			all = append(all, bars)
		}
		all = append(all, quietly(tierLegend(table))...)
		all = append(all, tierTableBlock(table, hosts))
		for _, text := range table.Refused {
			all = append(all, block.Sentence{Is: block.Doubt, Word: "≠", Text: text})
		}
	}
	var what [][]string
	for _, c := range t.Columns {
		what = append(what, []string{c.Name, c.What})
	}
	all = append(all, block.Heading{Level: 1, Text: "The tiers"}, block.Texts([]string{"tier", "what it is"}, what))
	if len(t.Notes) > 0 {
		all = append(all, block.List{Items: t.Notes})
	}
	if len(t.Binds) > 0 {
		all = append(all, block.Heading{Level: 1, Text: "What binds"})
	}
	for _, b := range t.Binds {
		all = append(all, block.Sentence{Is: block.Kind(b.Kind), Text: b.Text, Sum: b.Arithmetic()})
		if b.Held != "" {
			all = append(all, block.Sentence{Is: block.Note, Text: b.Held})
		}
	}
	return all
}

func tierTableBlock(t TierTable, hosts map[string]string) block.Table {
	out := block.Table{Columns: besideColumns("test", t.Columns), Wide: true, Grouped: true}
	for _, r := range t.Rows {
		own := ""
		if t.count() == "" {
			own = countRange(r.sides())
		}
		row := block.Row{Cells: []block.Cell{{Text: joinWords(", ", r.Title, r.Settings), Under: filled(joinWords(", ", tierHeading(r), own))}}}
		for i, c := range r.Cells {
			row.Cells = append(row.Cells, tierBlockCell(hosts[t.Columns[i]], c, r.Metric))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// tierBlockCell returns a figure with its ratio to the base.
func tierBlockCell(host string, c TierCell, metric string) block.Cell {
	cell := sideBlockCell(host, c.SideCell)
	switch {
	case c.Refused != "":
		cell.Under = append(cell.Under, "≠ other load")
	case c.Against != nil:
		cell.Under = append(cell.Under, againstBase(c, metric)...)
	}
	return cell
}
