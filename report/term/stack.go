package term

import "assay/report"

// item is one figure of a list: its heading, and its value with all behind it.
type item struct {
	name, text, trail string
	style, behind     style
}

// stack lists the figures of each row under its title, in as many columns as
// the width allows and with the same columns for all rows.
func (p *page) stack(t table) {
	all := make([][]item, len(t.rows))
	for i, r := range t.rows {
		for _, layer := range layers(r, t.kinds) {
			for _, f := range layer {
				if f == nil {
					continue
				}
				all[i] = append(all[i], item{label(*f), value(*f), trail(*f), valueStyle(*f), trailStyle(*f)})
			}
		}
	}
	across := 1
	for n := 4; n > 1; n-- {
		if total(stackColumns(all, n)) <= p.columns {
			across = n
			break
		}
	}
	cols := stackColumns(all, across)
	if across == 1 && total(cols) > p.columns {
		cols = nil
	}
	for i, r := range t.rows {
		p.stackRow(t, r, all[i], cols)
	}
}

func (p *page) stackRow(t table, r report.Row, items []item, cols []column) {
	p.heading(t, r)
	across := (len(cols) + 2) / 3
	for i := 0; i < len(items); i += max(across, 1) {
		if cols == nil {
			it := items[i]
			p.hang(line{"  ", plain}, join(" ", it.name, it.text, it.trail), it.style)
			continue
		}
		var blocks []box
		for _, it := range items[i:min(i+across, len(items))] {
			blocks = append(blocks, styled(dim, it.name), styled(it.style, it.text), styled(it.behind, it.trail))
		}
		p.row(cols, blocks)
	}
	if r.Absent != nil {
		p.absent(r, "  ")
	}
	p.afterRow(r, t.kinds)
}

// stackColumns measures n items side by side: name, value, what is behind it.
func stackColumns(rows [][]item, n int) []column {
	cols := make([]column, 3*n)
	for i := range n {
		cols[3*i].gap, cols[3*i+1].gap, cols[3*i+2].gap = 3, 2, 1
		cols[3*i+1].right = true
	}
	cols[0].gap = 2
	for _, items := range rows {
		for i, it := range items {
			c := cols[i%n*3:]
			c[0].width = max(c[0].width, width(it.name))
			c[1].width = max(c[1].width, width(it.text))
			c[2].width = max(c[2].width, width(it.trail))
		}
	}
	for i := range n {
		if cols[3*i+2].width == 0 {
			cols[3*i+2].gap = 0
		}
	}
	return cols
}
