package session

import (
	"assay"
	"assay/analysis"
	"assay/audit"
	"assay/internal/prose"
	"assay/plan"
)

// investigate returns the trials that would decide between the causes that a run leaves
// open, and what may be wrong with each suspect, by Trial.Decides.
func (s *Session) investigate(measured assay.Run) ([]assay.Trial, map[string]string) {
	measured.Findings = audit.Audit(audit.Of(measured))
	var wanted []plan.Wanted
	why := map[string]string{}
	for _, q := range analysis.Of(measured).Questions() {
		why[q.Who()] = prose.Or(q.Faults)
		for _, t := range q.Tests {
			wanted = append(wanted, plan.Wanted{Case: t.Case, Set: t.Set, Subjects: t.Subjects, Decides: q.Who()})
		}
	}
	trials, err := plan.Decide(s.inventory, measured, wanted, s.probes)
	if err != nil {
		s.problem(err)
		return nil, nil
	}
	return without(trials, measured), why
}

// without drops the trials that a run already has: a resumed one asked before.
func without(trials []assay.Trial, run assay.Run) []assay.Trial {
	has := map[string]bool{}
	for _, r := range run.Results {
		has[r.Trial.ID] = true
	}
	var out []assay.Trial
	for _, t := range trials {
		if !has[t.ID] {
			out = append(out, t)
		}
	}
	return out
}
