package term

import (
	"assay/report"
)

// scaling shows how the total of several hosts grows: a line for each number of
// them with a bar, what share that is of what they have alone, and the verdict.
func (p *page) scaling(curves []report.Scaling) {
	if len(curves) == 0 {
		return
	}
	p.rule("Several hosts at once")
	p.say(report.ScalingNote, "", dim)
	for _, s := range curves {
		p.put()
		p.say(clean(s.Name()), "", strong)
		p.points(s)
		mark := line{"  → ", plain}
		if s.Saturated > 0 {
			mark.style = cyan
		}
		p.hang(mark, clean(s.Text), plain)
	}
}

// points draws one curve, from nothing to its greatest total.
func (p *page) points(s report.Scaling) {
	var hosts, totals, shares []string
	most, h, t, e := 0., 0, 0, 0
	for _, point := range s.Points {
		hosts = append(hosts, plural(point.Hosts, "host"))
		total := ""
		if f := point.Figure; f != nil {
			total = join(" ", report.Quantity(s.Metric, f.Value), report.Spread(*f))
			most = max(most, f.Value)
		}
		totals, shares = append(totals, total), append(shares, point.Share())
		h, t, e = max(h, width(hosts[len(hosts)-1])), max(t, width(total)), max(e, width(point.Share()))
	}
	used := 2 + h + 2 + t + 2 + e + 2
	long := min(p.columns-used, 40)
	for i, point := range s.Points {
		name := line{"  " + pad(hosts[i], h, true) + "  ", plain}
		if point.Figure == nil {
			p.hang(line{name.text + "– ", yellow}, clean(string(point.Absent.Word)+": "+point.Absent.Why), yellow)
			continue
		}
		drawn := line{}
		if long >= 6 && most > 0 {
			drawn = line{"  " + bar(point.Figure.Value/most, long), cyan}
		}
		p.put(name, line{pad(totals[i], t, false) + "  ", valueStyle(*point.Figure)}, line{pad(shares[i], e, true), plain}, drawn)
	}
}
