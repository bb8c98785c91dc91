package report

import (
	"testing"

	"assay"
)

func TestGroups(t *testing.T) {
	note := func(n int, rule, advice string) Footnote {
		return Footnote{Number: n, Finding: assay.Finding{Rule: rule, Severity: assay.Warns, Message: "m", Advice: advice}}
	}
	groups := groupsOf([]Footnote{note(1, "cov", "wait"), note(2, "cov", "wait"), note(3, "little", "a"), note(4, "cov", "x"), note(5, "cov", "y")})
	if len(groups) != 3 || len(groups[0]) != 2 || len(groups[1]) != 1 || len(groups[2]) != 2 {
		t.Fatalf("groups %v: neighbours alone belong together", groups)
	}
	if groups[0].same().Advice != "wait" || groups[2].same().Advice != "" {
		t.Errorf("advice %q and %q: only what all say is said once", groups[0].same().Advice, groups[2].same().Advice)
	}
	if notes := findingNotes(Document{Findings: []Footnote{note(1, "cov", "x"), note(2, "cov", "x"), note(3, "cov", "y")}}); notes[0].Advice != "" || notes[1].Advice != "x" || notes[2].Advice != "y" {
		t.Errorf("%+v: what two neighbours advise is said once, after both", notes)
	}
	if groupsOf(nil) != nil {
		t.Error("nothing is no group")
	}
}
