package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"assay"
)

func (d sqlite) explain(err error) (hint, text string, kind error) {
	var from *driver.Error
	if !errors.As(err, &from) {
		return "", err.Error(), nil
	}
	if _, what, found := strings.Cut(err.Error(), "no such "); found && from.Code() == sqlite3.SQLITE_ERROR {
		what, _, _ = strings.Cut(what, " (") // "column: imported (1)"
		return unreleased, "there is no " + strings.ReplaceAll(what, ": ", " "), ErrDamaged
	}
	if hint, kind = d.classify(from.Code()); kind == nil {
		return "", err.Error(), nil
	}
	return hint, shorten(from), kind
}

// classify returns the sentinel for a result code of SQLite, and what to try.
func (d sqlite) classify(code int) (hint string, kind error) {
	dir := filepath.Dir(d.path)
	switch code {
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE:
		// Over quota, or a disk that fails: SQLite cannot tell.
		return fmt.Sprintf("check `df -h %s`, quotas, and `dmesg` for disk errors", dir), ErrFull
	case sqlite3.SQLITE_IOERR_CORRUPTFS:
		return d.recovery(), ErrDamaged
	case sqlite3.SQLITE_READONLY_DBMOVED:
		return "the file was moved or deleted while open; start again", assay.ErrReadOnly
	}
	switch code & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Sprintf("free some space: `df -h %s`; data stored earlier is safe", dir), ErrFull
	case sqlite3.SQLITE_CORRUPT:
		return d.recovery(), ErrDamaged
	case sqlite3.SQLITE_NOTADB:
		return "choose another file with --db; if this was an assay database, its beginning is damaged: " + d.recovery(), ErrNotDatabase
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return fmt.Sprintf("check the permissions of %s and of %s, or choose another file with --db", d.path, dir), assay.ErrReadOnly
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Sprintf("another process has been writing for more than %v: `fuser -v %s` shows it", patience, d.path), assay.ErrBusy
	}
	return "", nil
}

// unreleased explains why a database may lack parts of its schema.
const unreleased = "an unreleased build of assay made it, or somebody changed it: export its runs with the assay that made it, and import them into a new one"

func (d sqlite) recovery() string {
	return fmt.Sprintf("move it away with its -wal and -shm files, and recover what you can: sqlite3 %s .recover | sqlite3 recovered.db", d.path)
}

// shorten removes the repetition in SQLite's message: "x: x (11)".
func shorten(err *driver.Error) string {
	text := err.Error()
	if head, tail, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(tail, head) {
		text = tail
	}
	return text
}

// fileError returns the error for a database file that cannot be used.
func fileError(path, what string, err error) error {
	switch dir := filepath.Dir(path); {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return assay.WithHint("check its permissions and mount options, or choose another file with --db",
			"database %s: %s: %w (%v)", path, what, assay.ErrReadOnly, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return assay.WithHint(fmt.Sprintf("free some space: `df -h %s`", dir),
			"database %s: %s: %w", path, what, ErrFull)
	default:
		return assay.WithHint("choose another file with --db", "database %s: %s: %w", path, what, err)
	}
}

func isBusy(err error) bool {
	var from *driver.Error
	return errors.As(err, &from) && from.Code()&0xff == sqlite3.SQLITE_BUSY
}

// duplicateInSQLite reports whether a row with that key already exists.
func duplicateInSQLite(err error) bool {
	var from *driver.Error
	return errors.As(err, &from) &&
		(from.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || from.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE)
}

// orphanInSQLite reports whether a row refers to a missing one.
func orphanInSQLite(err error) bool {
	var from *driver.Error
	return errors.As(err, &from) && from.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}
