package markdown

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"assay"
	"assay/report"
)

// Write writes the whole document at once. The error is w's.
func Write(w io.Writer, d report.Document) error {
	p := &page{}
	p.head(d.Run)
	p.verdict(d.Verdict)
	p.away(d.Away)
	p.tiers(d.Tiers)
	p.scaling(d.Scaling)
	p.side(d)
	for _, s := range d.Sections {
		if d.SumsUp(s) {
			p.ways(s, d)
			continue
		}
		p.section(s)
	}
	if len(d.Sections) == 0 {
		p.block("Nothing was measured.")
	}
	p.among(d.Among)
	p.footnotes(d)
	p.unchecked(d)
	p.facts(d.Facts)
	_, err := w.Write(p.Bytes())
	return err
}

// page collects blocks with one empty line between them.
type page struct{ bytes.Buffer }

func (p *page) block(lines ...string) {
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	for _, l := range lines {
		p.WriteString(l)
		p.WriteByte('\n')
	}
}

func (p *page) head(h report.Header) {
	title := join(" ", "assay", escape(h.Suite))
	if hosts := escape(h.On()); hosts != "" {
		title += " on " + hosts
	}
	p.block("# " + title)
	var words []string
	if h.ID != "" {
		words = append(words, "run "+escape(h.ID))
	}
	if !h.Started.IsZero() {
		words = append(words, h.Started.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if h.Elapsed > 0 {
		words = append(words, report.Amount(h.Elapsed, assay.Seconds))
	}
	if h.Version != "" {
		words = append(words, "assay "+escape(h.Version))
	}
	if h.ID != "" {
		words = append(words, fmt.Sprintf("seed %d", h.Seed))
	}
	switch h.Status {
	case assay.RunDone, "":
	case assay.RunPartial:
		words = append(words, "partial: some of what was planned has no number")
	default:
		words = append(words, escape(string(h.Status)))
	}
	if len(words) > 0 {
		p.block(strings.Join(words, " · "))
	}
	for _, n := range h.Notes {
		p.block("Note: " + escape(n.Text))
	}
}

func (p *page) verdict(sentences []report.Sentence) {
	var lines []string
	for _, s := range sentences {
		lines = append(lines, "- **"+escape(s.Kind)+"**: "+escape(s.Text))
	}
	if len(lines) > 0 {
		p.block("## Verdict")
		p.block(lines...)
	}
}

// footnotes are written as a numbered list; the numbers in the tables are
// theirs, so the list keeps them whatever they are.
func (p *page) footnotes(d report.Document) {
	if len(d.Findings) == 0 {
		return
	}
	titles := map[string]string{}
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if _, known := titles[r.Trial]; !known {
				titles[r.Trial] = join(" on ", r.Title, r.Subject)
			}
		}
	}
	says := map[assay.Severity]string{assay.Rejects: "rejects", assay.Warns: "warns", assay.Informs: "informs"}
	p.block("## Footnotes")
	about := func(f report.Footnote) string {
		if title := titles[f.Subject]; title != "" {
			return title
		}
		return f.Subject
	}
	for _, g := range report.Groups(d.Findings) {
		same := g.Same()
		p.block("**" + join(" ", says[same.Severity], escape(same.Rule)) + "**: " + escape(same.Message))
		var lines []string
		for _, f := range g {
			text := fmt.Sprintf("%d. %s: %s", max(f.Number, 0), escape(about(f)), escape(f.Arithmetic))
			if f.Advice != same.Advice {
				text += ". Next: " + escape(f.Advice)
			}
			lines = append(lines, text)
		}
		p.block(lines...)
		if same.Advice != "" {
			p.block("Next: " + escape(same.Advice))
		}
	}
}

// unchecked lists the rules that lacked a fact, and what would give it.
func (p *page) unchecked(d report.Document) {
	if len(d.Open) == 0 && len(d.Missing) == 0 {
		return
	}
	p.block("## Not checked")
	var lines []string
	for _, f := range d.Open {
		l := "- " + escape(f.Rule) + ": " + escape(f.Subject)
		if f.Missing != "" {
			l += ", for want of: " + escape(f.Missing)
		}
		lines = append(lines, l)
	}
	for _, m := range d.Missing {
		l := "- unknown: " + escape(m.Fact) + ", " + escape(m.Why)
		if m.Hint != "" {
			l += "; to know it: " + escape(m.Hint)
		}
		lines = append(lines, l)
	}
	p.block(lines...)
}

func (p *page) facts(groups []report.FactGroup) {
	var rows [][]string
	for _, g := range groups {
		title := escape(g.Title)
		for _, f := range g.Rows {
			rows = append(rows, []string{title, escape(f.Name), escape(f.Value)})
			title = "" // said once
		}
	}
	if len(rows) > 0 {
		p.block("## Machine")
		p.table([]string{"", "", ""}, []bool{false, false, false}, rows)
	}
}

// table writes cells that are escaped already.
func (p *page) table(header []string, right []bool, rows [][]string) {
	marks := make([]string, len(header))
	for i := range marks {
		marks[i] = "---"
		if right[i] {
			marks[i] = "--:"
		}
	}
	lines := []string{tableLine(header), tableLine(marks)}
	for _, r := range rows {
		lines = append(lines, tableLine(r))
	}
	p.block(lines...)
}

func tableLine(cells []string) string {
	return "| " + strings.Join(cells, " | ") + " |"
}

// join puts sep between the words that are there.
func join(sep string, words ...string) string {
	var there []string
	for _, w := range words {
		if w != "" {
			there = append(there, w)
		}
	}
	return strings.Join(there, sep)
}
