package audit

import "assay"

var smartWear = Rule{
	ID: "smart-wear", Number: 96, Applies: "smart", Severities: "W",
	Title:   "The drive is written beyond its rated endurance",
	Formula: "percentage used >= 100 %",
	Source:  "NVM Express Base Specification, percentage used: 100 says that the estimated endurance is consumed, which may not mean a failure; it goes up to 255",
	Example: "112 % used",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "smart-wear", "smart.percentage_used"
		var found []assay.Finding
		for _, l := range e.looks() {
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
