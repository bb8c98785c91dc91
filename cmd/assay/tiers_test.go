package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/plan"
	"assay/run/tiers"
)

// Of the tiers that a host measures it alone is asked, and a directory that is not
// there costs its own tier and no other.
func TestTiersOnOneHost(t *testing.T) {
	t.Parallel()
	l := hoststest.Up(t, alike("left", "right"))
	file := clusterFile(t, l, "tiers:\n  disk: {hosts: [left, right], directory: "+hosts.BenchDir+"}\n  none: {host: left, directory: /no/such/place}\n")
	db := filepath.Join(t.TempDir(), "assay.db")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	got := assayed(ctx, db, "run", "-i", file, "--suite", "tiers", "--host", "left", "--only", "randread-4k", "--repeats", "2", "--length", "1s", "--time-budget", "2m")
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

// What the Kubernetes says of the storage is said once, however many pods have it,
// and not once more when the run is gone on with.
func TestTierNotes(t *testing.T) {
	copies, rebuilt := assay.Note{ID: "longhorn-copies", Text: "2 of 3"}, assay.Note{ID: "longhorn-rebuild", Text: "pvc-1"}
	look := &session{stage: &tiers.Stage{Notes: []assay.Note{copies, copies, rebuilt}}}
	notes := look.tierNotes()
	if !slices.Equal(notes, []assay.Note{copies, rebuilt}) || len((&session{}).tierNotes()) > 0 {
		t.Errorf("%+v", notes)
	}
	st, err := (&app{db: filepath.Join(t.TempDir(), "assay.db")}).openStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	run := assay.Run{ID: "20260101-000000-aaaaaa", Started: time.Now(), Status: assay.RunInterrupted,
		Notes: []assay.Note{copies, {ID: "budget", Text: "ran out"}, {ID: noteLeft, Text: "a pod"}}}
	if err := st.Begin(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if err := st.Finish(t.Context(), run.ID, run.Status, time.Second, run.Notes); err != nil {
		t.Fatal(err)
	}
	head, err := (&unfinished{run: run}).reopen(t.Context(), st, plan.Plan{}, notes)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, n := range head.Notes {
		ids = append(ids, n.ID)
	}
	if want := []string{"resumed", copies.ID, rebuilt.ID}; !slices.Equal(ids, want) {
		t.Errorf("notes %q, want %q", ids, want)
	}
}

// What is left of a run is in the store as well.
func TestStoreLeft(t *testing.T) {
	var said bytes.Buffer
	a := &app{db: filepath.Join(t.TempDir(), "assay.db"), stderr: &said}
	st, err := a.openStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for id, c := range map[string]struct{ is, want assay.RunStatus }{
		"20260101-000000-aaaaaa": {assay.RunDone, assay.RunPartial},
		"20260101-000000-bbbbbb": {assay.RunInterrupted, assay.RunInterrupted},
	} {
		run := assay.Run{ID: id, Suite: "tiers", Started: time.Now(), Status: c.is}
		if err := st.Begin(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		a.storeLeft(t.Context(), &run, errors.New("namespace assay-1 is there"))
		stored, err := st.Load(t.Context(), id)
		if err != nil || stored.Status != c.want || run.Status != c.want || !broken(stored) ||
			!slices.Contains(stored.Notes, assay.Note{ID: noteLeft, Text: "namespace assay-1 is there"}) {
			t.Errorf("%s: stored is %s with %+v, told is %s: %v", id, stored.Status, stored.Notes, run.Status, err)
		}
	}
	a.storeLeft(t.Context(), &assay.Run{}, errors.New("nothing began"))
	if said.Len() > 0 {
		t.Errorf("it said %s", said.String())
	}
}
