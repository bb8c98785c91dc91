package audit

import (
	"fmt"

	"assay"
	"assay/reference"
)

var enduranceUsed = Rule{
	ID: "endurance-used", Number: 97, Applies: "smart", Severities: "I",
	Title:   "What the run cost the drive",
	Formula: "bytes written by SMART at the end of the run - at its start > 0",
	Source:  "NVM Express Base Specification, data units written; ATA attribute 241 and device statistics; TBW from reference/drives.yaml",
	Example: "12,300 GB at the start, 12,500 GB at the end: 200 GB = 0.067 % of its rated 300,000 GB",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "endurance-used", "smart.data_written"
		var found []assay.Finding
		for _, l := range e.looks() {
			before, has := e.readBefore(l)
			if !has {
				continue
			}
			was, known := before.median(metric)
			is, still := l.median(metric)
			switch {
			case !known || !still:
				found = append(found, l.unchecked(id, nil, "bytes written", "smartctl -x prints it where the drive counts it"))
			case is > was:
				cost := fmt.Sprintf("%s at the start, %s at the end: %s", volume(was), volume(is), volume(is-was))
				if rated, ok := reference.Drive(l.model()); ok && rated.TBW > 0 {
					cost += fmt.Sprintf(" = %s of its rated %s", percent((is-was)/rated.TBW), volume(rated.TBW))
				}
				found = append(found, l.finding(id, assay.Informs, []string{metric}, cost,
					"the drive counts all writes during the run, not only those of assay",
					"bound the next run with --endurance-budget"))
			}
		}
		return found
	},
}

// readBefore returns the first reading of the same drive's health; false if this is
// it.
func (e Evidence) readBefore(l look) (look, bool) {
	if l.Trial.Probe != healthProbe {
		return look{}, false
	}
	for i := range e.Results {
		r := &e.Results[i]
		if r.Trial.ID == l.Trial.ID {
			return look{}, false
		}
		if sameHealth(r, l.Result) && len(r.Counted()) > 0 {
			return lookAt(r, r.Counted(), l.facts, l.known), true
		}
	}
	return look{}, false
}

// healthProbe is the probe that reads drive health.
const healthProbe = "smart"

// sameHealth reports whether both results are readings of one drive's health by
// a run.
func sameHealth(a, b *assay.Result) bool {
	return a.Trial.Probe == healthProbe && b.Trial.Probe == healthProbe && a.Trial.Repeats > 0 && b.Trial.Repeats > 0 &&
		a.Trial.Subject.ID == b.Trial.Subject.ID && a.Trial.Subject.ID != ""
}
