package term

import (
	"slices"

	"assay/report"
)

// ways sums up a section of many links: a line for each figure of a network,
// from the worst way to the best, then what has no figure and what the audit
// rejects, in full. The ways one by one are in the matrices.
func (p *page) ways(s report.Section, d report.Document) {
	p.rule(clean(s.Title))
	t := newTable(s)
	p.say(s.Note, "", dim)
	p.say(t.legend(), "", dim)
	for _, words := range s.Settings() {
		p.say(clean(words), "", dim)
	}
	network := ""
	for _, m := range d.Side.Networks {
		summary := clean(m.Summary())
		if summary == "" {
			continue
		}
		if m.Network != network {
			network = m.Network
			p.put()
			p.put(line{shorten(clean(network), p.columns), strong})
		}
		p.hang(line{"  ", plain}, join(": ", clean(m.Name()), summary), plain)
	}
	p.lacks(s.Lacks())
	rejected := s
	rejected.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r report.Row) bool {
		return !slices.ContainsFunc(r.Figures, func(f report.Figure) bool { return f.Rejected })
	})
	if len(rejected.Rows) > 0 {
		p.put()
		p.rows(newTable(rejected))
	}
	p.put()
	p.say("All "+plural(len(s.Rows), "row")+" one by one: in the HTML and JSON reports.", "", dim)
}

// lacks says of rows that have no figures, or few, why.
func (p *page) lacks(all []report.Lack) {
	if len(all) == 0 {
		return
	}
	p.put()
	for _, l := range all {
		p.hang(line{"  – ", yellow}, clean(plural(len(l.Titles), "row")+": "+l.Text), yellow)
		p.say(clean(l.Names()), "    ", dim)
		if l.Hint != "" {
			p.hang(line{"    hint: ", dim}, clean(l.Hint), plain)
		}
	}
}
