package report

import (
	"fmt"
	"slices"

	"assay/internal/prose"
)

// mostSaturated is how many curves the verdict names.
const mostSaturated = 3

// withScaling adds where totals stop growing to a verdict, before its advice.
func withScaling(verdict []Sentence, curves []Scaling) []Sentence {
	var said []Sentence
	left := 0
	for _, s := range curves {
		switch {
		case s.Saturated == 0:
		case len(said) == mostSaturated:
			left++
		default:
			said = append(said, Sentence{"limit", s.Text + "."})
		}
	}
	if left > 0 {
		said = append(said, Sentence{"limit", fmt.Sprintf("Totals stop growing in %s: see the scaling section.", prose.Plural(left, "more curve"))})
	}
	at := slices.IndexFunc(verdict, func(s Sentence) bool { return s.Kind == "next" })
	if at < 0 {
		at = len(verdict)
	}
	return slices.Insert(slices.Clone(verdict), at, said...)
}
