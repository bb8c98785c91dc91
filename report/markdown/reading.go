package markdown

import (
	"io"
	"strings"

	"assay"
	"assay/report"
)

// WriteReading writes a report on other people's figures for pasting beside
// them. The error is w's.
func WriteReading(w io.Writer, r report.Reading) error {
	p := &page{}
	p.block(paragraph(r.Summary))
	for _, out := range r.Outputs {
		p.block("## " + join(" ", escape(out.Title), escape(hostWords(out.Host)), "(`"+oneLine(out.From)+"`)"))
		if out.Settings != "" {
			p.block(paragraph(out.Settings))
		}
		var rows [][]string
		for _, f := range out.Figures {
			mark := ""
			if f.Rejected {
				mark = "rejected"
			}
			rows = append(rows, []string{escape(f.Metric), escape(f.Text), mark})
		}
		if len(rows) > 0 {
			p.table([]string{"figure", "value", "audit"}, []bool{false, true, false}, rows)
		}
		p.findings(out.Findings)
	}
	if len(r.Across) > 0 {
		p.block("## Across outputs")
		p.findings(r.Across)
	}
	if len(r.Known) > 0 {
		p.block("## Known of the machines")
		p.facts(r.Known)
	}
	if len(r.Open) > 0 {
		p.block("## Not checked, for want of a fact")
		var lines []string
		for _, w := range r.Open {
			lines = append(lines, "- "+escape(join(": ", w.Fact, w.Hint))+" ("+escape(strings.Join(w.Rules, ", "))+")")
		}
		p.block(lines...)
	}
	if len(r.Unread) > 0 {
		p.block("## Not read")
		var lines []string
		for _, u := range r.Unread {
			lines = append(lines, "- `"+oneLine(report.Place(u.File, u.Line))+"`: "+escape(u.Why))
		}
		p.block(lines...)
	}
	_, err := w.Write(p.Bytes())
	return err
}

func hostWords(host string) string {
	if host == "" {
		return ""
	}
	return "on " + host
}

var severities = map[assay.Severity]string{assay.Rejects: "rejects", assay.Warns: "warns", assay.Informs: "informs"}

func (p *page) findings(all []assay.Finding) {
	var lines []string
	for _, f := range all {
		text := "- **" + severities[f.Severity] + "** " + escape(f.Message) + " (" + escape(f.Rule) + "): " + escape(f.Arithmetic)
		if f.Advice != "" {
			text += ". Next: " + escape(f.Advice)
		}
		lines = append(lines, text)
	}
	if len(lines) > 0 {
		p.block(lines...)
	}
}
