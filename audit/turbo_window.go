package audit

import (
	"fmt"

	"assay"
)

var turboWindow = Rule{
	ID: "turbo-window", Number: 37, Applies: "sysbench cpu", Severities: "W I",
	Title:   "Within the turbo window",
	Formula: "a repeat < 3 x tau of the long power limit; 28 s where tau is not known; W for a single run, I for several short repeats and for a quick look that says it is one; not where turbo is off",
	Source:  "Intel running average power limit, PL1 time window (powercap: constraint_0_time_window_us); 28 s is a common default and is not looked up for this processor",
	Example: "20.0 s against 3 x 28.0 s = 84.0 s",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "turbo-window", "cpu.events_per_second"
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.positive(metric) || l.facts.CPU.Turbo != nil && !*l.facts.CPU.Turbo {
				continue
			}
			cpu := l.facts.CPU
			switch {
			case !l.known:
				found = append(found, l.unchecked(id, []string{metric}, "facts of host "+l.Trial.Subject.Host, "take the inventory of the host along with the numbers"))
				continue
			case isVirtual(l.facts):
				found = append(found, l.unchecked(id, []string{metric}, "turbo window", "a virtual machine does not show it; measure on the host"))
				continue
			case cpu.TurboWindow <= 0 && cpu.Vendor != "" && cpu.Vendor != "GenuineIntel":
				found = append(found, l.unchecked(id, []string{metric}, "how long this processor may boost", "the vendor does not tell; compare the first and the last minute of a long run"))
				continue
			}
			duration, ok := l.median("tool.duration")
			if !ok {
				found = append(found, l.unchecked(id, []string{metric}, "how long the tool measured", "its own output says it"))
				continue
			}
			window, word := cpu.TurboWindow, ""
			if window <= 0 {
				window, word = assumedTurbo, " (tau not known, 28 s assumed)"
			}
			if duration >= turboMultiple*window {
				continue
			}
			severity, message := assay.Warns, "burst, not sustained: the processor may draw more than its long limit for this long"
			switch {
			case l.Trial.Repeats > 1:
				severity = assay.Informs
				message += fmt.Sprintf("; these %d repeats are short on purpose, to show their spread", l.Trial.Repeats)
			case l.Trial.Quick:
				severity = assay.Informs
			}
			found = append(found, l.finding(id, severity, []string{metric},
				fmt.Sprintf("%s against %d x %s = %s%s", seconds(duration), turboMultiple, seconds(window), seconds(turboMultiple*window), word),
				message,
				fmt.Sprintf("sysbench cpu --time=%.0f --threads=%s run", turboMultiple*window+1, orDefault(l.label("", "threads"), "1"))))
		}
		return found
	},
}
