package report

import (
	"maps"
	"slices"

	"assay"
	"assay/analysis"
)

// Build returns the document of a run. run.Findings are the audit's, in any
// order.
//
// If the run has several hosts, rows name the host first, and whatever can be
// compared is placed side by side.
func Build(run assay.Run) Document {
	found := analysis.Of(run)
	run = found.Run
	several := len(run.Inventory.Hosts) > 1
	d := Document{
		Schema: Schema,
		Run: Header{
			ID: run.ID, Suite: run.Suite, Started: run.Started, Elapsed: run.Elapsed.Seconds(),
			Budget: run.Budget.Seconds(), Status: run.Status, Seed: run.Seed, Version: run.Version,
			Notes: otherNotes(run.Notes, found.Away), Labels: labelsOf(run.Labels), Remarks: run.Remarks,
		},
		Findings: found.Findings, Open: found.Open, Away: found.Away,
		Sections: withShortfalls(found.Sections, found.Short), Among: amongOf(found.Among), Tiers: tiersOf(found), Scaling: scalingsOf(found.Scaling), Side: sideOf(found), Diagnoses: diagnosesOf(found), Known: found.Known,
	}
	for _, h := range run.Inventory.Hosts {
		if h.Name != "" && h.Absent == nil { // runs by others often have no host name
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
	d.Plots = Plots{
		Latency:  latencyCurves(run),
		Timeline: timelines(run),
		Heat:     heat(run),
		Ceilings: bars(d.Sections),
	}
	d.Waterfalls, d.Drives, d.Purges, d.Courses = found.Waterfalls, found.Drives, found.Purges, found.Courses
	d.Waits = waitsOf(found.Waits)
	d.Verdict, d.Further, d.Fits = verdictOf(found.Verdict, run), verdictOf(found.Further, run), fitsOf(found.Fits)
	return d
}

func labelsOf(labels map[string]string) (all []Fact) {
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, Fact{Name: name, Value: labels[name]})
	}
	return all
}
