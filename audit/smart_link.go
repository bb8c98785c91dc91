package audit

import (
	"fmt"

	"assay"
)

var smartLink = Rule{
	ID: "smart-link", Number: 95, Applies: "smart", Severities: "W I",
	Title:   "The drive's cable, slot or power is unreliable",
	Formula: "interface CRC errors of 10 or more, or growing between two readings: W; fewer: I; 100 unsafe shutdowns and more, and more than ten an hour powered on: W",
	Source:  "ATA device statistics, number of interface CRC errors; attribute 199: it counts over the drive's life and is never reset; 10 is a choice: a plug pulled under load leaves a few; so are 100 and ten an hour: no user pulls a plug that often",
	Example: "560 CRC errors",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "smart-link", "smart.crc_errors"
		var found []assay.Finding
		for _, l := range e.looks() {
			if f := l.losesPower(); f != nil {
				found = append(found, *f)
			}
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
			severity, message := assay.Warns, "data arrived damaged and was resent: a cable, a backplane or a connector, seldom the drive; each costs a retry"
			switch {
			case last > first:
				arithmetic += fmt.Sprintf(", %s before", grouped(first, 0))
				message = "data is arriving damaged and being resent right now: a cable, a backplane or a connector, seldom the drive"
			case last < fewCRC:
				severity = assay.Informs
			}
			found = append(found, l.finding(id, severity, []string{metric}, arithmetic, message,
				"reseat or replace the SATA cable and look again after some load: the count never goes back, so only growth means that it is still there"))
		}
		return found
	},
}

// losesPower reports what a drive's power-loss count says about its connection; nil if
// people alone can cause as many.
func (l look) losesPower() *assay.Finding {
	const metric = "smart.unsafe_shutdowns"
	lost, ok := l.median(metric)
	on, known := l.median("smart.power_on_hours")
	if !ok || !known || lost < manyLosses || !(on > 0) || lost <= lossesPerHour*on/3600 {
		return nil
	}
	f := l.finding("smart-link", assay.Warns, []string{metric},
		fmt.Sprintf("%s unsafe shutdowns in %s h powered on: one every %s", grouped(lost, 0), figure(on/3600), seconds(on/lost)),
		"the drive loses its power or its link all the time: a connector, an adapter, a power supply, or a power-saving state that it does not come back from",
		"look for resets in the kernel's log: dmesg | grep -i -e nvme -e ata; try another slot or cable, and for NVMe nvme_core.default_ps_max_latency_us=0")
	return &f
}
