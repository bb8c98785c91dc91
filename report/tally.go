package report

import (
	"fmt"

	"assay"
	"assay/internal/prose"
	"assay/report/block"
)

// tally counts what a reader must not overlook.
func tally(d Document) []block.Sentence {
	figures, rejected, absent, warnings := 0, 0, 0, 0
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if r.Absent != nil || len(r.Figures) == 0 {
				absent++
			}
			for _, f := range r.Figures {
				figures++
				if f.Rejected {
					rejected++
				}
			}
		}
	}
	for _, f := range d.Findings {
		if f.Severity == assay.Warns {
			warnings++
		}
	}
	out := []block.Sentence{{Text: prose.Plural(figures, "figure")}}
	add := func(n int, kind block.Kind, text string) {
		if n > 0 {
			out = append(out, block.Sentence{Is: kind, Text: text})
		}
	}
	add(rejected, block.Bad, fmt.Sprintf("%d rejected", rejected))
	add(warnings, block.Doubt, prose.Plural(warnings, "warning"))
	add(absent, block.Next, fmt.Sprintf("%d without a number", absent))
	add(len(d.Open), block.Next, prose.Plural(len(d.Open), "rule")+" not checked")
	return out
}
