package markdown

import (
	"strings"

	"assay/report"
)

// side writes the hosts beside each other: a table of what each has, and for
// each network a table from the row to the column.
func (p *page) side(d report.Document) {
	s := d.Side
	if s == nil {
		return
	}
	p.block("## Side by side")
	for _, t := range s.Tables {
		p.block("### " + escape(t.Title))
		header, right := []string{"test", "figure"}, []bool{false, false}
		for _, h := range s.Hosts {
			header, right = append(header, escape(h)), append(right, true)
		}
		var rows [][]string
		for _, r := range t.Rows {
			line := []string{escape(r.Title), join(", ", escape(r.Label), report.CommonCount(r.Cells))}
			rows = append(rows, append(line, sideCells(r.Cells, report.CommonCount(r.Cells) == "")...))
		}
		p.table(header, right, rows)
	}
	for _, m := range s.Networks {
		if alike := m.Alike(); alike != "" {
			p.block("### "+escape(m.Network+": "+m.Name()), "", escape(alike)+".")
			continue
		}
		p.block("### " + escape(m.Heading()))
		count := report.CommonCount(m.Cells...)
		if count != "" {
			p.block("From the row to the column, " + count + ".")
		} else {
			p.block("From the row to the column.")
		}
		header, right := []string{"from"}, []bool{false}
		for _, h := range m.Hosts {
			header, right = append(header, "to "+escape(h)), append(right, true)
		}
		var rows [][]string
		for i, from := range m.Hosts {
			rows = append(rows, append([]string{escape(from)}, sideCells(m.Cells[i], count == "")...))
		}
		p.table(header, right, rows)
	}
	p.block("▼ is clearly worse and ▲ clearly better than the others; in parentheses the interval of the median, (?) is too few repeats for one.")
	var lines []string
	for _, o := range d.Unsaid() {
		lines = append(lines, "- "+escape(o.Text))
	}
	if len(lines) > 0 {
		p.block(lines...)
	}
}

// sideCells writes one row of cells; each with its own n where they differ.
func sideCells(cells []report.SideCell, counts bool) []string {
	var out []string
	for _, c := range cells {
		switch {
		case c.Figure != nil:
			mark := map[string]string{"worse": "▼", "better": "▲"}[c.Odd]
			text := join(" ", mark, cell(*c.Figure))
			if counts {
				text += " " + report.Count(*c.Figure)
			}
			if c.Via != "" {
				text += " via " + escape(c.Via)
			}
			out = append(out, text)
		case c.Absent != nil:
			out = append(out, escape(strings.TrimSpace(string(c.Absent.Word))))
		default:
			out = append(out, "–")
		}
	}
	return out
}
