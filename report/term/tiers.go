package term

import (
	"strings"

	"assay/compare"
	"assay/report"
	"assay/report/versus"
)

// tiers sets kinds of storage beside each other: tables with a column a tier,
// then what is not compared, what bounds each of them, and notes.
func (p *page) tiers(d report.Document) {
	t := d.Tiers
	if t == nil {
		return
	}
	for _, table := range t.Tables {
		p.rule(clean(table.Title))
		p.tierBars(table)
		p.say(table.Note, "", dim)
		p.say(report.TierLegend(table, "below"), "", dim)
		p.put()
		p.tierTable(table)
		for _, text := range table.Refused {
			p.hang(line{"≠ ", yellow}, text, plain)
		}
	}
	p.rule("The tiers")
	for _, c := range t.Columns {
		p.hang(line{"  " + clean(c.Name) + "  ", dim}, c.What, plain)
	}
	for _, text := range t.Notes {
		p.hang(line{"  · ", dim}, text, plain)
	}
	if len(t.Binds) == 0 {
		return
	}
	p.rule("What binds")
	styles := map[string]style{"limit": cyan, "doubt": yellow, "next": blue}
	for _, b := range t.Binds {
		p.hang(line{"  · ", styles[b.Kind]}, b.Text, plain)
		p.say(b.Arithmetic(), "    ", dim)
	}
}

// tierBars draws what the cases of a table are about.
func (p *page) tierBars(t report.TierTable) {
	all := report.BarsOf(t)
	name, value, against := 0, 0, len("✗ rejected")
	for _, one := range all {
		for _, b := range one.Bars {
			name, value, against = max(name, width(clean(b.Column))), max(value, width(b.Value)), max(against, width(b.Against))
		}
	}
	long := min(p.columns-2-name-2-2-value-2-against, 60)
	for _, one := range all {
		p.say(clean(one.Title), "", strong)
		for _, b := range one.Bars {
			p.tierBar(b, "  "+pad(clean(b.Column), name, false)+"  ", long, value)
		}
		p.put()
	}
}

func (p *page) tierBar(b report.TierBar, name string, long, value int) {
	if b.Absent != nil {
		p.put(line{name, plain}, line{"– " + clean(string(b.Absent.Word)), yellow})
		return
	}
	share := b.Length
	if b.Beyond {
		share = 2
	}
	drawn, said := line{bar(share, long), cyan}, line{b.Against, plain}
	if b.Rejected {
		drawn, said = line{strings.ReplaceAll(drawn.text, "█", "░"), red}, line{"✗ rejected", red}
	}
	if long < 8 {
		drawn = line{}
	} else {
		drawn.text = pad(drawn.text, long, false) + "  "
	}
	p.put(line{name, plain}, drawn, line{pad(b.Value, value, true) + "  ", plain}, said)
}

// tierTable writes a table with ratios beside the figures where there is room,
// else below them.
func (p *page) tierTable(t report.TierTable) {
	count := t.Count()
	for _, wide := range []bool{true, false} {
		var rows []sideRow
		for i, r := range t.Rows {
			own := ""
			if count == "" {
				own = report.CommonCount(r.Sides())
			}
			row := sideRow{unit: join(", ", clean(r.Heading()), own)}
			if !t.Continues(i) {
				row.title = join(", ", clean(r.Title), clean(r.Settings))
			}
			for _, c := range r.Cells {
				row.cells = append(row.cells, tierCell(c, r.Metric, wide))
			}
			rows = append(rows, row)
		}
		if !wide || sideWidth(t.Columns, rows)+titleRoom <= p.columns {
			p.beside("", "", t.Columns, rows, "")
			return
		}
	}
}

// titleRoom is how many columns the titles of a table of tiers should have.
const titleRoom = 30

// tierCell is a figure with what it is to the base: one line each where there is
// room, else value, spread, ratio and interval under each other.
func tierCell(c report.TierCell, metric string, wide bool) besideCell {
	out := newSideCell(c.SideCell, metric)
	if wide && len(out.box) > 1 && c.Figure != nil && out.box[1].style == dim {
		out.box[0].text += " " + out.box[1].text
		out.box = append(out.box[:1], out.box[2:]...)
	}
	switch {
	case c.Refused != "":
		out.box = append(out.box, line{"≠ other load", yellow})
	case c.Against != nil:
		ratio, interval, _ := strings.Cut(versus.Ratio(compare.Row{Metric: metric}, c.Against), " [")
		if c.Against.Difference == nil && c.Against.Ratio > 0 {
			ratio += " ×"
		}
		if c.Same() {
			ratio = "~ " + ratio
		}
		if interval != "" {
			interval = "[" + interval
		}
		if wide {
			ratio, interval = join(" ", ratio, interval), ""
		}
		out.box = append(out.box, line{ratio, cyan})
		if interval != "" {
			out.box = append(out.box, line{interval, dim})
		}
	}
	return out
}

// sideWidth is how many columns the cells of a table take, without its titles.
func sideWidth(hosts []string, rows []sideRow) int {
	sum := 0
	for i, h := range hosts {
		widest := width(clean(h))
		for _, r := range rows {
			for _, l := range r.cells[i].box {
				widest = max(widest, width(l.text))
			}
		}
		sum += 2 + widest
	}
	return sum
}
