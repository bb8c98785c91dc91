package store

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"assay"
)

// next is a plausible future migration: it rebuilds a table that others refer
// to, and adds a column.
var next = migration{name: "next.sql", sql: `
	CREATE TABLE run2 AS SELECT * FROM run;
	CREATE TABLE moved (id TEXT PRIMARY KEY, suite TEXT NOT NULL, version TEXT NOT NULL, started TEXT NOT NULL,
		elapsed_ns INTEGER NOT NULL, status TEXT NOT NULL, seed INTEGER NOT NULL, budget_ns INTEGER NOT NULL,
		hosts TEXT NOT NULL, notes TEXT, owner_pid INTEGER NOT NULL, owner_start TEXT NOT NULL,
		owner_boot TEXT NOT NULL, inventory BLOB NOT NULL, labels TEXT, remarks TEXT, imported INTEGER NOT NULL DEFAULT 0, tag TEXT NOT NULL DEFAULT 'none') STRICT;
	INSERT INTO moved (id, suite, version, started, elapsed_ns, status, seed, budget_ns, hosts, notes,
		owner_pid, owner_start, owner_boot, inventory, labels, remarks, imported) SELECT * FROM run2;
	DROP TABLE run;
	DROP TABLE run2;
	ALTER TABLE moved RENAME TO run;`}

func with(more ...migration) []migration { return append(shipped[:len(shipped):len(shipped)], more...) }

func TestOldDatabaseIsBroughtForward(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "assay.db"), context.Background()
	run := small("r", time.Now())
	old := reopen(t, path)
	must(t, keep(ctx, old, run))
	must(t, old.Close())

	s, err := open(ctx, sqlite{path, with(next)})
	must(t, err)
	defer s.Close()
	if diff := lost(ctx, s, run); diff != "" {
		t.Error(diff)
	}
	var tag string
	must(t, s.reader.QueryRow("SELECT tag FROM run").Scan(&tag))
	if tag != "none" {
		t.Errorf("tag %q", tag)
	}
	// Foreign keys are enforced again.
	if err := s.AddRepeat(ctx, "r", "none", repeatNumber(1)); !errors.Is(err, assay.ErrNotFound) {
		t.Errorf("repeat of no trial: %v", err)
	}
	if _, err := Open(ctx, path); !errors.Is(err, ErrNewer) {
		t.Errorf("the older binary says %v", err)
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "assay.db"), context.Background()
	run := small("r", time.Now())
	old := reopen(t, path)
	must(t, keep(ctx, old, run))
	must(t, old.Close())
	for what, bad := range map[string]migration{
		"wrong SQL":     {"bad.sql", "CREATE TABLE extra (x); INSERT INTO nowhere VALUES (1)"},
		"lost referent": {"bad.sql", "DELETE FROM trial"},
	} {
		s, err := open(ctx, sqlite{path, with(next, bad)})
		if err == nil {
			s.Close()
			t.Fatalf("%s: it opened", what)
		}
		if !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %q does not name the database", what, err)
		}
		s = reopen(t, path)
		if diff := lost(ctx, s, run); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
		must(t, s.Close())
	}
}

func TestMigrationsAreNumberedWithoutGap(t *testing.T) {
	if len(shipped) == 0 || shipped[0].name != "0001_runs.sql" {
		t.Fatalf("shipped: %v", shipped)
	}
	file := func() *fstest.MapFile { return &fstest.MapFile{Data: []byte("SELECT 1")} }
	for name, files := range map[string]fstest.MapFS{
		"gap":       {"m/0001_a.sql": file(), "m/0003_b.sql": file()},
		"twice":     {"m/0001_a.sql": file(), "m/0001_b.sql": file()},
		"no number": {"m/first.sql": file()},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			mustMigrations(files, "m")
		}()
	}
}
