package term

import "assay/report"

// among places figures among published ones: a paragraph each.
func (p *page) among(lines []report.Among) {
	if len(lines) == 0 {
		return
	}
	p.rule("Among others")
	p.say(report.AmongNote, "", dim)
	p.put()
	for _, a := range lines {
		p.hang(line{"  ", plain}, join(": ", clean(a.Title), clean(a.Text)), plain)
		if a.Apart != "" {
			p.say("published: "+clean(a.Apart), "    ", dim)
		}
	}
}
