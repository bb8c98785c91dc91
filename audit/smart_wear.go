package audit

import (
	"fmt"

	"assay"
)

var smartWear = Rule{
	ID: "smart-wear", Number: 96, Applies: "smart", Severities: "W I",
	Title:   "The drive is used beyond its rating",
	Formula: "percentage used >= 100 %: W; load cycles of a disk >= 300,000, or >= 100,000 and more than one in two minutes powered on: I",
	Source:  "NVM Express Base Specification, percentage used: 100 says that the estimated endurance is consumed, which may not mean a failure; it goes up to 255. Data sheets of disks: 300,000 load cycles (desktop, NAS) or 600,000 (notebook, data centre); the frequency is a choice",
	Example: "447,000 load cycles in 6,342 h: one in 51.1 s",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "smart-wear", "smart.percentage_used"
		var found []assay.Finding
		for _, l := range e.looks() {
			if f := l.parked(); f != nil {
				found = append(found, *f)
			}
			used, known := l.median(metric)
			switch {
			case !known && l.isSMART() && l.label("", "protocol") == "NVMe":
				found = append(found, l.unchecked(id, nil, "percentage used", "smartctl -x as root prints it"))
			case known && used >= 1:
				found = append(found, l.finding(id, assay.Warns, []string{metric}, percent(used)+" used",
					"its flash has had all the writes that its maker promised: it may go on for long, but retention and speed are no longer rated",
					"plan its replacement, and look whether spare blocks fall: smartctl -x DEVICE"))
			}
		}
		return found
	},
}

// parked judges a disk's load cycles; nil if they are few or not counted.
func (l look) parked() *assay.Finding {
	const metric = "smart.load_cycles"
	cycles, ok := l.median(metric)
	on, known := l.median("smart.power_on_hours")
	known = known && on > 0
	if !ok || cycles < manyCycles || cycles < ratedCycles && !(known && on/cycles < cyclesEvery) {
		return nil
	}
	arithmetic := fmt.Sprintf("%s load cycles against %s", grouped(cycles, 0), grouped(ratedCycles, 0))
	if known {
		arithmetic = fmt.Sprintf("%s load cycles in %s h: one in %s", grouped(cycles, 0), figure(on/3600), seconds(on/cycles))
	}
	f := l.finding("smart-wear", assay.Informs, []string{metric}, arithmetic,
		"the disk keeps parking its heads; disks are rated for 300,000 to 600,000 load cycles, and the next access waits for the heads to return",
		"let it park later: hdparm -B 254 DEVICE, or idle3ctl -d DEVICE for WD, and look at what wakes it up")
	return &f
}
