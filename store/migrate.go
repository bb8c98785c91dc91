package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
)

//go:embed migrations/*.sql migrations/postgres/*.sql
var migrationFiles embed.FS

// shipped holds the migrations that bring an SQLite file to this binary's schema:
// number n leads from schema n-1 to n. A released file is never edited; a change is
// a new file. shippedPostgres is the same for PostgreSQL, with its own numbering.
var (
	shipped         = mustMigrations(migrationFiles, "migrations")
	shippedPostgres = mustMigrations(migrationFiles, "migrations/postgres")
)

// migration is one step from a schema to the next.
type migration struct {
	name string
	sql  string
}

// mustMigrations reads the numbered files of a folder. It panics unless they
// are numbered from 0001 without a gap: the binary was built wrong.
func mustMigrations(files fs.FS, dir string) []migration {
	entries, err := fs.ReadDir(files, dir) // sorted by name
	if err != nil {
		panic(err)
	}
	var steps []migration
	for _, e := range entries {
		if e.IsDir() {
			continue // another dialect's
		}
		var n int
		if _, err := fmt.Sscanf(e.Name(), "%04d_", &n); err != nil || n != len(steps)+1 {
			panic(fmt.Sprintf("migration %s should be number %d", e.Name(), len(steps)+1))
		}
		text, err := fs.ReadFile(files, path.Join(dir, e.Name()))
		if err != nil {
			panic(err)
		}
		steps = append(steps, migration{name: e.Name(), sql: string(text)})
	}
	return steps
}

// apply applies the steps within tx, so all take effect or none.
func apply(ctx context.Context, tx *sql.Tx, steps []migration) error {
	for _, step := range steps {
		if _, err := tx.ExecContext(ctx, step.sql); err != nil {
			return fmt.Errorf("migration %s: %w", step.name, err)
		}
	}
	return nil
}
