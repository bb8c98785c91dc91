package term

import (
	"strings"

	"assay/report"
)

// side sets the hosts beside each other: a table of what each of them has, and
// for each network who reaches whom how fast.
func (p *page) side(d report.Document) {
	s := d.Side
	if s == nil {
		return
	}
	p.rule("Side by side")
	p.say(sideLegend(s), "", dim)
	for _, t := range s.Tables {
		p.put()
		p.sideTable(t, s.Hosts)
	}
	for _, m := range s.Networks {
		p.put()
		p.matrix(m)
	}
	p.outliers(d.Unsaid())
}

// sideLegend says once what every number below rests on.
func sideLegend(s *report.Side) string {
	var figures []report.Figure
	each(s, func(c report.SideCell) {
		if c.Figure != nil {
			figures = append(figures, *c.Figure)
		}
	})
	level, several, unsure := 0., false, false
	for _, f := range figures {
		level, several, unsure = max(level, f.Level), several || f.N > 1, unsure || spread(f) == "± ?"
	}
	words := "Single readings, so without a spread"
	if several {
		words = "Median of the repeats"
	}
	parts := []string{words}
	if level > 0 {
		parts = append(parts, "± is how far its "+percent(level)+" interval reaches")
	}
	if unsure {
		parts = append(parts, "± ? is too few repeats for one")
	}
	return strings.Join(append(parts, "▼ is clearly worse and ▲ clearly better than the others"), "; ") + "."
}

func each(s *report.Side, visit func(report.SideCell)) {
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			for _, c := range r.Cells {
				visit(c)
			}
		}
	}
	for _, m := range s.Networks {
		for _, row := range m.Cells {
			for _, c := range row {
				visit(c)
			}
		}
	}
}

// sideRow is a line of a table on its way to the page.
type sideRow struct {
	title, unit string
	cells       []besideCell
}

// besideCell is what stands in one cell; nothing is there where it was never to
// be measured.
type besideCell struct {
	box
	there bool
	worse bool // clearly worse than the others
}

func newSideCell(c report.SideCell, metric string) besideCell {
	return besideCell{sideCell(c, metric), c.Figure != nil || c.Absent != nil, c.Odd == "worse"}
}

func newSideCells(cells []report.SideCell, metric string) []besideCell {
	var out []besideCell
	for _, c := range cells {
		out = append(out, newSideCell(c, metric))
	}
	return out
}

func (p *page) sideTable(t report.SideTable, hosts []string) {
	var rows []sideRow
	var all [][]report.SideCell
	for _, r := range t.Rows {
		all = append(all, r.Cells)
	}
	count := report.CommonCount(all...)
	for _, r := range t.Rows {
		own := ""
		if count == "" {
			own = report.CommonCount(r.Cells)
		}
		rows = append(rows, sideRow{clean(r.Title), join(", ", clean(report.Heading(r.Label, r.Metric)), own), newSideCells(r.Cells, r.Metric)})
	}
	p.beside(clean(t.Title), count, hosts, rows, "")
}

func (p *page) matrix(m report.Matrix) {
	if alike := m.Alike(); alike != "" {
		p.hang(line{clean(m.Network+": "+m.Name()) + "  ", strong}, clean(alike), plain)
		return
	}
	var rows []sideRow
	for i, from := range m.Hosts {
		rows = append(rows, sideRow{title: clean(from), cells: newSideCells(m.Cells[i], m.Metric)})
	}
	p.beside(clean(m.Heading()), report.CommonCount(m.Cells...), m.Hosts, rows, "from ↓ to →")
}

// beside writes a table with a column a host: titles beside the figures, or
// where that is too wide, above them, or a list of hosts under each title.
func (p *page) beside(title, count string, hosts []string, rows []sideRow, corner string) {
	if title != "" && count != "" && width(title)+3+width(count) <= p.columns {
		p.put(line{title, strong}, line{" · " + count, dim})
	} else {
		for _, l := range wrap(title, p.columns) {
			p.put(line{l, strong})
		}
		p.say(count, "", dim)
	}
	cols := []column{{width: width(corner)}}
	for i, h := range hosts {
		c := column{gap: 2, width: width(clean(h)), right: true}
		for _, r := range rows {
			for _, l := range r.cells[i].box {
				c.width = max(c.width, width(l.text))
			}
		}
		cols = append(cols, c)
	}
	longest := 0
	for _, r := range rows {
		longest = max(longest, width(r.title), width(r.unit))
	}
	room := p.columns - total(cols[1:])
	least := max(min(longest, 22), cols[0].width)
	switch {
	case room >= least:
		cols[0].width = max(min(longest, room, 44), width(corner))
		p.sideGrid(cols, hosts, rows, corner)
	case room >= 2 && corner == "":
		cols[0].width = min(room, 8)
		p.row(cols, sideHeader(hosts, corner))
		for _, r := range rows {
			p.hang(line{"", plain}, join(", ", r.title, r.unit), plain)
			p.row(cols, sideBlocks(nil, r))
		}
	case fitting(cols[1:], p.columns-least) >= fewestBeside:
		p.inBlocks(cols, least, hosts, rows, corner)
	default:
		p.transposed(hosts, rows, corner != "")
	}
}

