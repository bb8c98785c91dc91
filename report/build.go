package report

import (
	"assay"
	"assay/analysis"
)

// Build makes the document of a run. run.Findings are the audit's, whatever
// their order.
//
// Where the run has several hosts, rows say the host first, and what can be set
// side by side is.
func Build(run assay.Run) Document {
	found := analysis.Of(run)
	run = found.Run
	several := len(run.Inventory.Hosts) > 1
	d := Document{
		Schema: Schema,
		Run: Header{
			ID: run.ID, Suite: run.Suite, Started: run.Started, Elapsed: run.Elapsed.Seconds(),
			Budget: run.Budget.Seconds(), Status: run.Status, Seed: run.Seed, Version: run.Version,
			Notes: orEmpty(otherNotes(run.Notes, found.Away)),
		},
		Findings: orEmpty(found.Findings), Open: orEmpty(found.Open), Away: orEmpty(found.Away),
		Sections: orEmpty(found.Sections), Among: orEmpty(found.Among), Tiers: found.Tiers, Scaling: found.Scaling, Side: found.Side, Known: found.Known,
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
	d.Plots = Plots{
		Latency:  orEmpty(latencyCurves(run)),
		Timeline: orEmpty(timelines(run)),
		Heat:     heat(run),
		Ceilings: orEmpty(bars(d.Sections)),
	}
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
