package failover

import (
	"testing"
	"time"
)

// Steady means two seconds and five answers without a pause. What counts as a pause depends on
// the usual interval: a command that takes a second is not late after half a second.
func TestSteady(t *testing.T) {
	for name, c := range map[string]struct {
		every  time.Duration
		steady time.Duration // from the first answer
		stale  time.Duration // from the last answer
	}{
		"pings":          {10 * time.Millisecond, steady, pause},
		"a command":      {400 * time.Millisecond, steady, 1200 * time.Millisecond},
		"a slow command": {3 * time.Second, 12 * time.Second, 9 * time.Second},
	} {
		w := new(watch)
		begin := time.Date(2026, 11, 26, 6, 0, 0, 0, time.UTC)
		now := begin
		for ; !w.well(now); now = now.Add(c.every) {
			if now.Sub(begin) > time.Minute {
				t.Fatalf("%s: never steady", name)
			}
			if w.hear(now, 1, true); w.well(now) {
				break
			}
		}
		// One more: the usual interval is not known yet at the first pause.
		if took := now.Sub(begin); took < c.steady || took > c.steady+c.every {
			t.Errorf("%s: steady after %s, want %s", name, took, c.steady)
		}
		if last := now.Add(c.stale); !w.well(last) || w.well(last.Add(time.Millisecond)) {
			t.Errorf("%s: %s after the last one it is %t, and after more %t", name, c.stale, w.well(last), w.well(last.Add(time.Millisecond)))
		}
		w.hear(now.Add(c.every), 1, true)
		if w.afresh(); w.well(now.Add(c.every)) {
			t.Errorf("%s: steady before anything was heard afresh", name)
		}
		w.hear(now.Add(2*c.every), 0, true)
		if w.well(now.Add(2 * c.every)) {
			t.Errorf("%s: steady when it was just said not to be well", name)
		}
	}
}

func TestWhatIsHeard(t *testing.T) {
	for piece, want := range map[string]int{"1.0 0.1 ok\n1.1 0.1 lost\n1.2 0.1 ok\n": 2, "1.0 0.1 ok\n": 1, "1.0 0.1 status-1\n": 0, "": 0} {
		if well, known := isAnswer([]byte(piece)); well != want || known != (want > 0) {
			t.Errorf("%q: %d, %t", piece, well, known)
		}
	}
	for piece, want := range map[string]int{"1.000000 3\n1.100000 4\n": 7, "1.000000 0\n": 0, "what?\n": 0} {
		if well, known := isWork([]byte(piece)); well != want || known != (want > 0) {
			t.Errorf("%q: %d, %t", piece, well, known)
		}
	}
	for piece, want := range map[string]int{"1.0 1\n1.1 0\n": 1, "1.0 0\n1.1 1\n": 0} {
		if well, known := isWhole([]byte(piece)); well != want || !known {
			t.Errorf("%q: %d, %t", piece, well, known)
		}
	}
}
