package audit

import (
	"fmt"
	"slices"

	"assay"
)

var smartMedia = Rule{
	ID: "smart-media", Number: 49, Applies: "smart", Severities: "E W",
	Title:   "The drive has failed, lost data, or is using up its spare blocks",
	Formula: "the drive reports that it has failed: E; media errors > 0: E; spare blocks below 100 % and falling between two readings: E; below 100 % with only one reading: W",
	Source:  "NVM Express Base Specification, SMART log: media and data integrity errors are unrecovered errors; available spare is a normalised percentage",
	Example: "519 media errors",
	Check: func(e Evidence) []assay.Finding {
		const id = "smart-media"
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.isSMART() {
				continue
			}
			errors, spare := l.values("smart.media_errors"), l.values("smart.available_spare")
			failed := slices.Contains(l.values("smart.passed"), 0)
			if failed {
				found = append(found, l.finding(id, assay.Rejects, []string{"smart.passed"},
					"self-assessment: 0; a healthy drive reports 1",
					"the drive reports that it has failed: its figures say nothing about a healthy one",
					"back up the data, replace the drive, measure the new one"))
			}
			if !failed && len(errors) == 0 && len(spare) == 0 {
				found = append(found, l.unchecked(id, nil, "media errors and spare blocks", "smartctl -x as root, or nvme smart-log; not every drive counts them"))
				continue
			}
			if len(errors) > 0 && slices.Max(errors) > 0 {
				found = append(found, l.finding(id, assay.Rejects, []string{"smart.media_errors"},
					grouped(slices.Max(errors), 0)+" media errors",
					"the drive counted unrecovered errors: data was lost or unreadable, whatever its overall health status says",
					"back up the data, scrub the file system, replace the drive"))
			}
			if len(spare) == 0 {
				continue
			}
			first, last := spare[0], spare[len(spare)-1]
			switch {
			case last < 1 && last < first:
				found = append(found, l.finding(id, assay.Rejects, []string{"smart.available_spare"},
					fmt.Sprintf("spare blocks %s, %s before", percent(last), percent(first)), "blocks are failing right now", "back up the data, replace the drive"))
			case last < 1:
				found = append(found, l.finding(id, assay.Warns, []string{"smart.available_spare"},
					fmt.Sprintf("spare blocks %s of 100 %%", percent(last)), "some blocks have failed; only a later reading can show whether more do", "check again in a month: smartctl -a"))
			}
		}
		return found
	},
}

// isSMART reports whether the result is a look at a drive's own health data.
func (l look) isSMART() bool {
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			if len(m.Metric) > 6 && m.Metric[:6] == "smart." {
				return true
			}
		}
	}
	return false
}