// sideGrid writes the heading and the rows with the titles beside the figures.
func (p *page) sideGrid(cols []column, hosts []string, rows []sideRow, corner string) {
	p.row(cols, sideHeader(hosts, corner))
	for _, r := range rows {
		words := styled(plain, wrap(r.title, cols[0].width)...)
		words = append(words, styled(dim, wrap(r.unit, cols[0].width)...)...)
		p.row(cols, sideBlocks(words, r))
	}
}

// fewestBeside is how many hosts a block of a table must have: with fewer, a
// list of hosts under each title is easier to read.
const fewestBeside = 4

// fitting counts how many of the columns fit beside each other.
func fitting(cols []column, room int) int {
	for i, c := range cols {
		if room -= c.gap + c.width; room < 0 {
			return i
		}
	}
	return len(cols)
}

// inBlocks writes a table of many hosts as several under each other, each with
// as many hosts as fit, and the titles again.
func (p *page) inBlocks(cols []column, titles int, hosts []string, rows []sideRow, corner string) {
	cols[0].width = titles
	for from := 0; from < len(hosts); {
		to := from + max(1, fitting(cols[1+from:], p.columns-titles))
		if from > 0 {
			p.put()
		}
		part := make([]sideRow, len(rows))
		for i, r := range rows {
			part[i] = r
			part[i].cells = r.cells[from:to]
		}
		p.sideGrid(append([]column{cols[0]}, cols[1+from:1+to]...), hosts[from:to], part, corner)
		from = to
	}
}

func sideHeader(hosts []string, corner string) []box {
	blocks := []box{styled(dim, corner)}
	for _, h := range hosts {
		blocks = append(blocks, styled(dim, clean(h)))
	}
	return blocks
}

func sideBlocks(words box, r sideRow) []box {
	blocks := []box{words}
	for _, c := range r.cells {
		blocks = append(blocks, c.box)
	}
	return blocks
}

// transposed writes a line a host under each title, which always fits.
func (p *page) transposed(hosts []string, rows []sideRow, matrix bool) {
	for _, r := range rows {
		title := join(", ", r.title, r.unit)
		if matrix {
			title = "from " + r.title + " to"
		}
		p.hang(line{"", plain}, title, plain)
		for i, h := range hosts {
			c := r.cells[i]
			if !c.there {
				continue
			}
			var words []string
			for _, l := range c.box {
				words = append(words, l.text)
			}
			st := plain
			if c.worse {
				st = red
			}
			p.hang(line{"  " + clean(h) + "  ", dim}, strings.Join(words, " "), st)
		}
	}
}

// sideCell is one host's value with its mark, and its spread below; or the word
// for why there is none.
func sideCell(c report.SideCell, metric string) box {
	switch {
	case c.Figure != nil:
		f := *c.Figure
		text, _ := report.Short(metric, f.Value)
		st := plain
		switch c.Odd {
		case "worse":
			text, st = "▼ "+text, red
		case "better":
			text, st = "▲ "+text, green
		}
		if f.Rejected {
			text, st = "✗ "+text, red
		}
		b := styled(st, text)
		if s := spread(f); s != "" {
			b = append(b, line{s, dim})
		}
		if c.Via != "" {
			b = append(b, line{shorten("via "+clean(c.Via), 12), yellow})
		}
		if m := marks(f); m != "" && width(m) <= 12 {
			b = append(b, line{m, yellow})
		}
		return b
	case c.Absent != nil:
		return styled(yellow, wrap(clean(string(c.Absent.Word)), 9)...)
	}
	return styled(dim, "–")
}

// outliers says in words who else stands out.
func (p *page) outliers(all []report.Outlier) {
	if len(all) == 0 {
		return
	}
	p.put()
	for _, o := range all {
		mark, st := "▼ ", red
		if o.Better {
			mark, st = "▲ ", green
		}
		p.hang(line{mark, st}, o.Text, plain)
	}
}
