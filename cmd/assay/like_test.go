package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/store"
)

// A run on several hosts, or on tiers, can follow another's plan: the same trials,
// hosts, lengths and file sizes.
func TestLikeARunOfSeveralHosts(t *testing.T) {
	t.Parallel()
	l := hoststest.Up(t, likeHosts("left", "right"))
	file := clusterFile(t, l, "tiers:\n  disk: {host: left, directory: "+hosts.BenchDir+"}\n")
	for suite, part := range map[string][]string{
		"cluster": {"run", "--only", "syncwrite-4k,tcp-1", "--network", "storage"},
		"tiers":   {"run", "--only", "syncwrite-4k"},
	} {
		t.Run(suite, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "assay.db")
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			measured := func(words ...string) map[string]string {
				got := assayed(ctx, db, words...)
				if !slices.Contains([]int{exitFine, exitRejected}, got.status) {
					t.Fatalf("status %d\n%s", got.status, got.stderr)
				}
				run, err := (&app{db: db}).loadRun(ctx, []string{"latest"})
				if err != nil {
					t.Fatal(err)
				}
				trials := map[string]string{}
				for _, r := range run.Results {
					trials[r.Trial.ID] = lengthAndSize(r)
				}
				return trials
			}
			base := measured(append(part, "-i", file, "--suite", suite, "--repeats", "2", "--length", "1s", "--size", "64M", "--time-budget", "2m")...)
			planned := assayed(ctx, db, "plan", "--like", "latest", "-i", file, "--verbose")
			if planned.status != exitFine || strings.Count(planned.stdout, " × 1s ") != len(base) {
				t.Errorf("status %d, planned\n%s%s", planned.status, planned.stdout, planned.stderr)
			}
			if again := measured("run", "--like", "latest", "-i", file); len(base) < 1 || !maps.Equal(again, base) {
				t.Errorf("measured\n%v\nlike\n%v", again, base)
			}
		})
	}
}

// The hint of a Ceph that is not well names --despite-health: it counts with --resume and
// --like too. Here it is refused, since no tier has a health.
func TestDespiteHealthOfAnEarlierRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, file := filepath.Join(dir, "assay.db"), filepath.Join(dir, "cluster.yaml")
	if err := os.WriteFile(file, []byte("hosts: {a: 127.0.0.1}\ntiers: {disk: {host: a, directory: /srv}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	was := assay.Run{
		ID: "20260101-000000-aaaaaa", Suite: "tiers", Started: time.Now(), Budget: time.Minute,
		Inventory: assay.Inventory{File: file, Tiers: []assay.Tier{{Name: "disk", Hosts: []string{"a"}}}},
	}
	trial := assay.Trial{Probe: "fio", ID: "x@a/directory//srv", Subject: assay.Subject{ID: "a/directory//srv", Host: "a"}, Repeats: 1}
	if err := errors.Join(st.Begin(t.Context(), was), st.AddTrials(t.Context(), was.ID, []assay.Trial{trial}),
		st.Finish(t.Context(), was.ID, assay.RunInterrupted, time.Second, nil)); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"--resume", "--like"} {
		if got := assayed(t.Context(), db, "run", way, was.ID, "--despite-health"); !strings.Contains(got.stderr, "--despite-health: no tier here looks at its health") {
			t.Errorf("%s: status %d\n%s", way, got.status, got.stderr)
		}
	}
}

// lengthAndSize returns what a result must share with that of another run.
func lengthAndSize(r assay.Result) string {
	if len(r.Counted()) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s on %d B", r.Trial.Length, r.Scratch.Bytes)
}
