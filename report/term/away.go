package term

import "assay/report"

// away lists the hosts that could not be queried or were lost, each with why, and
// what to try.
func (p *page) away(hosts []report.Away) {
	if len(hosts) == 0 {
		return
	}
	p.rule("Hosts that were away")
	p.put()
	longest := 0
	for _, a := range hosts {
		longest = max(longest, min(width(clean(a.Host)), 16))
	}
	for _, a := range hosts {
		name := pad(shorten(clean(a.Host), 16), longest, false)
		p.hang(line{name + "  ", yellow}, clean(a.When()+": "+a.Absent.Why+"; "+a.Cost()), plain)
		if a.Absent.Hint != "" {
			p.hang(line{pad("", longest, false) + "  hint: ", dim}, clean(a.Absent.Hint), plain)
		}
	}
}
