package store

import (
	"os"
	"path/filepath"
	"testing"
)

// Counters missing from an old stored watch are unknown, not zero.
func TestAWatchStoredBeforePressureWasCounted(t *testing.T) {
	blob, err := os.ReadFile(filepath.Join("testdata", "watch-of-schema3.json.zst"))
	must(t, err)
	var all watches
	must(t, newRoom().unpackJSON(blob, &all))
	w := all.Watch
	if w.Before.Uptime != 4595.43 || w.After.CPU.User != 4527.06 || w.Before.Throttles != -1 || len(w.Ticks) == 0 {
		t.Errorf("what it had is not there: %+v", w)
	}
	counts, ok := w.Device("vda")
	if !ok || counts.WriteBytes <= 0 {
		t.Errorf("the repeat wrote %+v", counts)
	}
	for _, s := range []struct {
		name  string
		known bool
	}{
		{"pressure", w.Before.Pressure != nil || w.After.Pressure != nil || w.Ticks[0].Pressure != nil},
		{"quota", w.Before.Quota != nil || w.After.Quota != nil},
		{"limits", w.After.Limits != nil}, {"swap", w.After.Swap != nil},
		{"retransmits", w.After.Retransmits != nil}, {"interfaces", w.After.NICs != nil},
		{"runnable", w.After.Runnable != 0}, {"busiest", w.Busiest != nil},
	} {
		if s.known {
			t.Errorf("%s was not counted, and looks as if", s.name)
		}
	}
}
