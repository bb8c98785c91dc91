package audit

import (
	"fmt"
	"math"
	"strings"

	"assay"
	"assay/reference"
)

var endurance = Rule{
	ID: "endurance", Number: 50, Applies: "smart", Severities: "W",
	Title:   "Wear and bytes written disagree",
	Formula: "|written / rated TBW - percentage used| > .15",
	Source:  "NVM Express Base Specification, percentage used: the vendor's estimate of the life used; TBW from reference/drives.yaml",
	Example: "193 TB of 300 TB = 64.3 % against 26 % used: 38.3 % apart",
	Check: func(e Evidence) []assay.Finding {
		const id = "endurance"
		var found []assay.Finding
		for _, l := range e.looks() {
			written, okWritten := l.median("smart.data_written")
			used, okUsed := l.median("smart.percentage_used")
			if !okWritten && !okUsed {
				if l.isSMART() {
					found = append(found, l.unchecked(id, nil, "bytes written and percentage used", "smartctl -x prints them where the drive counts them; NVMe drives do"))
				}
				continue
			}
			metrics := []string{"smart.percentage_used", "smart.data_written"}
			if !okWritten || !okUsed {
				found = append(found, l.unchecked(id, metrics, map[bool]string{true: "percentage used", false: "bytes written"}[okWritten], "smartctl -x prints it where the drive counts it"))
				continue
			}
			model, bytes := l.model()
			rated, ok := reference.Drive(model, bytes)
			if !ok || !(rated.TBW > 0) {
				// TBW published with the figures stands in for a data sheet.
				rated.TBW, ok = parseAmount(l.label("", "tbw"))
			}
			switch {
			case ok && rated.TBW > 0:
			case model == "":
				found = append(found, l.unchecked(id, metrics, "model of "+strings.TrimPrefix(l.Trial.Subject.Name, givenDisk), "take the host's inventory along with the figures"))
				continue
			default:
				found = append(found, l.unchecked(id, metrics, fmt.Sprintf("rated TBW of %q", model), "add the model with its data sheet to reference/drives.yaml"))
				continue
			}
			gap := math.Abs(written/rated.TBW - used)
			if !(gap > enduranceGap) {
				continue
			}
			found = append(found, l.finding(id, assay.Warns, metrics,
				fmt.Sprintf("%s TB of %s TB = %s against %s used: %s apart", figure(written/1e12), figure(rated.TBW/1e12), percent(written/rated.TBW), percent(used), percent(gap)),
				"the drive does not wear as rated: it amplifies writes, or its wear counter means something else",
				"watch both for a month and trust the one that rises faster"))
		}
		return found
	},
}
