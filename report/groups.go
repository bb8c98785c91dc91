package report

import (
	"strings"

	"assay/internal/prose"
	"assay/internal/quantity"
)

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

// alike parts a group by the numbers of its findings.
func (g group) alike() []group {
	var out []group
	for _, f := range g {
		if n := len(out); n > 0 && out[n-1][0].Number == f.Number {
			out[n-1] = append(out[n-1], f)
			continue
		}
		out = append(out, group{f})
	}
	return out
}

// about names what findings of one number are about: a trial, or one case on several
// hosts. titles are those of titlesOf.
func (g group) about(titles map[string]string) string {
	var hosts []string
	about := ""
	for _, f := range g {
		if about = titles[f.Subject]; about == "" {
			about = f.Subject
		}
		host, of, _ := strings.Cut(about, ": ")
		hosts = append(hosts, host)
		if len(g) > 1 {
			about = of
		}
	}
	if len(g) == 1 {
		return about
	}
	return prose.And(hosts) + ": " + about
}

// sum is the arithmetic of findings of one number.
func (g group) sum() string {
	var all []string
	for _, f := range g {
		all = append(all, f.Arithmetic)
	}
	if one, is := quantity.Ranges(all); is {
		return one
	}
	return g[0].Arithmetic
}
