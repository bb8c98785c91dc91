package audit

import (
	"fmt"
	"slices"

	"assay"
)

var smartMedia = Rule{
	ID: "smart-media", Number: 49, Applies: "smart", Severities: "E W",
	Title:   "The drive has failed, has lost data, or uses its spare blocks",
	Formula: "the drive calls itself failed: E; media errors > 0: E; spare blocks below 100 % and falling between two looks: E; below 100 % with one look only: W",
	Source:  "NVM Express Base Specification, SMART log: media and data integrity errors are those that were not recovered; available spare is a normalised percentage",
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
					"self-assessment: 0 where a healthy drive has 1",
					"the drive calls itself failed: what it still does tells nothing of a healthy one",
					"copy what matters, replace the drive, measure the new one"))
			}
			if !failed && len(errors) == 0 && len(spare) == 0 {
				found = append(found, l.unchecked(id, nil, "media errors and spare blocks", "smartctl -x as root, or nvme smart-log; not every drive counts them"))
				continue
			}
			if len(errors) > 0 && slices.Max(errors) > 0 {
				found = append(found, l.finding(id, assay.Rejects, []string{"smart.media_errors"},
					grouped(slices.Max(errors), 0)+" media errors",
					"the drive counts errors that it did not recover: data were lost or could not be read, whatever its health word says",
					"copy what matters, scrub the file system, replace the drive"))
			}
			if len(spare) == 0 {
				continue
			}
			first, last := spare[0], spare[len(spare)-1]
			switch {
			case last < 1 && last < first:
				found = append(found, l.finding(id, assay.Rejects, []string{"smart.available_spare"},
					fmt.Sprintf("spare blocks %s, %s before", percent(last), percent(first)), "blocks are dying while you look", "copy what matters, replace the drive"))
			case last < 1:
				found = append(found, l.finding(id, assay.Warns, []string{"smart.available_spare"},
					fmt.Sprintf("spare blocks %s of 100 %%", percent(last)), "blocks have died already; whether more do, only a later look can tell", "look again in a month: smartctl -a"))
			}
		}
		return found
	},
}

// isSMART says that the result is a look at a drive's own health data.
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
