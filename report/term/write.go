package term

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"assay"
	"assay/report"
)

// Options is how a report is shown.
type Options struct {
	// Width is how many columns there are; 0 is 80, and less than 40 is 40.
	Width int
	// Color allows colour. The caller decides, by terminal and NO_COLOR.
	Color bool
}

// Write prints the whole document at once. The error is w's.
func Write(w io.Writer, d report.Document, o Options) error {
	p := newPage(o)
	p.head(d.Run)
	p.verdict(d.Verdict)
	p.away(d.Away)
	p.tiers(d)
	p.scaling(d.Scaling)
	p.side(d)
	for _, s := range d.Sections {
		if d.SumsUp(s) {
			p.ways(s, d)
			continue
		}
		p.section(s, d.Plots)
	}
	if len(d.Sections) == 0 {
		p.put()
		p.say("Nothing was measured.", "", plain)
	}
	p.among(d.Among)
	p.heat(d.Plots.Heat)
	p.footnotes(d)
	p.machine(d.Facts)
	p.unchecked(d)
	p.more(d.Run)
	_, err := w.Write(p.Bytes())
	return err
}

func newPage(o Options) *page {
	p := &page{columns: o.Width, color: o.Color}
	if p.columns <= 0 {
		p.columns = 80
	}
	p.columns = max(p.columns, 40)
	return p
}

// head says which run this is.
func (p *page) head(h report.Header) {
	title := join(" ", "assay", clean(h.Suite))
	if hosts := clean(h.On()); hosts != "" {
		title += " on " + hosts
	}
	for _, l := range wrap(title, p.columns) {
		p.put(line{l, strong})
	}
	var started, elapsed, version, status string
	if !h.Started.IsZero() {
		started = h.Started.UTC().Format("2006-01-02 15:04 UTC")
	}
	if h.Elapsed > 0 {
		elapsed = report.Amount(h.Elapsed, assay.Seconds)
		if h.Budget > 0 {
			elapsed += " of " + report.Amount(h.Budget, assay.Seconds)
		}
	}
	if h.Version != "" {
		version = "assay " + h.Version
	}
	switch h.Status {
	case assay.RunPartial:
		status = "partial: some of what was planned has no number"
	case assay.RunDone, "":
	default:
		status = string(h.Status)
	}
	seed := ""
	if h.ID != "" && h.Seed != 0 {
		seed = "seed " + strconv.FormatInt(h.Seed, 10)
	}
	p.say(join(" · ", h.ID, started, elapsed, version, seed, status), "", dim)
	for _, n := range h.Notes {
		p.hang(line{"note: ", dim}, n.Text, dim)
	}
}

// verdict is what to remember if nothing else is read.
func (p *page) verdict(sentences []report.Sentence) {
	styles := map[string]style{"good": green, "bad": red, "limit": cyan, "doubt": yellow, "note": plain, "next": blue}
	if len(sentences) > 0 {
		p.put()
	}
	for _, s := range sentences {
		kind := shorten(clean(s.Kind), 8)
		p.hang(line{"  " + pad(kind, 5, false) + "  ", styles[kind]}, s.Text, plain)
	}
}

// footnotes are the findings, each under the number by which it was cited.
func (p *page) footnotes(d report.Document) {
	if len(d.Findings) == 0 {
		return
	}
	p.rule("Footnotes")
	p.put()
	says := map[assay.Severity]line{
		assay.Rejects: {"rejects", red}, assay.Warns: {"warns", yellow}, assay.Informs: {"informs", cyan},
	}
	titles := titlesOf(d)
	digits := len(strconv.Itoa(len(d.Findings)))
	for _, g := range report.Groups(d.Findings) {
		same := g.Same()
		word, known := says[same.Severity]
		if !known {
			word = line{"says", plain}
		}
		p.finding(g, line{pad(word.text, 7, false) + "  ", word.style}, digits, titles)
	}
}

// finding prints findings that say the same: once what they say, and for each
// its row and its sum.
func (p *page) finding(g report.Group, word line, digits int, titles map[string]string) {
	same := g.Same()
	indent := strings.Repeat(" ", width(word.text))
	if len(g) == 1 {
		number := pad(fmt.Sprintf("[%d]", same.Number), digits+2, true) + " "
		indent = strings.Repeat(" ", width(number)) + indent
		p.hang(line{number + word.text, word.style}, join(" ", clean(same.Message), "("+aboutWhat(same.Finding, titles)+")"), plain)
		p.say(same.Arithmetic, indent, dim)
		p.next(same.Advice, indent)
		return
	}
	p.hang(word, join(" ", clean(same.Message), "("+clean(same.Rule)+")"), plain)
	for _, f := range g {
		number := pad(fmt.Sprintf("[%d]", f.Number), digits+2, true) + " "
		p.hang(line{indent + number, word.style}, join(": ", trialTitle(f.Finding, titles), clean(f.Arithmetic)), dim)
		if f.Advice != same.Advice {
			p.next(f.Advice, indent+strings.Repeat(" ", width(number)))
		}
	}
	p.next(same.Advice, indent)
}

func (p *page) next(advice, indent string) {
	if advice != "" {
		p.hang(line{indent + "next: ", dim}, advice, plain)
	}
}

// aboutWhat names the row and the rule of a finding.
func aboutWhat(f assay.Finding, titles map[string]string) string {
	return join("; ", trialTitle(f, titles), clean(f.Rule))
}

func trialTitle(f assay.Finding, titles map[string]string) string {
	if title := titles[f.Subject]; title != "" {
		return title
	}
	return clean(f.Subject)
}

// titlesOf names each trial by the title of its first row, and by its subject
// too where several trials share the title.
func titlesOf(d report.Document) map[string]string {
	titles, subjects, owner, shared := map[string]string{}, map[string]string{}, map[string]string{}, map[string]bool{}
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if _, known := titles[r.Trial]; known {
				continue
			}
			title := clean(r.Title)
			titles[r.Trial], subjects[r.Trial] = title, clean(r.Subject)
			if first, taken := owner[title]; taken && first != r.Trial {
				shared[title] = true
			}
			owner[title] = r.Trial
		}
	}
	for trial, title := range titles {
		if shared[title] {
			titles[trial] = join(" on ", title, subjects[trial])
		}
	}
	return titles
}

// machine says in a few lines what was measured on.
func (p *page) machine(groups []report.FactGroup) {
	if len(groups) == 0 {
		return
	}
	p.rule("Machine")
	const most = 18
	longest := 0
	for _, g := range groups {
		longest = max(longest, min(width(clean(g.Title)), most))
	}
	for _, g := range groups {
		var facts []string
		for _, f := range g.Rows {
			facts = append(facts, join(": ", clean(f.Name), clean(f.Value)))
		}
		title := clean(g.Title)
		if width(title) > most { // several hosts: a line of its own
			p.say(title, "", dim)
			title = ""
		}
		p.hang(line{pad(title, longest, false) + "  ", dim}, strings.Join(facts, " · "), plain)
	}
}

// more is where to look next.
func (p *page) more(h report.Header) {
	if h.ID == "" {
		return
	}
	id := clean(h.ID)
	p.put()
	p.hang(line{"more: ", dim}, "assay show "+id, plain)
	p.hang(line{"      ", dim}, "assay report "+id+" --format html -o assay.html", plain)
}
