package report

import (
	"testing"

	"assay"
	"assay/report/block"

	"github.com/google/go-cmp/cmp"
)

// What all findings of one rule advise is said once; what each advises, of each.
func TestAdviceThatFindingsShareIsSaidOnce(t *testing.T) {
	found := func(number int, rule, subject, advice string) Footnote {
		return Footnote{Number: number, Finding: assay.Finding{Rule: rule, Severity: assay.Warns, Message: rule + "!", Subject: subject, Advice: advice}}
	}
	blocks := findingBlocks(Document{Findings: []Footnote{
		found(1, "cov", "a", "wait"), found(2, "cov", "b", "wait"), found(3, "bimodal", "a", "look at a"), found(4, "bimodal", "b", "look at b"), found(5, "cache", "a", "write"),
	}})
	want := []block.Footnote{
		{Number: 1, Text: "cov!", Name: "cov", About: "a", Shared: "wait"}, {Number: 2, Name: "cov", About: "b"},
		{Number: 3, Text: "bimodal!", Name: "bimodal", About: "a", Advice: "look at a"}, {Number: 4, Name: "bimodal", About: "b", Advice: "look at b"},
		{Number: 5, Text: "cache!", Name: "cache", About: "a", Advice: "write"},
	}
	for i := range want {
		want[i].Is, want[i].Word = block.Doubt, "warns"
	}
	if d := cmp.Diff(want, blocks[1].(block.Footnotes).Notes); d != "" {
		t.Error(d)
	}
}
