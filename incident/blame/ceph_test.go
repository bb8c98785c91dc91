package blame_test

import (
	"testing"

	"assay/incident/blame"
)

// Ceph's health counts the OSDs that wait for their disks in one line and names each in
// another. Many are not one drive, and one is not several.
func TestHowManyOSDsAreSlow(t *testing.T) {
	const (
		many  = "HEALTH_WARN 9 OSD(s) experiencing slow operations in BlueStore\n[WRN] BLUESTORE_SLOW_OP_ALERT: 9 OSD(s) experiencing slow operations in BlueStore\n"
		one   = "HEALTH_WARN 1 OSD(s) experiencing stalled read in db device of BlueFS\n[WRN] DB_DEVICE_STALLED_READ_ALERT: 1 OSD(s) experiencing stalled read in db device of BlueFS\n"
		slow3 = "     osd.3 observed slow operation indications in BlueStore\n"
		slow5 = "     osd.5 observed slow operation indications in BlueStore\n"
		read4 = "     osd.4 observed stalled read indications in DB device\n"
	)
	for name, c := range map[string]struct{ text, device string }{
		"many, counted":    {many, "?"},
		"many, named":      {many + slow3 + slow5, "?"},
		"named alone":      {slow3 + slow5, "?"},
		"one, named alone": {slow3, "osd.3"},
		"one, counted":     {one, ""},
		"one, named":       {one + read4, "osd.4"},
		"ceph -s":          {"    health: HEALTH_WARN\n            1 OSD(s) experiencing stalled read in db device of BlueFS\n", ""},
	} {
		v := judge(t, c.text)
		switch {
		case c.device == "?":
			if got := layers(v); got != "? drive, ? network" {
				t.Errorf("%s: %q", name, got)
			}
		case v.Cause == nil || v.Cause.How != blame.VeryLikely || v.Cause.Says != "a slow or failing drive under an OSD" || v.Cause.Device != c.device:
			t.Errorf("%s: %+v", name, v)
		}
	}
}
