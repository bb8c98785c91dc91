package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// translating is a connection that accepts the store's SQL, see dialect, and sends
// PostgreSQL's. The driver that comes with pgx passes SQL on unchanged, and brings
// a second pool with it.
type translating struct {
	conn    *pgx.Conn
	used    time.Time
	reading *exactRows // the last query's rows, which may be partly unread
}

// checkAfter is how long a connection may be idle and still be used without a
// check.
const checkAfter = time.Second

// ResetSession returns driver.ErrBadConn for a connection lost in the meantime, so
// that another one is opened.
func (c *translating) ResetSession(ctx context.Context) error {
	if !c.IsValid() {
		return driver.ErrBadConn
	}
	if time.Since(c.used) > checkAfter && c.conn.Ping(ctx) != nil {
		return driver.ErrBadConn
	}
	return nil
}

// IsValid reports whether the connection may be used again: it is not in a transaction.
func (c *translating) IsValid() bool {
	return !c.conn.IsClosed() && c.conn.PgConn().TxStatus() == 'I'
}

// closing limits how long closing a connection may take.
const closing = time.Second

func (c *translating) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	return c.conn.Close(ctx)
}

// Begin implements the old interface; database/sql calls BeginTx.
func (c *translating) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *translating) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	begin := "BEGIN"
	switch sql.IsolationLevel(o.Isolation) {
	case sql.LevelDefault:
	case sql.LevelRepeatableRead:
		begin += " ISOLATION LEVEL REPEATABLE READ"
	default:
		return nil, fmt.Errorf("isolation level %v is not used here", sql.IsolationLevel(o.Isolation))
	}
	if o.ReadOnly {
		begin += " READ ONLY"
	}
	if _, err := c.conn.Exec(ctx, begin); err != nil {
		return nil, retried(err)
	}
	return transaction{c.conn}, nil
}

// retried marks an error of a request that never reached the server, so that
// database/sql tries another connection.
func retried(err error) error {
	if pgconn.SafeToRetry(err) {
		return errors.Join(driver.ErrBadConn, err)
	}
	return err
}

type transaction struct{ conn *pgx.Conn }

// Commit needs no deadline of its own: see bounded.
func (t transaction) Commit() error {
	tag, err := t.conn.Exec(context.Background(), "COMMIT")
	if err == nil && tag.String() != "COMMIT" {
		err = pgx.ErrTxCommitRollback // an error in it was ignored
	}
	return err
}

func (t transaction) Rollback() error {
	_, err := t.conn.Exec(context.Background(), "ROLLBACK")
	return err
}

func (c *translating) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.ready()
	tag, err := c.conn.Exec(ctx, translate(query), values(args)...)
	if err != nil {
		return nil, err
	}
	return driver.RowsAffected(tag.RowsAffected()), nil
}

func (c *translating) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.ready()
	rows, err := c.conn.Query(ctx, translate(query), values(args)...)
	if err != nil {
		return nil, err
	}
	// The columns are known only after the first row, or the error in its place.
	r := &exactRows{rows: rows, first: rows.Next()}
	if err := rows.Err(); err != nil {
		rows.Close()
		return nil, err
	}
	c.reading = r
	return r, nil
}

// ready allows the next query while the rows of another are still being read, as
// SQLite does: PostgreSQL sends all of one result before the next.
func (c *translating) ready() {
	c.used = time.Now()
	if c.reading != nil {
		c.reading.fetch()
		c.reading = nil
	}
}

func values(args []driver.NamedValue) []any {
	all := make([]any, len(args))
	for i, a := range args {
		all[i] = a.Value
	}
	return all
}

// CheckNamedValue accepts only values that every driver takes.
func (c *translating) CheckNamedValue(v *driver.NamedValue) (err error) {
	if v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value); err != nil {
		return err
	}
	if s, ok := v.Value.(string); ok {
		v.Value = toText(s)
	}
	return nil
}

// Prepare and PrepareContext prepare nothing: pgx caches statements and has the
// server prepare each once.
func (c *translating) Prepare(query string) (driver.Stmt, error) { return &statement{c, query}, nil }

func (c *translating) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	return &statement{c, query}, nil
}

// statement is a query that is run several times.
type statement struct {
	*translating
	query string
}

func (s *statement) Close() error  { return nil }
func (s *statement) NumInput() int { return -1 } // the server counts

// Exec and Query implement the old interface; database/sql calls those with a
// context.
func (s *statement) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (s *statement) Query([]driver.Value) (driver.Rows, error)  { return nil, driver.ErrSkip }

func (s *statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.translating.ExecContext(ctx, s.query, args)
}

func (s *statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.translating.QueryContext(ctx, s.query, args)
}

// exactRows returns every string as it was stored.
type exactRows struct {
	rows    pgx.Rows
	first   bool // rows.Next was already called
	fetched [][]driver.Value
	all     bool  // fetched holds all remaining rows
	err     error // returned after them
}

func (r *exactRows) Columns() []string {
	var names []string
	for _, f := range r.rows.FieldDescriptions() {
		names = append(names, f.Name)
	}
	return names
}

func (r *exactRows) Close() error {
	r.rows.Close()
	return r.rows.Err()
}

// fetch reads the remaining rows into memory.
func (r *exactRows) fetch() {
	for !r.all {
		row, err := r.next()
		if err != nil {
			r.all, r.err = true, err
			return
		}
		r.fetched = append(r.fetched, row)
	}
}

func (r *exactRows) Next(into []driver.Value) error {
	if !r.all {
		row, err := r.next()
		copy(into, row)
		return err
	}
	if len(r.fetched) == 0 {
		return r.err
	}
	copy(into, r.fetched[0])
	r.fetched = r.fetched[1:]
	return nil
}

// next reads a row from the connection; io.EOF after the last.
func (r *exactRows) next() ([]driver.Value, error) {
	if !r.first && !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	}
	r.first = false
	columns, err := r.rows.Values()
	if err != nil {
		return nil, err
	}
	row := make([]driver.Value, len(columns))
	for i, v := range columns {
		if row[i], err = plain(v); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// plain returns a value as SQLite would.
func plain(v any) (driver.Value, error) {
	switch v := v.(type) {
	case nil, int64, float64, bool, []byte:
		return v, nil
	case string:
		return fromText(v), nil
	case int16:
		return int64(v), nil
	case int32:
		return int64(v), nil
	}
	return nil, fmt.Errorf("a query of the store gives a %T", v)
}
