package plan

import (
	"testing"
	"time"

	"assay"
)

// Ways that take turns on a subject share its space, which is prepared once;
// otherwise each way has its own.
func TestWaysThatTakeTurnsShareASpace(t *testing.T) {
	for turns, readied := range map[bool]time.Duration{true: 1, false: 2} {
		var trials []assay.Trial
		for _, way := range []assay.Way{nil, {"write_cache": "off"}} {
			d := directory("box", "/dev/sdb")
			d.Subject.Turns, d.Lend, d.Scratch, d.Repeats, d.Length = turns, way, 1<<40, 1, time.Second
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

// The plan lists the temporary settings of a run before it starts, once per
// drive.
func TestSettingsAreSaidBefore(t *testing.T) {
	lent := func(turns bool, name string, way assay.Way) assay.Trial {
		d := directory("box", name)
		d.Subject.Turns, d.Lend = turns, way
		return d
	}
	off := assay.Way{"write_cache": "off"}
	absent := lent(true, "/dev/sdd", off)
	absent.Absent = &assay.Absence{Word: assay.NotSupported}
	p := Plan{Trials: []assay.Trial{lent(true, "/dev/sdb", nil), lent(true, "/dev/sdb", off), lent(true, "/dev/sdb", off), lent(false, "/tank", assay.Way{"sync": "always"}), absent}}
	p.saySettings()
	if want := "the run sets write_cache=off on /dev/sdb of box for some of its tests, if it can be set there, and restores it afterwards"; len(p.Notes) != 1 || p.Notes[0].Text != want {
		t.Errorf("%+v", p.Notes)
	}
}
