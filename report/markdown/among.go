package markdown

import (
	"strings"

	"assay/report"
)

// among places figures among published ones: an item each, and where these were published.
func (p *page) among(lines []report.Among) {
	if len(lines) == 0 {
		return
	}
	p.block("## Among others")
	p.block(escape(report.AmongNote))
	var items []string
	for _, a := range lines {
		item := "- " + join(": ", "**"+escape(a.Title)+"**", escape(a.Text))
		if a.Apart != "" {
			item += ". Published: " + escape(a.Apart)
		}
		items = append(items, item)
	}
	p.block(items...)
	if sources := report.AmongSources(lines); len(sources) > 0 {
		p.block("Sources: " + escape(strings.Join(sources, "; ")) + ".")
	}
}
