package audit

import (
	"assay"
)

var interrupted = Rule{
	ID: "interrupted", Number: 91, Applies: "fio, iperf3, rados bench, rbd bench, sysbench, AS SSD", Severities: "E W",
	Title:   "The run was cut off",
	Formula: "the tool says that it was stopped before its time, or its output ends before its summary: E if it had run less than 30 s (a network: 5 s) or for an unknown time, else W; nothing if it had reached .95 of its time",
	Source:  "the tools' own words: fio \"terminating on signal\", iperf3's \"error\", a table of rados bench, rbd bench or sysbench without a summary; the times are those of too-short and of TCP's slow start, and a choice",
	Example: "ran 2.40 s of 10 s: interrupt - the client has terminated",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if f := l.cutOff(); f != nil {
				found = append(found, *f)
			}
		}
		return found
	},
}

// cutOff judges a run that its tool reports as unfinished.
func (l look) cutOff() *assay.Finding {
	why := l.label("", "interrupted")
	if why == "" {
		return nil
	}
	metrics, enough := l.figures(), enoughRun
	if len(metrics) == 0 {
		metrics, enough = l.throughputs(), enoughFlow
	}
	if len(metrics) == 0 {
		return nil
	}
	ran, _, known := l.runtime()
	asked, planned := parseSeconds(orDefault(l.label("", "asked"), l.label("", "runtime")))
	if known && planned && ran >= almostAll*asked {
		return nil
	}
	arithmetic := "ran for an unknown time: " + why
	if known {
		arithmetic = "ran " + seconds(ran)
		if done, ok := parseFloat(l.label("", "done")); planned {
			arithmetic += " of " + seconds(asked)
		} else if ok {
			arithmetic += ", " + percent(done) + " of the work"
		}
		arithmetic += ": " + why
	}
	severity, message := assay.Rejects, "interrupted: the run was too short, or of unknown length, to count as a result"
	if known && ran >= enough {
		severity, message = assay.Warns, "interrupted: the figure covers only part of the run, and misses what comes later (a full cache, a throttled drive)"
	}
	f := l.finding("interrupted", severity, metrics, arithmetic, message, "let it run to its end: "+orDefault(l.longer(againRuntime), "the same command"))
	return &f
}
