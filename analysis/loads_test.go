package analysis

import (
	"testing"

	"assay"
	"assay/analysis/hypotheses"
)

func TestWhichWritesAreSynchronous(t *testing.T) {
	for _, c := range []struct {
		title, metric string
		settings      map[string]string
		want          hypotheses.Load
	}{
		{"asynchronous write of 4k at depth 16", "storage.write.iops", map[string]string{"sync": "0"}, hypotheses.RandomWrites},
		{"asynchronous write of 128k at depth 16", "storage.write.bandwidth", map[string]string{"sync": "0"}, hypotheses.LargeWrites},
		{"synchronous write of 4k at depth 1", "storage.write.iops", map[string]string{"sync": "1"}, hypotheses.SyncWrites},
		{"etcd's log: write of 2,300 B, fdatasync", "storage.write.iops", map[string]string{"sync": "0", "fdatasync": "1"}, hypotheses.SyncWrites},
		{"a test of one's own", "storage.write.iops", map[string]string{"fsync": "1"}, hypotheses.SyncWrites},
	} {
		if got := rowLoad(SideRow{Title: c.title, Metric: c.metric}, assay.Trial{Settings: c.settings}); got != c.want {
			t.Errorf("%s: %s, want %s", c.title, got, c.want)
		}
	}
}
