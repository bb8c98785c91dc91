package audit

import (
	"fmt"
	"slices"

	"assay"
)

var tooShort = Rule{
	ID: "too-short", Number: 33, Applies: "all but single looks (smart, thermal)", Severities: "E W I",
	Title:   "Too short",
	Formula: "a repeat under 1 s (half a second in a quick look that says it is one): E; all counted repeats together under 30 s: W, or I where the trial is a quick look and says so",
	Source:  "chosen: in less than a second start-up and the clock's own steps weigh; 30 samples a second apart are the least to speak of a spread",
	Example: "the shortest repeat ran 91.3 ms",
	Check: func(e Evidence) []assay.Finding {
		const id = "too-short"
		var found []assay.Finding
		for _, l := range e.looks() {
			metrics := l.headlines()
			if len(metrics) == 0 {
				continue
			}
			durations := l.values("tool.duration")
			if len(durations) == 0 {
				found = append(found, l.unchecked(id, metrics, "how long the tool measured", "its own output says it"))
				continue
			}
			total := 0.0
			for _, d := range durations {
				total += d
			}
			limit := shortestRepeat
			if l.Trial.Quick {
				limit = shortestQuick
			}
			if least := slices.Min(durations); least < limit {
				short := 0
				for _, d := range durations {
					if d < limit {
						short++
					}
				}
				found = append(found, l.finding(id, assay.Rejects, metrics,
					fmt.Sprintf("the shortest repeat ran %s; under a second %s", seconds(least), inRepeats(short, len(durations))),
					"ran "+seconds(least)+": starting up is a good part of it", "measure at least 5 s: with sysbench --time=10, with fio --runtime=60 --time_based"))
				continue
			}
			if total >= shortestTotal {
				continue
			}
			severity, message := assay.Warns, "too short to speak of a spread"
			if l.Trial.Quick {
				severity, message = assay.Informs, "a quick look: too short to settle an argument"
			}
			found = append(found, l.finding(id, severity, metrics,
				fmt.Sprintf("%d x %s = %s against %s", len(durations), seconds(total/float64(len(durations))), seconds(total), seconds(shortestTotal)),
				message, "give it a larger time budget"))
		}
		return found
	},
}
