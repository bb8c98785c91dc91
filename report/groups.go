package report

import (
	"strings"

	"assay/internal/prose"
	"assay/internal/quantity"
)

// group is consecutive findings that say the same about several figures.
type group []Footnote

// same returns what they have in common: rule, severity and message, and the
// advice if all share it.
func (g group) same() Footnote {
	first := g[0]
	for _, f := range g[1:] {
		if f.Advice != first.Advice {
			first.Advice = ""
		}
	}
	return first
}

// groupsOf joins neighbours that say the same: eight trials that were too short
// read as one finding, with eight calculations.
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

// alike splits a group by finding number.
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

// about names the subject of findings with one number: a trial, or one case on
// several hosts. titles are from titlesOf.
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
			about = strings.Replace(of, " on "+host+"/", " on ", 1)
		}
	}
	if len(g) == 1 {
		return about
	}
	return prose.And(hosts) + ": " + about
}

// sum returns the arithmetic of findings with one number.
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
