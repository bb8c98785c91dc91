package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
)

func TestRunsSummarises(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		if runs, err := s.Runs(ctx); err != nil || len(runs) != 0 {
			t.Fatalf("a new database lists %v, %v", runs, err)
		}
		noon := time.Date(2025, 3, 1, 12, 0, 0, 7, time.FixedZone("", 3600))
		run := small("new", noon)
		run.Inventory.Hosts = []assay.Host{{Name: "alpha"}, {Name: "beta"}}
		run.Status = assay.RunPartial
		broken, warmup := repeatNumber(2), repeatNumber(0)
		broken.Outcome = assay.Broke
		run.Results[0].Repeats = append(run.Results[0].Repeats, broken, warmup)
		run.Results = append(run.Results, assay.Result{Trial: assay.Trial{ID: "absent", Absent: &assay.Absence{}}})
		run.Findings = []assay.Finding{{Severity: assay.Rejects}, {Severity: assay.Warns}, {Severity: assay.Rejects}, {Severity: assay.NotChecked}}
		must(t, keep(ctx, s, run))
		// Stored later, begun earlier; its local time is later.
		must(t, s.Begin(ctx, assay.Run{ID: "old", Suite: "ssd", Started: noon.Add(-time.Nanosecond).In(time.FixedZone("", 9*3600))}))

		got, err := s.Runs(ctx)
		must(t, err)
		self, err := s.self("new")
		must(t, err)
		old := self
		old.Run = "old"
		want := []Summary{
			{ID: "new", Suite: "quick", Hosts: []string{"alpha", "beta"}, Started: noon, Elapsed: time.Minute,
				Status: assay.RunPartial, Owner: self, Trials: 2, Repeats: 1, Rejected: 2},
			{ID: "old", Suite: "ssd", Hosts: []string{}, Started: noon.Add(-1), Status: assay.RunRunning, Owner: old},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		// It needs no blob.
		for _, statement := range []string{"UPDATE run SET inventory = ?", "UPDATE evidence SET watch = ?1, transcript = ?1"} {
			_, err := s.writer.Exec(statement, []byte{0})
			must(t, err)
		}
		if again, err := s.Runs(ctx); err != nil || !cmp.Equal(want, again) {
			t.Errorf("without its blobs: %v %v", again, err)
		}
	})
}

func TestResolve(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		if _, err := s.Resolve(ctx, ""); !errors.Is(err, assay.ErrNotFound) || !strings.Contains(assay.Hint(err), "assay run") {
			t.Errorf("an empty database: %v (hint %q)", err, assay.Hint(err))
		}
		for i, id := range []string{"20250301-aa", "20250301-ab", "20250301-ab9", "20250302-cc", "9.+_"} {
			must(t, s.Begin(ctx, assay.Run{ID: id, Started: time.Unix(int64(i), 0)}))
		}
		for name, want := range map[string]string{
			"": "9.+_", "latest": "9.+_", "20250301-aa": "20250301-aa", "20250302": "20250302-cc",
			"20250301-ab": "20250301-ab", // also the prefix of another
			"9.":          "9.+_",
		} {
			if got, err := s.Resolve(ctx, name); err != nil || got != want {
				t.Errorf("Resolve(%q) = %q, %v; want %q", name, got, err, want)
			}
		}
		for name, hint := range map[string]string{
			"20250301-":   "use more characters: 20250301-ab9, 20250301-ab, 20250301-aa",
			"20250302-cd": "the nearest: 20250302-cc, 20250301-ab9",
			"_":           "the nearest: ",
		} {
			got, err := s.Resolve(ctx, name)
			if !errors.Is(err, assay.ErrNotFound) || !strings.HasPrefix(assay.Hint(err), hint) {
				t.Errorf("Resolve(%q) = %q, %v; hint %q, want %q", name, got, err, assay.Hint(err), hint)
			}
		}
		if hint := list(strings.Fields("a b c d e f")); hint != "a, b, c, d, e, …" {
			t.Error(hint)
		}
		for _, name := range []string{"none", "2025"} {
			if _, err := s.Load(ctx, name); !errors.Is(err, assay.ErrNotFound) {
				t.Errorf("Load(%s): %v", name, err)
			}
		}
	})
}
