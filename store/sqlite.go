package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // the driver

	"assay"
	"assay/internal/sleep"
)

// application marks a database as assay's own, in SQLite's application_id:
// "assy" in ASCII.
const application = 0x61737379

// sqlite is a database in a file on this machine.
type sqlite struct {
	path  string
	steps []migration
}

func newSQLite(path string) (sqlite, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return sqlite{}, fmt.Errorf("database %s: %w", path, err)
	}
	return sqlite{abs, shipped}, nil
}

func (d sqlite) name() string { return d.path }

func (d sqlite) shared() bool { return false }

// turn has nothing to do: every write transaction begins by taking the lock.
func (d sqlite) turn(context.Context, *sql.Tx) error { return nil }

func (d sqlite) reading() *sql.TxOptions { return &sql.TxOptions{ReadOnly: true} }

func (d sqlite) connect() (writer, reader *sql.DB, err error) {
	if err := prepareFile(d.path); err != nil {
		return nil, nil, err
	}
	if writer, err = sql.Open("sqlite", source(d.path, "_txlock=immediate")); err != nil {
		return nil, nil, err
	}
	writer.SetMaxOpenConns(1)
	if reader, err = sql.Open("sqlite", source(d.path, "_pragma=query_only(1)")); err != nil {
		writer.Close()
		return nil, nil, err
	}
	reader.SetMaxOpenConns(4)
	reader.SetMaxIdleConns(4)
	return writer, reader, nil
}

// source returns the driver's name for the database; "?", "%" or "#" in a path
// is harmless. mode=rw: SQLite itself never creates the file.
func source(path, more string) string {
	u := url.URL{Scheme: "file", Path: path}
	return fmt.Sprintf("%s?mode=rw&_pragma=busy_timeout(%d)&_pragma=foreign_keys(1)&_pragma=synchronous(FULL)&%s",
		u.String(), patience.Milliseconds(), more)
}

// creating is held while a new file is open here: closing any descriptor of a
// file drops all POSIX locks that this process holds on it, SQLite's included.
// For the same reason, only SQLite opens an existing file.
var creating sync.Mutex

// prepareFile ensures that the file exists and is writable, and explains
// problems better than SQLite would.
func prepareFile(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fileError(path, "cannot create its directory", err)
	}
	creating.Lock()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = f.Close()
	}
	creating.Unlock()
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fileError(path, "cannot create it", err)
	}
	switch info, err := os.Stat(path); {
	case err != nil:
		return fileError(path, "cannot access it", err)
	case info.IsDir():
		return assay.WithHint("give a file in it: --db "+filepath.Join(path, "assay.db"),
			"database %s is a directory: %w", path, ErrNotDatabase)
	case !info.Mode().IsRegular():
		return assay.WithHint("name a regular file with --db",
			"database %s is not a regular file: %w", path, ErrNotDatabase)
	}
	const mayWrite = 2 // W_OK of access(2), which also detects read-only mounts and immutable files
	if err := syscall.Access(path, mayWrite); err != nil {
		return fileError(path, "cannot write to it", err)
	}
	if err := syscall.Access(dir, mayWrite); err != nil {
		return fileError(path, "cannot write to its directory", err)
	}
	return nil
}

func (d sqlite) prepare(ctx context.Context, conn *sql.Conn) error {
	state, err := look(ctx, conn)
	if err != nil {
		return err
	}
	if err := state.acceptable(d.path, len(d.steps)); err != nil {
		return err
	}
	if err := useWAL(ctx, conn); err != nil {
		return err
	}
	if state.version == len(d.steps) {
		return nil
	}
	return d.migrate(ctx, conn)
}

// state is a database's description of itself, read before anything else.
type state struct {
	application int64
	version     int
	objects     int
}

func look(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (st state, err error) {
	err = q.QueryRowContext(ctx, `
		SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`).
		Scan(&st.application, &st.version, &st.objects)
	return st, err
}

func (st state) empty() bool { return st.application == 0 && st.version == 0 && st.objects == 0 }

func (st state) acceptable(path string, known int) error {
	switch {
	case st.empty():
		return nil
	case st.application != application:
		return assay.WithHint("choose another file with --db",
			"database %s belongs to another program: %w", path, ErrNotDatabase)
	case st.version > known:
		return assay.WithHint("upgrade assay, or choose another file with --db",
			"database %s has schema %d, this assay supports %d: %w", path, st.version, known, ErrNewer)
	}
	return nil
}

// useWAL switches to write-ahead logging, once in a database's life. A file
// system that does not support it (no shared memory) keeps the rollback
// journal, which is as durable.
func useWAL(ctx context.Context, conn *sql.Conn) error {
	var mode string
	deadline := time.Now().Add(patience)
	for {
		err := conn.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode)
		// SQLite does not wait here if another process is switching too.
		if !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		if err := sleep.For(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// migrate brings the database to its last step in one transaction.
func (d sqlite) migrate(ctx context.Context, conn *sql.Conn) (err error) {
	// With foreign keys on, a migration that rebuilds a table would delete all
	// rows that refer to it. This cannot be switched inside a transaction.
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
	// Another process may have migrated between the first check and the lock.
	now, err := look(ctx, tx)
	if err != nil {
		return err
	}
	if err := now.acceptable(d.path, len(d.steps)); err != nil {
		return err
	}
	if err := apply(ctx, tx, d.steps[now.version:]); err != nil {
		return err
	}
	if err := checkReferences(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(
		"PRAGMA application_id=%d; PRAGMA user_version=%d", application, len(d.steps))); err != nil {
		return err
	}
	return tx.Commit()
}

// checkReferences returns an error if a row refers to a missing one.
func checkReferences(ctx context.Context, tx *sql.Tx) error {
	return each(ctx, tx, func(r *sql.Rows) error {
		var table, parent string
		var row, key sql.NullInt64
		if err := r.Scan(&table, &row, &parent, &key); err != nil {
			return err
		}
		return fmt.Errorf("rows of table %s refer to missing rows of table %s: %w", table, parent, ErrDamaged)
	}, "PRAGMA foreign_key_check")
}

// compact also checkpoints the WAL, which neither size includes.
func (d sqlite) compact(ctx context.Context, writer *sql.DB) (freed int64, err error) {
	for _, statement := range []string{"PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if statement == "VACUUM" {
			freed = d.fileBytes()
		}
		if _, err := writer.ExecContext(ctx, statement); err != nil {
			return 0, err
		}
	}
	return freed - d.fileBytes(), nil
}

// fileBytes returns the total size of the database's files. Stat opens none of
// them: see creating.
func (d sqlite) fileBytes() (total int64) {
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(d.path + end); err == nil {
			total += info.Size()
		}
	}
	return total
}
