package audit

import (
	"fmt"
	"math"
	"slices"

	"assay"
)

var tooShort = Rule{
	ID: "too-short", Number: 33, Applies: "all but single readings (smart, thermal)", Severities: "E W I",
	Title:   "Too short",
	Formula: "a repeat under 1 s (0.5 s in a trial marked as a quick look): E; all counted repeats together under 30 s: W, or I for a trial marked as a quick look. For imported output, if the tool does not say how long it ran: bytes to move / bandwidth, or requests x latency, or the time it was told to run; for networks only the E, and for TCP under 5 s: I",
	Source:  "a choice: in less than a second start-up time and clock granularity matter; 30 samples a second apart are the minimum for a meaningful spread; TCP has found its rate after some seconds",
	Example: "the shortest repeat ran 91.3 ms",
	Check: func(e Evidence) []assay.Finding {
		const id = "too-short"
		var found []assay.Finding
		for _, l := range e.looks() {
			if l.foreign() {
				found = append(found, l.foreignLength()...)
				continue
			}
			metrics := l.headlines()
			if len(metrics) == 0 {
				continue
			}
			durations := l.values("tool.duration")
			if len(durations) == 0 {
				found = append(found, l.unchecked(id, metrics, "how long the tool measured", "its output shows it"))
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
					"ran "+seconds(least)+": start-up is a large part of it", "measure longer: "+orDefault(l.longer(againRuntime), "at least 5 s")))
				continue
			}
			if total >= shortestTotal*shortestRepeat {
				continue
			}
			severity, message := assay.Warns, "too short for a meaningful spread"
			if l.Trial.Quick {
				severity, message = assay.Informs, "a quick look: too short to prove anything"
			}
			found = append(found, l.finding(id, severity, metrics,
				fmt.Sprintf("%d x %s = %s against %s", len(durations), seconds(total/float64(len(durations))), seconds(total), seconds(shortestTotal)),
				message, "give it a larger time budget"))
		}
		return found
	},
}

// foreignLength judges the length of the single repeat in somebody else's
// output.
func (l look) foreignLength() []assay.Finding {
	const id = "too-short"
	metrics, patient := l.figures(), true
	if len(metrics) == 0 {
		// A network settles after a few round trips; there is nothing to warm up
		// or fill.
		metrics, patient = l.throughputs(), false
	}
	if len(metrics) == 0 {
		return nil
	}
	ran, sum, known := l.runtime()
	if !known {
		if !patient {
			return nil
		}
		return []assay.Finding{l.unchecked(id, metrics, "how long the tool measured", "its output shows it")}
	}
	arithmetic := "ran " + seconds(ran)
	if sum != "" {
		arithmetic = sum + " = " + seconds(ran)
	}
	advice := "measure longer: " + orDefault(l.longer(againRuntime), "for a minute")
	if n, _, ok := l.requestTime(); ok && n > 0 {
		latency := n / l.requests()
		advice = fmt.Sprintf("measure longer: %s requests one after the other take a minute", grouped(math.Ceil(againRuntime/latency), 0))
	}
	switch {
	case ran < shortestRepeat:
		return []assay.Finding{l.finding(id, assay.Rejects, metrics, arithmetic+" against 1 s",
			"ran "+seconds(ran)+": start-up is a large part of it", advice)}
	case patient && ran < shortestTotal*shortestRepeat:
		return []assay.Finding{l.finding(id, assay.Warns, metrics, arithmetic+" against "+seconds(shortestTotal),
			"too short for a meaningful spread, and to see past a cache or turbo", advice)}
	case !patient && metrics[0] == "net.tcp.throughput" && ran < enoughFlow:
		return []assay.Finding{l.finding(id, assay.Informs, metrics, arithmetic+" against "+seconds(enoughFlow),
			"slow start is a large part of this, and a moment of other traffic can be all of it", advice)}
	}
	return nil
}

// throughputs returns the throughput metrics of a network.
func (l look) throughputs() []string {
	var found []string
	for _, metric := range []string{"net.tcp.throughput", "net.udp.throughput"} {
		if l.positive(metric) {
			found = append(found, metric)
		}
	}
	return found
}
