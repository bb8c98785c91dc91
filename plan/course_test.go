package plan

import (
	"testing"
	"time"

	"assay"
)

func TestCourse(t *testing.T) {
	on := func(host, peer string, seconds int, claims ...string) assay.Trial {
		return assay.Trial{Subject: assay.Subject{ID: host, Host: host}, Peer: peer, Length: time.Duration(seconds) * time.Second, Claims: claims}
	}
	for _, c := range []struct {
		name    string
		trials  []assay.Trial
		seconds int
	}{
		{"one host: one after the other", []assay.Trial{on("a", "", 1), on("a", "", 2)}, 3},
		{"two hosts: at once", []assay.Trial{on("a", "", 1), on("b", "", 2)}, 2},
		{"a link needs both", []assay.Trial{on("a", "", 1), on("b", "", 2), on("a", "b", 4)}, 6},
		{"two links of four hosts", []assay.Trial{on("a", "b", 4), on("c", "d", 3)}, 4},
		{"two links with a host in common", []assay.Trial{on("a", "b", 4), on("b", "c", 3)}, 7},
		{"an uplink that is shared", []assay.Trial{on("a", "b", 4, "shared/uplink"), on("c", "d", 3, "shared/uplink")}, 7},
		{"a claim on its own host is no more than the host", []assay.Trial{on("a", "", 1, "a/drive"), on("b", "", 1, "a/drive")}, 1},
		{"order is kept: b waits behind the link", []assay.Trial{on("a", "", 3), on("a", "b", 1), on("b", "", 1)}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Plan{Trials: c.trials}
			var slots []Slot
			for i := range c.trials {
				slots = append(slots, Slot{i, 1})
			}
			if got := p.Course(slots); got != time.Duration(c.seconds)*time.Second {
				t.Errorf("takes %s, want %d s", got, c.seconds)
			}
		})
	}
}

// Scratch space is prepared once for all trials that share it, on all hosts in
// parallel.
func TestCourseReadiesScratchOnce(t *testing.T) {
	p := Plan{Prepare: 10 * time.Second}
	for _, host := range []string{"a", "a", "b"} {
		p.Trials = append(p.Trials, assay.Trial{Subject: assay.Subject{ID: host + "/dir", Host: host}, Volume: "dir", Probe: "fio", Scratch: 1 << 40, Length: time.Second})
	}
	if got := p.Course([]Slot{{0, 1}, {1, 1}, {2, 1}}); got != 12*time.Second {
		t.Errorf("takes %s, want 12 s", got)
	}
}
