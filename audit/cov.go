package audit

import (
	"fmt"

	"assay"
	"assay/stats"
)

var cov = Rule{
	ID: "cov", Number: 34, Applies: "all", Severities: "W E",
	Title:   "The repeats differ",
	Formula: "standard deviation / mean over at least three counted repeats > 5 % W, > 25 % E",
	Source:  "the coefficient of variation; the limits are chosen",
	Example: "731 / 1,532 = 47.7 % over 119 repeats",
	Check: func(e Evidence) []assay.Finding {
		const id = "cov"
		var found []assay.Finding
		for _, l := range e.looks() {
			for _, metric := range l.headlines() {
				values := l.values(metric)
				if len(values) < covRepeats {
					found = append(found, l.unchecked(id, []string{metric}, "spread over repeats",
						fmt.Sprintf("measure at least %d times, not %d", covRepeats, len(values))))
					continue
				}
				v := stats.CoV(values)
				if !(v > covWarn) {
					continue
				}
				severity, message := assay.Warns, "the repeats differ more than a quiet machine explains"
				if v > covReject {
					severity, message = assay.Rejects, "the repeats are of different things: no one number stands for them"
				}
				found = append(found, l.finding(id, severity, []string{metric},
					fmt.Sprintf("%s / %s = %s over %d repeats", inUnit(metric, stats.StdDev(values)), inUnit(metric, stats.Mean(values)), percent(v), len(values)),
					message, "find what changes between them: other load, temperature, a cache that fills"))
			}
		}
		return found
	},
}
