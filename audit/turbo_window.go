package audit

import (
	"fmt"
	"strconv"

	"assay"
	"assay/internal/lazyregexp"
)

var turboWindow = Rule{
	ID: "turbo-window", Number: 37, Applies: "sysbench cpu", Severities: "W I",
	Title:   "Within the turbo window",
	Formula: "a repeat, or the load behind imported temperatures, < 3 x tau of the long-term power limit; 28 s if tau is unknown and the processor is Intel's; W for a single run, I for several short repeats and for a trial marked as a quick look; not if turbo is off",
	Source:  "Intel running average power limit, PL1 time window (powercap: constraint_0_time_window_us); 28 s is a common default, not looked up for this processor",
	Example: "20.0 s against 3 x 28.0 s = 84.0 s",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "turbo-window", "cpu.events_per_second"
		var found []assay.Finding
		for _, l := range e.looks() {
			if l.foreign() {
				found = append(found, l.burst()...)
				continue
			}
			if !l.positive(metric) || l.facts.CPU.Turbo != nil && !*l.facts.CPU.Turbo {
				continue
			}
			cpu := l.facts.CPU
			switch {
			case !l.known:
				found = append(found, l.unchecked(id, []string{metric}, "facts of host "+l.Trial.Subject.Host, "take the host's inventory along with the figures"))
				continue
			case isVirtual(l.facts):
				found = append(found, l.unchecked(id, []string{metric}, "turbo window", "a virtual machine does not show it; measure on the host"))
				continue
			case cpu.TurboWindow <= 0 && cpu.Vendor != "" && cpu.Vendor != "GenuineIntel":
				found = append(found, l.unchecked(id, []string{metric}, "how long this processor may boost", "the vendor does not publish it; compare the first and the last minute of a long run"))
				continue
			}
			duration, ok := l.median("tool.duration")
			if !ok {
				found = append(found, l.unchecked(id, []string{metric}, "how long the tool measured", "its output shows it"))
				continue
			}
			window, word := cpu.TurboWindow, ""
			if window <= 0 {
				window, word = assumedTurbo, " (tau unknown, 28 s assumed)"
			}
			if duration >= turboMultiple*window {
				continue
			}
			severity, message := assay.Warns, "burst, not sustained: for this long the processor may exceed its long-term power limit"
			switch {
			case l.Trial.Repeats > 1:
				severity = assay.Informs
				message += fmt.Sprintf("; these %d repeats are short on purpose, to show the spread", l.Trial.Repeats)
			case l.Trial.Quick:
				severity = assay.Informs
			}
			found = append(found, l.finding(id, severity, []string{metric},
				fmt.Sprintf("%s against %d x %s = %s%s", seconds(duration), turboMultiple, seconds(window), seconds(turboMultiple*window), word),
				message,
				primes(max(turboMultiple*window+1, againRuntime), orDefault(l.label("", "threads"), "1"))))
		}
		return found
	},
}

// burst judges somebody else's output: a CPU test, or temperatures under a load
// of stated length.
func (l look) burst() []assay.Finding {
	const id = "turbo-window"
	metric := "cpu.events_per_second"
	if !l.positive(metric) {
		if metric = "thermal.load"; !l.positive(metric) {
			return nil
		}
	}
	cpu := l.facts.CPU
	cpu.Model = orDefault(cpu.Model, l.label("", "cpu"))
	ran, _, known := l.runtime()
	switch {
	case cpu.Turbo != nil && !*cpu.Turbo:
		return nil
	case !known && metric == "thermal.load":
		return nil // an idle and a busy reading: no length was claimed
	case !known:
		return []assay.Finding{l.unchecked(id, []string{metric}, "how long the tool measured", "its output shows it")}
	case ran >= turboMultiple*max(cpu.TurboWindow, assumedTurbo):
		return nil
	case isVirtual(l.facts) && cpu.TurboWindow <= 0:
		return []assay.Finding{l.unchecked(id, []string{metric}, "turbo window", "a virtual machine does not show it; check on the host")}
	case cpu.TurboWindow <= 0 && !isIntel(cpu):
		return []assay.Finding{l.unchecked(id, []string{metric}, "turbo window of the processor", "name the processor, or compare the first and the last minute of a long run")}
	}
	window, word := cpu.TurboWindow, ""
	if window <= 0 {
		window, word = assumedTurbo, " (tau unknown, 28 s assumed)"
	}
	if ran >= turboMultiple*window {
		return nil
	}
	threads := l.label("", "threads")
	if _, ok := parseCount(threads); !ok {
		threads = strconv.Itoa(max(cpu.Threads, 1))
	}
	return []assay.Finding{l.finding(id, assay.Warns, []string{metric},
		fmt.Sprintf("%s against %d x %s = %s%s", seconds(ran), turboMultiple, seconds(window), seconds(turboMultiple*window), word),
		"burst, not sustained: for this long the processor may exceed its long-term power limit",
		"measure beyond it: "+primes(max(turboMultiple*window+1, againRuntime), threads))}
}

// isIntel reports whether the processor is of the kind with such a window.
func isIntel(cpu assay.CPUFacts) bool {
	if cpu.Vendor != "" {
		return cpu.Vendor == "GenuineIntel"
	}
	return intelModel.MatchString(cpu.Model)
}

// intelModel matches Intel's processor names, even without the word Intel.
var intelModel = lazyregexp.New(`(?i)\b(intel|xeon|celeron|pentium|i[3579]-\d{4,5})`)
