package plan

import (
	"fmt"
	"slices"
	"time"

	"assay"
	"assay/internal/quantity"
)

// leaveOut drops trials until the plan takes no longer than room: first those on more than
// one host and fewer than all of a tier, then whole cases, last first. Cases that measure
// for no time cost none, and one case stays. caseOf maps a trial's id to its case in the
// suite. It returns the names of the dropped cases.
func (p *Plan) leaveOut(room time.Duration, caseOf map[string]int, hint string) []string {
	var out []string
	leave := func(which func(assay.Trial) bool) {
		for i := range p.Trials {
			t := &p.Trials[i]
			if t.Absent != nil || t.Length == 0 || !which(*t) {
				continue
			}
			t.Absent = &assay.Absence{Word: assay.NoData, Why: fmt.Sprintf("left out: the time budget of %s is too short for it", quantity.Span(p.Budget)), Hint: hint}
			t.Scratch = 0
			if !slices.Contains(out, t.Case) {
				out = append(out, t.Case)
			}
		}
	}
	most := map[int]int{} // hosts at once, by case
	var cases []int
	for _, t := range p.Trials {
		if t.Absent == nil && t.Length > 0 {
			c := caseOf[t.ID]
			most[c] = max(most[c], len(t.Others))
			if !slices.Contains(cases, c) {
				cases = append(cases, c)
			}
		}
	}
	if p.cost() > room {
		leave(func(t assay.Trial) bool { return len(t.Others) > 0 && len(t.Others) < most[caseOf[t.ID]] })
	}
	for slices.Sort(cases); p.cost() > room && len(cases) > 1; cases = cases[:len(cases)-1] {
		last := cases[len(cases)-1]
		leave(func(t assay.Trial) bool { return caseOf[t.ID] == last })
	}
	return out
}
