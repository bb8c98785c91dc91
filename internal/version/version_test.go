package version

import "testing"

func TestOlder(t *testing.T) {
	for _, c := range []struct {
		have, least string
		want        bool
	}{
		{"fio-2.2.10", "3.1", true}, {"fio-3.33", "3.1", false}, {"fio-3.1", "3.1", false},
		{"fio-3.9", "3.33", true}, {"fio-3.36-17-gb6ab", "3.33", false}, {"", "3.1", false},
		{"unknown", "3.1", false}, {"fio-3.1", "", false}, {"sysbench 1.0.20", "1.0", false}, {"3", "3.1", true},
	} {
		if got := Older(c.have, c.least); got != c.want {
			t.Errorf("Older(%q, %q) = %v", c.have, c.least, got)
		}
	}
}
