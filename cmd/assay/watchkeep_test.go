package main

import (
	"io"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay"
)

// A watch deletes its own rounds and nothing else. Replacing a drive does not make it a
// different watch.
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
	subject := func(host, name string, kind assay.SubjectKind) assay.Trial {
		return assay.Trial{ID: string(kind) + name, Subject: assay.Subject{ID: host + "/" + string(kind) + "/" + name, Kind: kind, Host: host, Name: name}}
	}
	kept := func(id, suite, host, job string, ago time.Duration, trials ...assay.Trial) assay.Run {
		run := assay.Run{ID: id, Suite: suite, Started: time.Now().Add(-ago), Labels: map[string]string{"job": job}}
		run.Inventory.Hosts = []assay.Host{{Name: host}}
		if err := st.Begin(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if err := st.AddTrials(t.Context(), id, trials); err != nil {
			t.Fatal(err)
		}
		for _, trial := range trials {
			run.Results = append(run.Results, assay.Result{Trial: trial})
		}
		if err := st.Finish(t.Context(), id, assay.RunDone, time.Second, nil); err != nil {
			t.Fatal(err)
		}
		return run
	}
	stored := func(id, suite, host, job string, ago time.Duration) assay.Run {
		return kept(id, suite, host, job, ago, subject(host, "/a", assay.KindDirectory))
	}
	stored("old", "watch", "pve1", "watch", 91*day)
	stored("recent", "watch", "pve1", "watch", 89*day)
	stored("pinned", "watch", "pve1", "watch", 91*day)
	stored("elsewhere", "watch", "pve2", "watch", 91*day)
	stored("other-suite", "quick", "pve1", "watch", 91*day)
	stored("other-job", "watch", "pve1", "nightly", 91*day)
	kept("other-dir", "watch", "pve1", "watch", 91*day, subject("pve1", "/b", assay.KindDirectory))
	kept("more-dirs", "watch", "pve1", "watch", 91*day, subject("pve1", "/a", assay.KindDirectory), subject("pve1", "/b", assay.KindDirectory))
	kept("other-drive", "watch", "pve1", "watch", 91*day, subject("pve1", "/a", assay.KindDirectory), subject("pve1", "sdb", assay.KindDrive))
	newest := stored("newest", "watch", "pve1", "watch", 0)
	if err := st.Pin(t.Context(), "pinned", "baseline"); err != nil {
		t.Fatal(err)
	}
	w := &watcher{app: a, store: st}
	for _, c := range []struct {
		keep time.Duration
		want []string
	}{
		{0, []string{"elsewhere", "more-dirs", "newest", "old", "other-dir", "other-drive", "other-job", "other-suite", "pinned", "recent"}},
		{90 * day, []string{"elsewhere", "more-dirs", "newest", "other-dir", "other-job", "other-suite", "pinned", "recent"}},
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
