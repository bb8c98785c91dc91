package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/lab/bench/workload"
	"assay/store"
)

func TestCopyRuns(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from.db"), filepath.Join(t.TempDir(), "to.db")
	want := workload.Run("original", 0, workload.Size{Trials: 2, Repeats: 2, Samples: 3})
	st, err := store.Open(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	if err := keep(t.Context(), st, want); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := copyRuns(t.Context(), from, to, 3); n != 3 || err != nil {
		t.Fatalf("%d runs, %v", n, err)
	}
	got, err := loadLatest(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	want.ID, want.Started = "original-2", want.Started.Add(2*time.Hour)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONLineHoldsTheTranscript(t *testing.T) {
	rep := repeatNumber(1)
	line, err := jsonLine(rep)
	if err != nil {
		t.Fatal(err)
	}
	if least := len(rep.Transcript.Steps[0].Output.Stdout); len(line) < least {
		t.Errorf("a line of %d bytes cannot hold a transcript of %d", len(line), least)
	}
}
