package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/stats"
)

var memoryShort = Rule{
	ID: "memory-short", Number: 55, Applies: "anything assay ran", Severities: "W",
	Title:   "The machine was short of memory",
	Formula: "median over the repeats: bytes swapped in and out (pswpin + pswpout, in pages) > 4 MiB; or time in which all running tasks waited for memory (PSI memory full) > 1 % of the repeat",
	Source:  "Linux mm/vmstat.c; Documentation/accounting/psi.rst; the limits are a choice",
	Example: "median 310 MB swapped in and 120 MB out a repeat",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.everyHost() {
			found = append(found, l.shortOfMemory()...)
		}
		return found
	},
}

func (l look) shortOfMemory() []assay.Finding {
	const id = "memory-short"
	metrics, watched := l.loaded(), l.watched()
	if len(metrics) == 0 || len(watched) == 0 {
		return nil // noisy-neighbour reports unwatched runs
	}
	var in, out, both, stalled []float64
	for _, r := range watched {
		a, b := r.Watch.Before, r.Watch.After
		if a.Swap != nil && b.Swap != nil {
			i, o := float64(b.Swap.In)-float64(a.Swap.In), float64(b.Swap.Out)-float64(a.Swap.Out)
			in, out, both = append(in, i), append(out, o), append(both, i+o)
		}
		if share, ok := stalledForMemory(a, b); ok {
			stalled = append(stalled, share)
		}
	}
	if len(both) == 0 && len(stalled) == 0 {
		return []assay.Finding{unchecked(id, orDefault(l.Trial.Subject.Host, l.Trial.ID), nil, "swap traffic and memory pressure",
			"watch it with vmstat 1 during a repeat; pressure needs Linux 4.20 or later, booted with psi=1")}
	}
	var said []string
	if stats.Median(both) > excessNoise {
		said = append(said, fmt.Sprintf("median %s swapped in and %s out a repeat", volume(stats.Median(in)), volume(stats.Median(out))))
	}
	if share := stats.Median(stalled); share > memoryStalled {
		said = append(said, fmt.Sprintf("all tasks stalled on memory %s of the time (median); threshold %s", percent(share), percent(memoryStalled)))
	}
	if len(said) == 0 {
		return nil
	}
	return []assay.Finding{l.finding(id, assay.Warns, metrics, strings.Join(said, "; "),
		"the test competed for memory: the figure includes the time to reclaim it",
		"stop what uses the memory (ps -eo rss,comm --sort -rss | head), or raise memory.high and memory.max of the control group; then measure again")}
}

// stalledForMemory returns the share of the time between two snapshots in which
// all tasks stalled for lack of memory.
func stalledForMemory(a, b assay.Snapshot) (share float64, ok bool) {
	if a.Pressure == nil || b.Pressure == nil || a.Pressure.MemoryFull == nil || b.Pressure.MemoryFull == nil {
		return 0, false
	}
	share = (*b.Pressure.MemoryFull - *a.Pressure.MemoryFull) / (b.Uptime - a.Uptime)
	return share, b.Uptime > a.Uptime && stats.Finite(share)
}
