package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
)

// A database of every schema ever shipped opens, is migrated to the schema of a
// new one, and returns what was stored.
func TestFixtureOfEverySchema(t *testing.T) {
	if *update {
		writeFixture(t, len(shipped))
	}
	ctx := context.Background()
	want := schemaOf(t, fresh(t))
	for n := 1; n <= len(shipped); n++ {
		packed, err := os.ReadFile(fixture(n) + ".db.zst")
		must(t, err)
		raw, err := newUnpacker().DecodeAll(packed, nil)
		must(t, err)
		path := filepath.Join(t.TempDir(), "assay.db")
		must(t, os.WriteFile(path, raw, 0o600))
		s := reopen(t, path)
		if diff := cmp.Diff(want, schemaOf(t, s)); diff != "" {
			t.Errorf("schema %d brought forward is not that of a new database:\n%s", n, diff)
		}
		golden, err := os.ReadFile(fixture(n) + ".json")
		must(t, err)
		run := mustLoad(t, s, "fixture")
		if got := asJSON(t, run); !bytes.Equal(golden, got) {
			t.Errorf("schema %d: %s", n, cmp.Diff(string(golden), string(got)))
		}
		tr, err := s.Transcript(ctx, "fixture", run.Results[0].Trial.ID, 1)
		must(t, err)
		if diff := cmp.Diff(repeatNumber(1).Transcript, tr); diff != "" {
			t.Errorf("schema %d: %s", n, diff)
		}
	}
}

func fixture(n int) string { return filepath.Join("testdata", fmt.Sprintf("schema%d", n)) }

func writeFixture(t *testing.T, n int) {
	t.Helper()
	run := small("fixture", time.Date(2025, 3, 1, 12, 0, 0, 7, time.UTC))
	run.Seed, run.Budget = 42, 5*time.Minute
	run.Inventory.Facts = map[string]assay.Facts{"alpha": {Host: "alpha", CPU: assay.CPUFacts{Model: "made up", Cores: 4}}}
	run.Results[0].Scratch = assay.Scratch{Dir: "/srv/assay-1", File: "/srv/assay-1/file", Bytes: 1 << 30}
	run.Findings = []assay.Finding{{Rule: "device-reconcile", Severity: assay.Rejects, Subject: run.Results[0].Trial.ID, Arithmetic: "1 / 2 = 0.5 < 0.95"}}
	run.Notes = []assay.Note{{ID: "note", Text: "a note"}}
	run.Labels = map[string]string{"job": "nightly"}
	run.Remarks = []assay.Remark{{At: time.Date(2025, 3, 2, 8, 0, 0, 0, time.UTC), Text: "the fan was off"}}
	s, ctx := fresh(t), context.Background()
	must(t, keep(ctx, s, run))
	must(t, os.WriteFile(fixture(n)+".json", asJSON(t, mustLoad(t, s, "fixture")), 0o644))
	must(t, s.Close()) // which moves the whole WAL into the file
	raw, err := os.ReadFile(s.dialect.name())
	must(t, err)
	packed, err := pack(raw)
	must(t, err)
	must(t, os.WriteFile(fixture(n)+".db.zst", packed, 0o644))
}

func asJSON(t *testing.T, run assay.Run) []byte {
	t.Helper()
	b, err := toJSON(run)
	must(t, err)
	return append(b, '\n')
}

// schemaOf returns the statements that create the tables and indexes.
func schemaOf(t *testing.T, s *Store) (all []string) {
	t.Helper()
	rows, err := s.reader.Query("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var one string
		must(t, rows.Scan(&one))
		all = append(all, one)
	}
	must(t, rows.Err())
	return all
}
