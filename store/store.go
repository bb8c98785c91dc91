package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Store is an open database. Its methods are safe for concurrent use, and several
// processes may have the same database open: writers take turns, readers never
// wait for them.
//
// Errors of all methods match, where applicable: ErrFull, ErrDamaged, ErrExists,
// ErrUnreachable, assay.ErrNotFound, assay.ErrBusy (another process wrote for
// longer than patience), assay.ErrReadOnly, or the context's own error.
type Store struct {
	dialect dialect
	writer  *sql.DB // one connection: goroutines queue here instead of at the database's lock
	reader  *sql.DB
	skipped skipped
}

// patience is how long a writer waits for writers of other processes.
const patience = 20 * time.Second

// stamp is the format of stored times: it sorts as text and is readable.
const stamp = "2006-01-02T15:04:05.000000000Z"

// Close closes the database. Acknowledged writes are kept either way.
func (s *Store) Close() error {
	return s.explain("close", errors.Join(s.reader.Close(), s.writer.Close()))
}

// write runs f in a transaction that is durable if write returns nil, and
// leaves no trace otherwise. task says in errors what was being done.
func (s *Store) write(ctx context.Context, task string, f func(*sql.Tx) error) error {
	return s.transact(ctx, s.writer, nil, task, func(tx *sql.Tx) error {
		if err := s.dialect.turn(ctx, tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// read runs f on one consistent state of the database.
func (s *Store) read(ctx context.Context, task string, f func(*sql.Tx) error) error {
	return s.transact(ctx, s.reader, s.dialect.reading(), task, f)
}

func (s *Store) transact(ctx context.Context, db *sql.DB, o *sql.TxOptions, task string, f func(*sql.Tx) error) error {
	err := func() error {
		tx, err := db.BeginTx(ctx, o)
		if err != nil {
			return err
		}
		defer tx.Rollback() // no-op after a commit
		if err := f(tx); err != nil {
			return err
		}
		return tx.Commit()
	}()
	if err != nil && ctx.Err() != nil {
		// The database says "interrupted" and database/sql "already rolled back".
		err = ctx.Err()
	}
	return s.explain(task, err)
}

// each calls scan for every row of a query.
func each(ctx context.Context, tx *sql.Tx, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...) //nolint:gosec // every query is the package's own
	return eachRow(rows, err, scan)
}

// eachOf calls scan for every row of a prepared query.
func eachOf(ctx context.Context, query *sql.Stmt, scan func(*sql.Rows) error, args ...any) error {
	rows, err := query.QueryContext(ctx, args...)
	return eachRow(rows, err, scan)
}

func eachRow(rows *sql.Rows, err error, scan func(*sql.Rows) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// changed returns orElse if a statement touched no row.
func changed(res sql.Result, err error, orElse error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return orElse
}
