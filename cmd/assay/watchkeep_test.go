package main

import (
	"io"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay"
)

// A watch deletes its own rounds and nothing else.
func TestAWatchForgetsItsOldRounds(t *testing.T) {
	t.Parallel()
	a := newApp(nil, io.Discard, io.Discard)
	a.db = filepath.Join(t.TempDir(), "db")
	st, err := a.openStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	const day = 24 * time.Hour
	stored := func(id, suite, host, job string, ago time.Duration) assay.Run {
		run := assay.Run{ID: id, Suite: suite, Started: time.Now().Add(-ago), Labels: map[string]string{"job": job}}
		run.Inventory.Hosts = []assay.Host{{Name: host}}
		if err := st.Begin(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if err := st.Finish(t.Context(), id, assay.RunDone, time.Second, nil); err != nil {
			t.Fatal(err)
		}
		return run
	}
	stored("old", "watch", "pve1", "watch", 91*day)
	stored("recent", "watch", "pve1", "watch", 89*day)
	stored("pinned", "watch", "pve1", "watch", 91*day)
	stored("elsewhere", "watch", "pve2", "watch", 91*day)
	stored("other-suite", "quick", "pve1", "watch", 91*day)
	stored("other-job", "watch", "pve1", "nightly", 91*day)
	newest := stored("newest", "watch", "pve1", "watch", 0)
	if err := st.Pin(t.Context(), "pinned", "baseline"); err != nil {
		t.Fatal(err)
	}
	w := &watcher{app: a, store: st}
	for _, c := range []struct {
		keep time.Duration
		want []string
	}{
		{0, []string{"elsewhere", "newest", "old", "other-job", "other-suite", "pinned", "recent"}},
		{90 * day, []string{"elsewhere", "newest", "other-job", "other-suite", "pinned", "recent"}},
	} {
		w.keep = c.keep
		if err := w.forget(t.Context(), newest); err != nil {
			t.Fatal(err)
		}
		all, err := st.Runs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for _, s := range all {
			left = append(left, s.ID)
		}
		slices.Sort(left)
		if !slices.Equal(left, c.want) {
			t.Errorf("keep %s: %q are left, want %q", c.keep, left, c.want)
		}
	}
}
