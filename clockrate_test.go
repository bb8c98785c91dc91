package assay

import (
	"math"
	"testing"
)

func TestClockRate(t *testing.T) {
	at := func(asked, took, uptime float64) Snapshot {
		return Snapshot{Asked: asked, Answered: asked + took, Uptime: uptime}
	}
	for _, c := range []struct {
		name      string
		looks     []Snapshot
		low, high float64
		off       float64
		ok        bool
	}{
		{"right", []Snapshot{at(1000, .2, 50), at(1100, .2, 150.1)}, 100.1 / 100.2, 100.1 / 99.8, 0, true},
		{"a tenth slow, in any order", []Snapshot{at(1100, .2, 140), at(1000, .2, 50), at(1050, 3, 96)}, 90 / 100.2, 90 / 99.8, 90/99.8 - 1, true},
		{"fast", []Snapshot{at(1000, 1, 50), at(1100, 1, 170)}, 120. / 101, 120. / 99, 120./101 - 1, true},
		{"too short to tell", []Snapshot{at(1000, 2, 50), at(1003, 2, 52)}, 2. / 5, 2, 0, true},
		{"one look", []Snapshot{at(1000, .2, 50)}, 0, 0, 0, false},
		{"at once", []Snapshot{at(1000, .2, 50), at(1000.1, .2, 50.1)}, 0, 0, 0, false},
		{"restarted", []Snapshot{at(1000, .2, 5000), at(1100, .2, 20)}, 0, 0, 0, false},
		{"restarted, and up for longer since", []Snapshot{at(1000, .2, 600), at(1100, .2, 700), at(2800, .2, 1600), at(2900, .2, 1700)}, 200 / 200.4, 200 / 199.6, 0, true},
		{"restarted and looked at once since", []Snapshot{at(1000, .2, 600), at(2800, .2, 1600)}, 0, 0, 0, false},
		{"of an older run", []Snapshot{{Uptime: 50}, {Uptime: 150}}, 0, 0, 0, false},
		{"not a number", []Snapshot{at(math.NaN(), .2, 50), at(1100, .2, math.NaN())}, 0, 0, 0, false},
	} {
		low, high, ok := ClockRate(c.looks)
		if math.Abs(low-c.low) > 1e-9 || math.Abs(high-c.high) > 1e-9 || ok != c.ok {
			t.Errorf("%s: %g to %g, %v; want %g to %g, %v", c.name, low, high, ok, c.low, c.high, c.ok)
		}
		if off := ClockError(low, high); ok && math.Abs(off-c.off) > 1e-9 {
			t.Errorf("%s: off by %g, want %g", c.name, off, c.off)
		}
	}
}
