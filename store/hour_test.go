package store

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Two processes each store an hour's worth of measuring, a repeat a second, as
// fast as they can: none is lost, and each is whole. With -long it is the full
// hour.
func TestAnHourOfTwoWriters(t *testing.T) {
	const trials = 2 // per writer: see writeUntilKilled
	perTrial := 60
	if *long {
		perTrial = 3600 / trials
	}
	path := filepath.Join(t.TempDir(), "assay.db")
	var wg sync.WaitGroup
	began := time.Now()
	acks := twoWriters(t, &wg, path, perTrial)
	wg.Wait()
	took := time.Since(began)
	s := reopen(t, path)
	for i := range acks {
		if len(acks[i]) != trials*perTrial {
			t.Errorf("writer %d stored %d repeats, want %d", i, len(acks[i]), trials*perTrial)
		}
		if more := checkWhole(t, path, fmt.Sprintf("child-%d", i), acks[i]); more != 0 {
			t.Errorf("writer %d: %d repeats are there that it did not store", i, more)
		}
	}
	all := len(acks) * trials * perTrial
	if got := rowsOf(t, s, "repeat"); got != all {
		t.Errorf("%d repeats, want %d", got, all)
	}
	t.Logf("%d repeats of two processes in %s: %.0f commits/s", all, took.Round(time.Millisecond), float64(all)/took.Seconds())
}
