package watch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
)

func TestCalled(t *testing.T) {
	counts := map[string]assay.DeviceCounts{"sda": {Reads: 1}, "sdb": {Reads: 2}, "sdc": {Reads: 3}}
	for name, c := range map[string]struct{ names, want map[string]string }{
		"as the kernel does": {nil, map[string]string{"sda": "sda", "sdb": "sdb", "sdc": "sdc"}},
		"as before":          {map[string]string{"sdc": "sdb", "sdb": ""}, map[string]string{"sda": "sda", "sdb": "sdc"}},
		"exchanged":          {map[string]string{"sda": "sdb", "sdb": "sda"}, map[string]string{"sda": "sdb", "sdb": "sda", "sdc": "sdc"}},
		"one that is away":   {map[string]string{"sdx": "sdb"}, map[string]string{"sda": "sda", "sdb": "sdb", "sdc": "sdc"}},
	} {
		want := map[string]assay.DeviceCounts{}
		for as, of := range c.want {
			want[as] = counts[of]
		}
		w := (&Watcher{}).Call(c.names)
		if diff := cmp.Diff(want, w.called(counts)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if counts["sdb"].Reads != 2 {
		t.Error("what was counted was changed")
	}
}
