package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	quick "assay/lab/internal/turns"
	"assay/store"
)

// The history holds distinct runs of several hosts, with the trials, repeats and
// samples of the baseline suite.
func TestHistory(t *testing.T) {
	quick.NotQuick(t, "a long history")
	t.Chdir("../..") // where the capture is
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "assay.db")
	const runs = 2*historyHosts + 1
	if err := firstRuns(ctx, path); err != nil {
		t.Fatal(err)
	}
	if err := copyNights(ctx, path, runs, func(string) {}); err != nil {
		t.Fatal(err)
	}
	samples, ids, err := measureHistory(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) != runs || samples/runs*historyRuns < 10_000_000 {
		t.Errorf("%d runs, and %d samples in as many as there will be", len(ids), samples/runs*historyRuns)
	}
	st, err := store.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	seen := map[float64]bool{}
	for _, id := range []string{ids[0], ids[historyHosts], ids[2*historyHosts]} {
		run, err := st.Load(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if host := run.Results[0].Trial.Subject.Host; host != "pve1" || len(run.Results) < 25 || run.ID != id {
			t.Errorf("run %s is of %s, with %d trials", id, host, len(run.Results))
		}
		for _, r := range run.Results {
			values := r.Values("storage.read.iops")
			for _, v := range values {
				if seen[v] {
					t.Fatalf("%v is there twice", v)
				}
				seen[v] = true
			}
			if n := len(r.Counted()); n != historyRepeats {
				t.Errorf("%d repeats of %s", n, r.Trial.ID)
			}
		}
	}
	if len(seen) == 0 {
		t.Error("nobody read")
	}
	// An existing database is used unchanged.
	dir := t.TempDir()
	kept, err := os.Create(filepath.Join(dir, historyFile()))
	if err != nil {
		t.Fatal(err)
	}
	kept.Close()
	if got, err := historyDatabase(ctx, dir, func(string) {}); err != nil || got != kept.Name() {
		t.Errorf("%s, %v", got, err)
	}
}
