package plan

import (
	"testing"
	"time"

	"assay"
)

// Ways that take turns on a subject share its space, which is readied once; elsewhere
// each way has a space of its own.
func TestWaysThatTakeTurnsShareASpace(t *testing.T) {
	for turns, readied := range map[bool]time.Duration{true: 1, false: 2} {
		var trials []assay.Trial
		for _, way := range []assay.Way{nil, {"write_cache": "off"}} {
			d := directory("box", "/dev/sdb")
			d.Subject.Turns, d.Lend, d.Scratch, d.Repeats, d.Length = turns, way, 1<<30, 1, time.Second
			trials = append(trials, d)
		}
		p := Plan{Trials: trials, Prepare: time.Minute}
		if same := Space(trials[0]) == Space(trials[1]); same != turns {
			t.Errorf("turns %v: one space %v", turns, same)
		}
		slots := schedule(trials, 1)
		measured := p.Cost(slots[0]) + p.Cost(slots[1])
		if got := p.Course(slots) - measured; got != readied*time.Minute {
			t.Errorf("turns %v: readied for %s", turns, got)
		}
	}
}
