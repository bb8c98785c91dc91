package audit

import (
	"fmt"

	"assay"
)

var smartLink = Rule{
	ID: "smart-link", Number: 95, Applies: "smart", Severities: "W I",
	Title:   "Transfers were damaged on the way to the drive",
	Formula: "interface CRC errors of 10 or more, or growing between two readings: W; fewer: I",
	Source:  "ATA device statistics, number of interface CRC errors; attribute 199: it counts over the drive's life and is never reset; 10 is a choice: a plug pulled under load leaves a few",
	Example: "560 CRC errors",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "smart-link", "smart.crc_errors"
		var found []assay.Finding
		for _, l := range e.looks() {
			v := l.values(metric)
			if len(v) == 0 {
				if l.isSMART() && l.label("", "protocol") == "ATA" && len(l.values("smart.failing_attributes")) > 0 {
					found = append(found, l.unchecked(id, nil, "interface CRC errors", "not every drive counts them; its output would list attribute 199"))
				}
				continue
			}
			first, last := v[0], v[len(v)-1]
			if last <= 0 {
				continue
			}
			arithmetic := countedAs(last, "CRC error")
			severity, message := assay.Warns, "data arrived damaged and was sent again: a cable, a backplane or a connector, seldom the drive; each costs a retry"
			switch {
			case last > first:
				arithmetic += fmt.Sprintf(", %s before", grouped(first, 0))
				message = "data arrives damaged and is sent again right now: a cable, a backplane or a connector, seldom the drive"
			case last < fewCRC:
				severity = assay.Informs
			}
			found = append(found, l.finding(id, severity, []string{metric}, arithmetic, message,
				"reseat or replace the SATA cable and look again after some load: the count never goes back, so only growth means that it is still there"))
		}
		return found
	},
}
