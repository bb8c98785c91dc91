package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
)

// Only the chosen host is asked for its tiers, and a missing directory costs only
// its own tier.
func TestTiersOnOneHost(t *testing.T) {
	t.Parallel()
	l := hoststest.Up(t, likeHosts("left", "right"))
	file := clusterFile(t, l, "tiers:\n  disk: {hosts: [left, right], directory: "+hosts.BenchDir+"}\n  none: {host: left, directory: /no/such/place}\n")
	db := filepath.Join(t.TempDir(), "assay.db")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	got := assayed(ctx, db, "run", "-i", file, "--suite", "tiers", "--host", "left", "--only", "randread-4k", "--repeats", "2", "--length", "1s", "--time-budget", "1h")
	if got.status != exitPartial {
		t.Fatalf("status %d\n%s", got.status, got.stderr)
	}
	run, err := (&app{db: db}).loadRun(ctx, []string{"latest"})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Inventory.Hosts) != 1 || run.Inventory.Hosts[0].Name != "left" || run.Status != assay.RunPartial {
		t.Errorf("status %s of hosts %+v", run.Status, run.Inventory.Hosts)
	}
	measured := map[string]bool{}
	for _, r := range run.Results {
		measured[r.Trial.Subject.Tier] = len(r.Counted()) > 0 && r.Trial.Absent == nil
	}
	if !measured["disk"] || measured["none"] || len(measured) != 2 {
		t.Errorf("measured %v\n%s", measured, got.stderr)
	}
}
