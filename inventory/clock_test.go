package inventory

import (
	"math"
	"testing"
	"time"
)

// The host is 100 s ahead, takes 300 ms to answer and is 10 ms away: its
// processing time does not widen the bounds.
func TestOffset(t *testing.T) {
	sent := time.Unix(1_750_000_000, 0)
	received := sent.Add(320 * time.Millisecond)
	said := func(first, last string) []byte {
		text := "@@ assay-facts 1\n@@ run date 0\n " + first + "\n"
		if last != "" {
			text += "@@ run ended 0\n " + last + "\n"
		}
		return []byte(text + "@@ end\n")
	}
	for name, c := range map[string]struct {
		first, last    string
		offset, within float64
	}{
		"nanoseconds":                 {"1750000100.010000000", "1750000100.310000000", 100, .01},
		"a slow way there":            {"1750000100.018000000", "1750000100.318000000", 100.008, .01},
		"in step":                     {"1750000000.010000000", "1750000000.310000000", 0, .01},
		"behind":                      {"1749999900.010000000", "1749999900.310000000", -100, .01},
		"a date of whole seconds":     {"1750000100", "1750000100", 100.34, .66},
		"BusyBox without fractions":   {"1750000100.", "1750000100.", 100.34, .66},
		"BusyBox that knows no %N":    {"1750000100.%N", "1750000100.%N", 100.34, .66},
		"leading zeros are no octal":  {"1750000100.000000009", "1750000100.300000009", 99.990000009, .01},
		"the clock was set meanwhile": {"1750000100.010000000", "1750000101.310000000", math.NaN(), 0},
		"no second time":              {"1750000100.010000000", "", math.NaN(), 0},
		"what is no time":             {"date: invalid option", "1750000100.010000000", math.NaN(), 0},
	} {
		got := offset(said(c.first, c.last), sent, received)
		if math.IsNaN(c.offset) {
			if got != nil {
				t.Errorf("%s: %+v", name, *got)
			}
			continue
		}
		if got == nil || math.Abs(got.Offset-c.offset) > 1e-6 || math.Abs(got.Within-c.within) > 1e-6 {
			t.Errorf("%s: %+v, want %g within %g", name, got, c.offset, c.within)
		}
	}
}

func TestSynchronised(t *testing.T) {
	yes, no := truth(true), truth(false)
	for name, c := range map[string]struct {
		said string
		want *bool
	}{
		"timesyncd":            {"@@ seen /run/systemd/timesync/synchronized\n", yes},
		"timesyncd, lost":      {"@@ seen /run/systemd/timesync\n", no},
		"chrony":               {"@@ run chrony 0\n Stratum         : 3\n Leap status     : Normal\n", yes},
		"chrony, at its start": {"@@ run chrony 0\n Leap status     : Not synchronised\n", no},
		"no chronyd":           {"@@ run chrony 1\n 506 Cannot talk to daemon\n", nil},
		"timedatectl":          {"@@ run timedatectl 0\n NTPSynchronized=yes\n", yes},
		"timedatectl says no":  {"@@ run timedatectl 0\n NTPSynchronized=no\n", no},
		"no systemd":           {"@@ run timedatectl 1\n System has not been booted with systemd as init system (PID 1). Can't operate.\n", nil},
		"nobody":               {"", nil},
	} {
		f, err := Parse([]byte("@@ assay-facts 1\n" + c.said + "@@ end\n"))
		if err != nil {
			t.Fatal(err)
		}
		if (f.Synchronised == nil) != (c.want == nil) || c.want != nil && *f.Synchronised != *c.want {
			t.Errorf("%s: %v", name, f.Synchronised)
		}
		missing := false
		for _, m := range f.Missing {
			missing = missing || m.Fact == "clock synchronisation"
		}
		if missing != (c.want == nil) {
			t.Errorf("%s: among the missing facts: %v", name, missing)
		}
	}
}
