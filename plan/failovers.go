package plan

import (
	"fmt"

	"assay"
	"assay/internal/oneline"
	"assay/stacks/failover"
)

// sayFailovers notes what the run stops, and every command that does so.
func (p *Plan) sayFailovers() {
	seen := map[string]bool{}
	for _, t := range p.Trials {
		e, _, err := failover.Of(t.Subject.Params)
		if t.Absent != nil || t.Subject.Kind != assay.KindFailover || err != nil || seen[t.Subject.ID] {
			continue
		}
		seen[t.Subject.ID] = true
		say := func(format string, words ...any) {
			p.Notes = append(p.Notes, assay.Note{ID: "failover", Text: oneline.Clean(fmt.Sprintf(format, words...))})
		}
		say("%s: the run stops %s on %s, %s, and puts it back; a guard on %s does so after %s even if nobody asks (after a kill -9: assay cleanup)",
			e.Name, e.What(), e.Host, often(t.Repeats), e.Where(), e.AtMost())
		for _, l := range e.Lines() {
			say("%s: on %s, to %s: %s", e.Name, l.Host, l.For, l.Command)
		}
	}
}

func often(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
