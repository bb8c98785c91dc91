package term

import (
	"io"
	"strings"

	"assay"
	"assay/report"
)

// WriteReading prints a report on other people's figures. The error is w's.
func WriteReading(w io.Writer, r report.Reading, o Options) error {
	p := newPage(o)
	p.say(r.Summary, "", strong)
	for _, out := range r.Outputs {
		p.output(out)
	}
	if len(r.Across) > 0 {
		p.rule("Across outputs")
		for _, f := range r.Across {
			p.verdictOn(f, clean(f.Subject))
		}
	}
	p.known(r.Known)
	p.wanted(r.Open)
	p.unread(r.Unread)
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) output(out report.Output) {
	title := out.Title
	if out.Host != "" {
		title += " on " + out.Host
	}
	p.rule(join("  ", out.From, title))
	if out.Settings != "" {
		p.say(out.Settings, "  ", dim)
	}
	p.figures(out.Figures)
	for _, f := range out.Findings {
		p.verdictOn(f, "")
	}
}

// figures prints a line for each direction: what belongs together stands
// together, and what was rejected is marked.
func (p *page) figures(all []report.Reported) {
	var order []string
	groups := map[string][]report.Reported{}
	widest := 0
	for _, f := range all {
		if groups[f.Group] == nil {
			order = append(order, f.Group)
			widest = max(widest, width(f.Group))
		}
		groups[f.Group] = append(groups[f.Group], f)
	}
	for _, g := range order {
		mark := line{"  " + pad(clean(g), widest, false) + "  ", strong}
		at := 0
		var pieces []line
		flush := func() {
			if len(pieces) > 0 {
				p.put(append([]line{mark}, pieces...)...)
				mark = line{strings.Repeat(" ", width(mark.text)), plain}
			}
			pieces, at = nil, 0
		}
		for _, f := range groups[g] {
			st, text := plain, join(" ", clean(f.Name), f.Text)
			if f.Rejected {
				st, text = red, text+"!"
			}
			if at > 0 && width(mark.text)+at+width(text) > p.prose() {
				flush()
			}
			pieces = append(pieces, line{text, st}, line{"   ", plain})
			at += width(text) + 3
		}
		flush()
	}
}

var words = map[assay.Severity]line{
	assay.Rejects: {"rejects", red}, assay.Warns: {"warns", yellow}, assay.Informs: {"informs", cyan},
}

// verdictOn prints a finding: what it means, the sum, and what to do.
func (p *page) verdictOn(f assay.Finding, about string) {
	word, known := words[f.Severity]
	if !known {
		word = line{"says", plain}
	}
	mark := line{"  " + pad(word.text, 7, false) + "  ", word.style}
	indent := strings.Repeat(" ", width(mark.text))
	p.hang(mark, join(" ", clean(f.Message), "("+join("; ", about, clean(f.Rule))+")"), plain)
	p.say(f.Arithmetic, indent, dim)
	p.next(f.Advice, indent)
}

// known says in a line for each group what the rules were told of the machines.
func (p *page) known(groups []report.FactGroup) {
	if len(groups) == 0 {
		return
	}
	p.rule("Known of the machines")
	for _, g := range groups {
		var words []string
		for _, f := range g.Rows {
			words = append(words, clean(f.Name)+" "+clean(f.Value))
		}
		p.hang(line{"  " + clean(g.Title) + "  ", strong}, strings.Join(words, " · "), plain)
	}
}

// wanted says which facts would decide what could not be checked: first those
// that can be given, then in a line the rest.
func (p *page) wanted(open []report.Wanted) {
	if len(open) == 0 {
		return
	}
	p.rule("Not checked, for want of a fact")
	var rules []string
	for _, w := range open {
		if !w.Given {
			for _, r := range w.Rules {
				rules = addNew(rules, clean(r))
			}
			continue
		}
		p.hang(line{"  - ", yellow}, clean(w.Fact)+": "+clean(w.Hint)+" ("+few(w.Rules, 3)+")", plain)
	}
	if len(rules) > 0 {
		p.hang(line{"  - ", yellow}, "what only the run itself could have told: "+strings.Join(rules, ", ")+"; --format json says what each would need", plain)
	}
}

func (p *page) unread(all []report.Unread) {
	if len(all) == 0 {
		return
	}
	p.rule("Not read")
	for _, u := range all {
		text := clean(u.Why)
		if u.Hint != "" {
			text += " (" + clean(u.Hint) + ")"
		}
		p.hang(line{"  " + report.Place(u.File, u.Line) + "  ", dim}, text, plain)
	}
}
