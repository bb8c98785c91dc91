package analysis

import (
	"slices"

	"assay"
)

// Found is what there is to say of a run, before anybody words it.
type Found struct {
	// Run is the run itself; of several hosts, its titles say the host first.
	Run      assay.Run
	Findings []Footnote      // E before W before I; numbered from 1
	Open     []assay.Finding // rules that lacked a fact
	Away     []Away          // hosts that could not be queried, or were lost during the run
	Sections []Section
	Among    []Among   // headline figures among published ones
	Tiers    *Tiers    // only where tiers of storage were measured
	Scaling  []Scaling // only where several hosts measured at the same moment
	Side     *Side     // only where more than one host has figures
	Known    *Known    // only where a precision was wanted
}

// Of analyses a run. run.Findings are the audit's, whatever their order.
//
// Where the run has several hosts, rows say the host first, and what can be set
// side by side is.
func Of(run assay.Run) Found {
	run = hostsFirst(run)
	b := builder{run: run, results: map[string]assay.Result{}, away: awayHosts(run)}
	for _, r := range run.Results {
		b.results[r.Trial.ID] = r
	}
	b.number()
	sections := b.sections()
	found := Found{
		Run: run, Findings: b.footnotes, Open: b.open, Away: b.away,
		Sections: sections, Among: b.among(sections), Tiers: b.tiers(), Scaling: b.scalings(), Known: known(run),
	}
	if len(run.Inventory.Hosts) > 1 {
		found.Side = b.side(sections)
	}
	return found
}

// orEmpty makes JSON say [] and not null.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// builder holds what the parts of a document share while it is built.
type builder struct {
	run       assay.Run
	footnotes []Footnote
	open      []assay.Finding
	results   map[string]assay.Result // by their trials' IDs
	away      []Away
}

// number sorts the findings by severity, numbers those that were found, and
// puts those that could not be checked aside.
func (b *builder) number() {
	rank := map[assay.Severity]int{assay.Rejects: 0, assay.Warns: 1, assay.Informs: 2, assay.NotChecked: 3}
	sorted := slices.Clone(b.run.Findings)
	slices.SortStableFunc(sorted, func(x, y assay.Finding) int { return rank[x.Severity] - rank[y.Severity] })
	for _, f := range sorted {
		if f.Severity == assay.NotChecked {
			b.open = append(b.open, f)
			continue
		}
		b.footnotes = append(b.footnotes, Footnote{Number: len(b.footnotes) + 1, Finding: f})
	}
}

// mark puts the footnotes of a trial on its figures. A finding about no metric
// in particular stands on the first figure and rejects them all.
func (b *builder) mark(trial string, figures []Figure) {
	for _, note := range b.footnotes {
		if note.Subject != trial {
			continue
		}
		for i := range figures {
			f := &figures[i]
			about := slices.Contains(note.Metrics, f.Metric)
			if about || len(note.Metrics) == 0 && i == 0 {
				f.Footnotes = append(f.Footnotes, note.Number)
			}
			if note.Severity == assay.Rejects && (about || len(note.Metrics) == 0) {
				f.Rejected = true
			}
		}
	}
}

// boolRank sorts what is true first.
func boolRank(b bool) int {
	if b {
		return 0
	}
	return 1
}
