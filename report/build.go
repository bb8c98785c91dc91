package report

import (
	"slices"

	"assay"
)

// Build makes the document of a run. run.Findings are the audit's, whatever
// their order.
//
// Where the run has several hosts, rows say the host first, and what can be set
// side by side is.
func Build(run assay.Run) Document {
	run = hostsFirst(run)
	several := len(run.Inventory.Hosts) > 1
	b := builder{run: run, trials: map[string]assay.Trial{}, away: awayHosts(run)}
	for _, r := range run.Results {
		b.trials[r.Trial.ID] = r.Trial
	}
	b.number()
	d := Document{
		Schema: Schema,
		Run: Header{
			ID: run.ID, Suite: run.Suite, Started: run.Started, Elapsed: run.Elapsed.Seconds(),
			Budget: run.Budget.Seconds(), Status: run.Status, Seed: run.Seed, Version: run.Version,
			Notes: orEmpty(otherNotes(run.Notes, b.away)),
		},
		Findings: orEmpty(b.footnotes), Open: orEmpty(b.open), Away: orEmpty(b.away),
	}
	for _, h := range run.Inventory.Hosts {
		if h.Name != "" && h.Absent == nil { // what others ran often names none
			d.Run.Hosts = append(d.Run.Hosts, h.Name)
		}
		f := run.Inventory.Facts[h.Name]
		groups := factGroups(f)
		if several {
			groups = ofHost(h.Name, groups)
		} else {
			d.Missing = f.Missing
		}
		d.Facts = append(d.Facts, groups...)
	}
	if several {
		d.Missing = missingOn(run.Inventory)
		d.Facts = joined(d.Facts, d.Run.Hosts)
	}
	d.Run.Hosts, d.Facts, d.Missing = orEmpty(d.Run.Hosts), orEmpty(d.Facts), orEmpty(d.Missing)
	d.Sections = orEmpty(b.sections())
	d.Among = orEmpty(b.among(d.Sections))
	d.Tiers = b.tiers()
	d.Scaling = b.scalings()
	if several {
		d.Side = b.side(d.Sections)
	}
	d.Plots = Plots{
		Latency:  orEmpty(latencyCurves(run)),
		Timeline: orEmpty(timelines(run)),
		Heat:     heat(run),
		Ceilings: orEmpty(bars(d.Sections)),
	}
	d.Known = known(run)
	d.Verdict = orEmpty(withScaling(verdict(d, run), d.Scaling))
	return d
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
	trials    map[string]assay.Trial // by ID
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
