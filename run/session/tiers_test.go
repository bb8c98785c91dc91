package session

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay"
	"assay/plan"
	"assay/run/tiers"
	"assay/store"
)

// opened returns a new store.
func opened(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// What Kubernetes reports about the storage is noted once, however many pods have
// it, and not again when the run is resumed.
func TestTierNotes(t *testing.T) {
	copies, rebuilt := assay.Note{ID: "longhorn-copies", Text: "2 of 3"}, assay.Note{ID: "longhorn-rebuild", Text: "pvc-1"}
	look := &Session{deployment: &tiers.Deployment{Notes: []assay.Note{copies, copies, rebuilt}}}
	notes := look.tierNotes()
	if !slices.Equal(notes, []assay.Note{copies, rebuilt}) || len((&Session{}).tierNotes()) > 0 {
		t.Errorf("%+v", notes)
	}
	st := opened(t)
	run := assay.Run{ID: "20260101-000000-aaaaaa", Started: time.Now(), Status: assay.RunInterrupted,
		Notes: []assay.Note{copies, {ID: "budget", Text: "ran out"}, {ID: assay.NoteLeft, Text: "a pod"}}}
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

// Whatever a run leaves behind is also in the store.
func TestStoreLeft(t *testing.T) {
	var said []string
	st := opened(t)
	look := &Session{store: st, options: Options{Tell: func(e Event) { said = append(said, e.Text) }}}
	for id, c := range map[string]struct{ is, want assay.RunStatus }{
		"20260101-000000-aaaaaa": {assay.RunDone, assay.RunPartial},
		"20260101-000000-bbbbbb": {assay.RunInterrupted, assay.RunInterrupted},
	} {
		run := assay.Run{ID: id, Suite: "tiers", Started: time.Now(), Status: c.is}
		if err := st.Begin(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		look.storeLeft(t.Context(), &run, errors.New("namespace assay-1 is there"))
		stored, err := st.Load(t.Context(), id)
		if err != nil || stored.Status != c.want || run.Status != c.want ||
			!slices.Contains(stored.Notes, assay.Note{ID: assay.NoteLeft, Text: "namespace assay-1 is there"}) {
			t.Errorf("%s: stored is %s with %+v, told is %s: %v", id, stored.Status, stored.Notes, run.Status, err)
		}
	}
	look.storeLeft(t.Context(), &assay.Run{}, errors.New("nothing began"))
	if len(said) > 0 {
		t.Errorf("it said %q", said)
	}
}
