package report

import (
	"assay/analysis"
)

// Group is findings that say the same of several figures, one after the other.
type Group []analysis.Footnote

// Same is what they have in common: rule, severity and message, and the advice
// where it is the same for all.
func (g Group) Same() Footnote {
	first := g[0]
	for _, f := range g[1:] {
		if f.Advice != first.Advice {
			first.Advice = ""
		}
	}
	return first
}

// Groups joins neighbours that say the same. Eight trials that were too short
// are one thing to read, with eight sums.
func Groups(findings []Footnote) []Group {
	var out []Group
	for _, f := range findings {
		if n := len(out); n > 0 {
			last := out[n-1][0]
			if last.Rule == f.Rule && last.Severity == f.Severity && last.Message == f.Message {
				out[n-1] = append(out[n-1], f)
				continue
			}
		}
		out = append(out, Group{f})
	}
	return out
}
