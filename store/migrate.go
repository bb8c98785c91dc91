package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// shipped is how a database gets to the schema of this binary: number n of the
// list leads from schema n-1 to n. A file that was released is never edited; a
// change is a new file.
var shipped = mustMigrations(migrationFiles, "migrations")

// migration is one step from a schema to the next.
type migration struct {
	name string
	sql  string
}

// mustMigrations reads the numbered files of a folder. It panics where they
// are not numbered from 0001 without a gap: the binary was built wrong.
func mustMigrations(files fs.FS, dir string) []migration {
	entries, err := fs.ReadDir(files, dir) // in the order of their names
	if err != nil {
		panic(err)
	}
	var steps []migration
	for i, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "%04d_", &n); err != nil || n != i+1 {
			panic(fmt.Sprintf("migration %s should be number %d", e.Name(), i+1))
		}
		text, err := fs.ReadFile(files, path.Join(dir, e.Name()))
		if err != nil {
			panic(err)
		}
		steps = append(steps, migration{name: e.Name(), sql: string(text)})
	}
	return steps
}

// migrate brings the database to the last of steps in one transaction.
func migrate(ctx context.Context, conn *sql.Conn, path string, steps []migration) (err error) {
	// With foreign keys on, a migration that rebuilds a table would delete all
	// that refers to it. This cannot be switched inside a transaction.
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys=0"); err != nil {
		return err
	}
	defer func() {
		if _, e := conn.ExecContext(ctx, "PRAGMA foreign_keys=1"); err == nil {
			err = e
		}
	}()
	tx, err := conn.BeginTx(ctx, nil) // immediate: nobody else migrates meanwhile
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have migrated between the first look and the lock.
	now, err := look(ctx, tx)
	if err != nil {
		return err
	}
	if err := now.acceptable(path, len(steps)); err != nil {
		return err
	}
	for n := now.version; n < len(steps); n++ {
		if _, err := tx.ExecContext(ctx, steps[n].sql); err != nil {
			return fmt.Errorf("migration %s: %w", steps[n].name, err)
		}
	}
	if err := checkReferences(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(
		"PRAGMA application_id=%d; PRAGMA user_version=%d", application, len(steps))); err != nil {
		return err
	}
	return tx.Commit()
}

// checkReferences gives an error where a row refers to one that is not there.
func checkReferences(ctx context.Context, tx *sql.Tx) error {
	return each(ctx, tx, func(r *sql.Rows) error {
		var table, parent string
		var row, key sql.NullInt64
		if err := r.Scan(&table, &row, &parent, &key); err != nil {
			return err
		}
		return fmt.Errorf("rows of table %s refer to nothing in table %s: %w", table, parent, ErrDamaged)
	}, "PRAGMA foreign_key_check")
}
