package audit

import (
	"fmt"
	"slices"
	"strconv"

	"assay"
)

var qdCapped = Rule{
	ID: "qd-capped", Number: 21, Applies: "fio", Severities: "E",
	Title:   "A queue depth that was never reached",
	Formula: "a synchronous engine with iodepth > 1, or all operations issued at depth 1 with iodepth > 1 and nothing to hold them back (rate limit, think time)",
	Source:  "fio HOWTO, iodepth: it has no effect on synchronous engines",
	Example: "iodepth=16 under psync: 1 in flight",
	Check: func(e Evidence) []assay.Finding {
		const id = "qd-capped"
		var found []assay.Finding
		for _, l := range e.fioRuns() {
			var metrics []string
			for _, dir := range l.directions() {
				metrics = append(metrics, l.figuresOf(dir)...)
			}
			// A depth named alone is both the requested and the actual one.
			wanted, ok := parseCount(orDefault(l.label("", "requested_iodepth"), l.label("", "iodepth")))
			if !ok {
				found = append(found, l.unchecked(id, metrics, "requested queue depth", "fio's output or command line shows it"))
				continue
			}
			if wanted == 1 {
				continue
			}
			asked := strconv.Itoa(wanted)
			engine := l.label("", "engine")
			shallow, seen := l.depthShare("1")
			switch {
			case slices.Contains(syncEngines, engine):
				found = append(found, l.capped(metrics, asked, fmt.Sprintf("iodepth=%d under %s: 1 in flight", wanted, engine)))
			case seen && shallow >= allOperations && !l.paced():
				found = append(found, l.capped(metrics, asked, fmt.Sprintf("iodepth=%d, and %s of the operations were issued at depth 1", wanted, percent(shallow))))
			case engine == "" && !seen:
				found = append(found, l.unchecked(id, metrics, "engine and the queue depths reached", "fio's output shows them"))
			}
		}
		return found
	},
}

// syncEngines run one operation at a time, whatever iodepth says.
var syncEngines = []string{"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", "splice"}

func (l look) capped(metrics []string, asked, arithmetic string) assay.Finding {
	engine := "libaio"
	if e := l.label("", "engine"); slices.Contains(asyncEngines, e) {
		engine = e
	}
	return l.finding("qd-capped", assay.Rejects, metrics, arithmetic,
		"the figure is for queue depth 1, not for the depth requested",
		"use an asynchronous engine with direct I/O: "+l.again(l.main(), map[string]string{
			"ioengine": engine, "iodepth": asked}))
}

// depthShare returns the share of operations issued at a depth up to level.
func (l look) depthShare(level string) (share float64, ok bool) {
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			if m.Metric == "storage.iodepth.share" && m.Labels["level"] == level && m.Value >= 0 && m.Value <= 1 {
				return m.Value, true
			}
		}
	}
	return 0, false
}
