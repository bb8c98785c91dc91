package audit

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// knownBug is a tool bug that makes the tool print what did not happen. Its
// reader detects it in the output and puts the id in the bug label.
type knownBug struct {
	id, tool string
	versions string // as people say them
	what     string
	source   string
}

// knownBugs lists the bugs that readers correct, or that no reader can.
var knownBugs = []knownBug{
	{
		id: "fio-num2str", tool: "fio", versions: "3.0 to 3.25",
		what:   "fio prints 11.99 as 11.0: the fraction is rounded up to one, and the one is lost; the figure here is what its other figures say",
		source: "axboe/fio issue 1117, mended by pull request 1150 of January 2021",
	},
	{
		id: "iperf3-one-thread", tool: "iperf3", versions: "before 3.16",
		what:   "iperf3 runs all streams of -P in one thread: above some 20 Gbit/s the figure reflects one CPU core, not the network",
		source: "ESnet's release notes of iperf 3.16 (November 2023): multi-threaded",
	},
}

// histogramEnd is where fio's latency histogram ends, in s: 2^34 ns (before version 3, 2^24
// µs). Anything slower is in its last bin (stat.h, FIO_IO_U_PLAT_GROUP_NR).
const histogramEndLow, histogramEnd = 16.5, 17.2

// pastTheHistogram returns percentiles at the histogram's end if the slowest operation
// took longer.
func (l look) pastTheHistogram() (metrics []string, last, most float64) {
	for _, dir := range l.directions() {
		stem := "storage." + dir + ".latency."
		if most, _ = l.median(stem + "max"); most <= 1.1*histogramEnd {
			continue
		}
		for _, r := range l.reps {
			for _, m := range r.Measurements {
				if strings.HasPrefix(m.Metric, stem+"p") && m.Value >= histogramEndLow && m.Value <= histogramEnd {
					metrics, last = append(metrics, m.Metric), m.Value
				}
			}
		}
		if len(metrics) > 0 {
			return metrics, last, most
		}
	}
	return nil, 0, 0
}

var toolBug = Rule{
	ID: "tool-bug", Number: 92, Applies: "fio, iperf3", Severities: "W I",
	Title:   "A known bug in the tool",
	Formula: "the tool's version has a known bug that affects this output: I if the figure was corrected, W if it can't be (several iperf3 streams before 3.16 above 20 Gbit/s); fio's percentiles at the end of its histogram, 17 s, while the slowest took more than 1.1 x that: I",
	Source:  "the table of known bugs in audit/tool_bug.go, each with its own source",
	Example: "fio 3.1 (known of 3.0 to 3.25)",
	Check: func(e Evidence) []assay.Finding {
		const id = "tool-bug"
		var found []assay.Finding
		for _, l := range e.looks() {
			if metrics, last, most := l.pastTheHistogram(); len(metrics) > 0 && l.foreign() {
				found = append(found, l.finding(id, assay.Informs, metrics, fmt.Sprintf("the percentiles end at %s, the slowest took %s", seconds(last), seconds(most)),
					"fio's histogram ends at 17 s: these percentiles are its last bin, and the true ones are greater", "use a lower queue depth so that requests don't wait that long"))
			}
			for _, bug := range knownBugs {
				metrics := l.showing(bug.id)
				severity := assay.Informs
				if bug.id == "iperf3-one-thread" && l.oneThread() {
					metrics, severity = l.throughputs(), assay.Warns
				}
				if len(metrics) == 0 {
					continue
				}
				version := strings.TrimSpace(bug.tool + " " + l.label("", "version"))
				found = append(found, l.finding(id, severity, metrics, version+" (known of "+bug.versions+")", bug.what, "use a newer "+bug.tool+"; "+bug.source))
			}
		}
		return found
	},
}

// showing returns the figures in which a reader found a bug.
func (l look) showing(bug string) []string {
	var metrics []string
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			if m.Labels["bug"] == bug {
				metrics = append(metrics, m.Metric)
			}
		}
	}
	return metrics
}

// oneThreadCarries is the least that one core sends, in B/s: a core of 2012 sent
// 20 Gbit/s with large segments.
const oneThreadCarries = 20e9 / 8

// oneThread reports whether several streams of an iperf3 with one thread were so
// fast that the thread may have been the limit.
func (l look) oneThread() bool {
	if l.label("", "tool") != "iperf3" {
		return false
	}
	streams, _ := parseCount(l.label("", "streams"))
	minor, ok := strings.CutPrefix(l.label("", "version"), "3.")
	n, err := strconv.Atoi(strings.SplitN(strings.TrimRight(minor, "+abcdefghijklmnopqrstuvwxyz"), ".", 2)[0])
	v, _ := l.median("net.tcp.throughput")
	return ok && err == nil && n < 16 && streams > 1 && v > oneThreadCarries
}
