package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/store"
)

// figuresOf returns a run's figures, as the parsers reread them from its
// transcripts.
func figuresOf(t *testing.T, db string) (figures []string, whole string) {
	t.Helper()
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	runs, err := st.Runs(t.Context())
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	run, err := st.Load(t.Context(), runs[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	add := func(what string, run assay.Run) {
		for i, r := range run.Results {
			for _, rep := range r.Repeats {
				for _, m := range rep.Measurements {
					figures = append(figures, fmt.Sprintf("%s %d/%d %s %s %v %v %v", what, i, rep.N, rep.Outcome, m.Metric, m.Value, len(m.Samples), len(m.Histogram)))
				}
			}
		}
	}
	add("stored", run)
	if err := readAgain(context.Background(), st, &run); err != nil {
		t.Fatal(err)
	}
	add("read again", run)
	var all []any
	for _, r := range run.Results {
		for _, rep := range r.Repeats {
			all = append(all, rep.Transcript)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return figures, string(text)
}

// An anonymised run can be imported, has the same figures, and the parsers read the
// same from what is left of its transcripts.
func TestAnonymousRunsCanBeReadAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, other, file := filepath.Join(dir, "mine.db"), filepath.Join(dir, "theirs.db"), filepath.Join(dir, "out.assay")
	got := verb(t, db, slices.Concat([]string{"run", "--dir", recordedDir, "--replay", "testdata/recordings/baseline.jsonl"}, recorded["baseline"])...)
	if got.status != 0 && got.status != exitRejected && got.status != exitPartial {
		t.Fatalf("run: status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	for _, args := range [][]string{{db, "export", "--anonymise", "-o", file}, {other, "import", file}} {
		if got := verb(t, args[0], args[1:]...); got.status != 0 {
			t.Fatalf("%q: status %d\n%s%s", args, got.status, got.stdout, got.stderr)
		}
	}
	before, _ := figuresOf(t, db)
	after, transcripts := figuresOf(t, other)
	if len(before) < 20 || !reflect.DeepEqual(before, after) {
		t.Errorf("%d figures became %d", len(before), len(after))
		for i := range min(len(before), len(after)) {
			if before[i] != after[i] {
				t.Errorf("%s became %s", before[i], after[i])
			}
		}
	}
	if words := regexp.MustCompile(`assay-test`).FindAllString(transcripts, -1); len(words) > 0 {
		t.Errorf("left: %s", strings.Join(words, " "))
	}
}
