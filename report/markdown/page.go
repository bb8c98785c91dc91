package markdown

import (
	"bytes"
	"strings"
)

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

// table writes cells that are already escaped.
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

// join joins the non-empty words with sep.
func join(sep string, words ...string) string {
	var there []string
	for _, w := range words {
		if w != "" {
			there = append(there, w)
		}
	}
	return strings.Join(there, sep)
}
