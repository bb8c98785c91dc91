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
)

// application marks a database as assay's own, in SQLite's application_id:
// "assy" in ASCII.
const application = 0x61737379

// Open opens the database at path, creates it (0600, in a directory that is
// made 0700 if need be) where there is none, and brings it to this binary's
// schema. Its errors match ErrNewer, ErrDamaged, ErrNotDatabase, ErrFull,
// assay.ErrReadOnly or assay.ErrBusy and carry a hint.
func Open(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path, shipped)
}

func open(ctx context.Context, path string, steps []migration) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if err := prepareFile(path); err != nil {
		return nil, err
	}
	s := &Store{path: path}
	if s.writer, err = sql.Open("sqlite", source(path, "_txlock=immediate")); err != nil {
		return nil, s.explain("open", err)
	}
	s.writer.SetMaxOpenConns(1)
	if s.reader, err = sql.Open("sqlite", source(path, "_pragma=query_only(1)")); err != nil {
		s.writer.Close()
		return nil, s.explain("open", err)
	}
	s.reader.SetMaxOpenConns(4)
	s.reader.SetMaxIdleConns(4)
	if err := s.prepare(ctx, steps); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		err = s.explain("open", err)
		s.Close()
		return nil, err
	}
	return s, nil
}

// source is the driver's name of the database; a path with "?", "%" or "#" in
// it is harmless. mode=rw: SQLite itself never creates the file.
func source(path, more string) string {
	u := url.URL{Scheme: "file", Path: path}
	return fmt.Sprintf("%s?mode=rw&_pragma=busy_timeout(%d)&_pragma=foreign_keys(1)&_pragma=synchronous(FULL)&%s",
		u.String(), patience.Milliseconds(), more)
}

// creating is held while a new file is open here: closing any descriptor of a
// file drops all POSIX locks that this process has on it, SQLite's included.
// For the same reason a file that exists is never opened but by SQLite.
var creating sync.Mutex

// prepareFile makes sure that there is a file that can be written to, and says
// better than SQLite would what is in the way.
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
		return fileError(path, "cannot look at it", err)
	case info.IsDir():
		return assay.WithHint("name a file in it: --db "+filepath.Join(path, "assay.db"),
			"database %s is a directory: %w", path, ErrNotDatabase)
	case !info.Mode().IsRegular():
		return assay.WithHint("name a regular file with --db",
			"database %s is not a regular file: %w", path, ErrNotDatabase)
	}
	const mayWrite = 2 // W_OK of access(2), which also knows read-only mounts and immutable files
	if err := syscall.Access(path, mayWrite); err != nil {
		return fileError(path, "cannot write to it", err)
	}
	if err := syscall.Access(dir, mayWrite); err != nil {
		return fileError(path, "cannot write to its directory", err)
	}
	return nil
}

// prepare checks that the database is assay's and current, or makes it so.
func (s *Store) prepare(ctx context.Context, steps []migration) error {
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	state, err := look(ctx, conn)
	if err != nil {
		return err
	}
	if err := state.acceptable(s.path, len(steps)); err != nil {
		return err
	}
	if err := useWAL(ctx, conn); err != nil {
		return err
	}
	if state.version == len(steps) {
		return nil
	}
	return migrate(ctx, conn, s.path, steps)
}

// state is what a database says about itself before anything is read from it.
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
			"database %s has schema %d, this assay knows %d: %w", path, st.version, known, ErrNewer)
	}
	return nil
}

// useWAL switches to write-ahead logging, once in the life of a database. A
// file system that cannot do it (no shared memory) keeps the rollback journal,
// which is as durable.
func useWAL(ctx context.Context, conn *sql.Conn) error {
	var mode string
	deadline := time.Now().Add(patience)
	for {
		err := conn.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode)
		// SQLite does not wait here when another process switches as well.
		if !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}
