package report

// group is findings that say the same of several figures, one after the other.
type group []Footnote

// same is what they have in common: rule, severity and message, and the advice
// where it is the same for all.
func (g group) same() Footnote {
	first := g[0]
	for _, f := range g[1:] {
		if f.Advice != first.Advice {
			first.Advice = ""
		}
	}
	return first
}

// groupsOf joins neighbours that say the same. Eight trials that were too short
// are one thing to read, with eight sums.
func groupsOf(findings []Footnote) []group {
	var out []group
	for _, f := range findings {
		if n := len(out); n > 0 {
			last := out[n-1][0]
			if last.Rule == f.Rule && last.Severity == f.Severity && last.Message == f.Message {
				out[n-1] = append(out[n-1], f)
				continue
			}
		}
		out = append(out, group{f})
	}
	return out
}
