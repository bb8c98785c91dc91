package markdown

import (
	"fmt"
	"slices"
	"strings"

	"assay/report"
)

// ways sums up a section of many links: a line for each figure of a network,
// then what has no figure, and what the audit rejects as a table. The ways one by
// one are in the matrices.
func (p *page) ways(s report.Section, d report.Document) {
	p.block("## " + escape(s.Title))
	words := append([]string{escape(s.Note)}, strings.TrimSuffix(legend(s.Rows), "."))
	for _, how := range s.Settings() {
		words = append(words, escape(how))
	}
	p.block(join("; ", words...) + ".")
	var rows [][]string
	for _, m := range d.Side.Networks {
		if summary := m.Summary(); summary != "" {
			rows = append(rows, []string{escape(m.Network), escape(m.Name()), escape(summary)})
		}
	}
	p.table([]string{"network", "figure", "from the worst way to the best"}, []bool{false, false, false}, rows)
	var lines []string
	for _, l := range s.Lacks() {
		line := fmt.Sprintf("- %d × %s (%s)", len(l.Titles), escape(l.Text), escape(l.Names()))
		if l.Hint != "" {
			line += "; hint: " + escape(l.Hint)
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		p.block(lines...)
	}
	rejected := slices.DeleteFunc(slices.Clone(s.Rows), func(r report.Row) bool {
		return !slices.ContainsFunc(r.Figures, func(f report.Figure) bool { return f.Rejected })
	})
	if len(rejected) > 0 {
		p.rows(rejected)
	}
	p.block(fmt.Sprintf("All %d rows one by one: in the HTML and JSON reports.", len(s.Rows)))
}
