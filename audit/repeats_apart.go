package audit

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

var repeatsDiffer = Rule{
	ID: "repeats-apart", Number: 116, Applies: "all but single readings (smart, thermal)", Severities: "I",
	Title:   "Same command, different results",
	Formula: "in one text of others, three results or more of one command, those of dd without a command of their own that moved as many bytes as the one before included: the fastest > 1.5 x the slowest",
	Source:  "a choice: repeats of a steady load differ by some per cent",
	Example: "3 runs from 53.9 MB/s to 206 MB/s: 3.82 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, runs := range sameCommand(e.looks()) {
			metric := runs[0].speed()
			var values []float64
			for _, l := range runs {
				v, _ := l.median(l.speed())
				values = append(values, v)
			}
			least, most := slices.Min(values), slices.Max(values)
			if len(values) < leastRepeats || most <= repeatsApart*least {
				continue
			}
			found = append(found, runs[0].finding("repeats-apart", assay.Informs, []string{metric},
				fmt.Sprintf("%d runs from %s to %s: %s", len(values), inUnit(metric, least), inUnit(metric, most), times(most/least)),
				"the same command gave different results each time: a cache filled or warmed up, other load came, or something was changed between the runs; no single one is the result",
				"run it five times in the same state, with the caches dropped before each, and quote the median with the range"))
		}
		return found
	},
}

// sameCommand groups the looks of each repeated command, in order.
func sameCommand(all []look) [][]look {
	var groups [][]look
	at := map[string]int{}
	last := map[string]int{} // the previous result's group, by text and host
	for _, l := range all {
		text := inputOf(l.Trial.From) + "\x00" + l.Trial.Subject.Host
		metric, argv := l.speed(), strings.Join(l.argv(), " ")
		if !l.foreign() || l.Trial.From == "" || metric == "" || strings.Contains(argv, "$") {
			delete(last, text) // a variable may expand differently each time
			continue
		}
		if argv == "" {
			if i, ok := last[text]; ok && l.movedLike(groups[i][0]) {
				groups[i] = append(groups[i], l)
			} else {
				delete(last, text)
			}
			continue
		}
		key := text + "\x00" + argv + "\x00" + l.Trial.Case + "\x00" + metric
		i, seen := at[key]
		if !seen {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], l)
		last[text] = i
	}
	return groups
}

// movedLike reports whether a dd without a known command copied as much as another.
func (l look) movedLike(other look) bool {
	bytesOf := func(l look) float64 {
		v, _ := l.median(strings.TrimSuffix(l.speed(), "bandwidth") + "bytes")
		return v
	}
	return l.label("", "tool") == "dd" && other.label("", "tool") == "dd" && bytesOf(l) > 0 && bytesOf(l) == bytesOf(other)
}

// speed returns the metric for how fast it went; "" if there is none.
func (l look) speed() string {
	for _, metric := range []string{
		"storage.write.bandwidth", "storage.read.bandwidth", "storage.copy.bandwidth", "net.tcp.throughput", "net.udp.throughput",
		"memory.write.bandwidth", "memory.read.bandwidth", "cpu.events_per_second", "database.transactions", "pool.write.bandwidth", "pool.read.bandwidth",
	} {
		if l.positive(metric) {
			return metric
		}
	}
	return ""
}
