package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
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
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
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

// lengthAndSize returns what a result must share with that of another run.
func lengthAndSize(r assay.Result) string {
	if len(r.Counted()) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s on %d B", r.Trial.Length, r.Scratch.Bytes)
}
