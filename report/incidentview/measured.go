package incidentview

import (
	"fmt"
	"time"

	"assay"
	"assay/incident/decide"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
)

// shown says what each read did to the verdict.
func shown(all []decide.Measured) block.Blocks {
	if len(all) == 0 {
		return nil
	}
	blocks := block.Blocks{block.Heading{Level: 1, Text: "What was measured"}}
	is := map[decide.Answer]block.Kind{decide.Confirmed: block.Good, decide.Contradicted: block.Bad, decide.Undecided: block.Doubt, decide.NotMeasured: block.Note}
	for _, m := range all {
		text, sum := m.Says, m.What
		if m.Absent != "" {
			text, sum = "Did not "+m.What+": "+m.Absent+".", ""
		}
		blocks = append(blocks, block.Sentence{Is: is[m.Answer], Word: string(m.Answer), Text: text, Sum: sum})
	}
	return blocks
}

// Cost says how much a read reads and how long it takes, at most.
func Cost(r decide.Read) string {
	what := "no data"
	if r.Bytes > 0 {
		what = "at most " + quantity.Amount(float64(r.Bytes), assay.Bytes)
	}
	return what + ", at most " + quantity.Span(r.Longest)
}

// Announced lists in advance what will be read.
func Announced(reads []decide.Read) []string {
	if len(reads) == 0 {
		return []string{"Nothing to measure: reading more from these hosts would not help."}
	}
	var bytes int64
	longest := map[string]time.Duration{}
	for _, r := range reads {
		bytes += r.Bytes
		longest[r.Host] += r.Longest
	}
	most := time.Duration(0)
	for _, d := range longest {
		most = max(most, d)
	}
	lines := []string{fmt.Sprintf("%s, at most %s and %s in all; nothing is written.", prose.Plural(len(reads), "read"), quantity.Amount(float64(bytes), assay.Bytes), quantity.Span(most))}
	for _, r := range reads {
		lines = append(lines, fmt.Sprintf("  %s (%s): %s.", r.What, Cost(r), r.Shows))
	}
	return lines
}
