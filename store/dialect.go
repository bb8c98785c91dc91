package store

import (
	"context"
	"database/sql"
	"strings"
)

// dialect is what differs between the databases that a store can be in.
// Everything else is one code, in the SQL that both understand:
//
//   - Placeholders are ? or ?1. Strings go in and come out byte for byte, also
//     those that are no UTF-8; all others sort by their bytes.
//   - A query may be asked while the rows of another are read; what is left of them
//     is then held in memory.
//   - INSERT … ON CONFLICT, RETURNING and WITH RECURSIVE are as in both. JSON is
//     TEXT: a query of the store never looks into it.
//   - rowid is the order in which rows of run and journal came; other tables have
//     none.
//   - Of PRAGMAs, VACUUM, INDEXED BY and the catalogue, only a dialect knows.
type dialect interface {
	// name is what the database is called in messages. It holds no password.
	name() string
	// connect opens nothing yet. At most one transaction of the writer is under
	// way at a time.
	connect() (writer, reader *sql.DB, err error)
	// prepare checks that the database is assay's and of the schema that this
	// binary has, or makes it so. Of several processes that do this at once, one
	// does it and the others find it done.
	prepare(ctx context.Context, conn *sql.Conn) error
	// turn waits until no other process writes, and keeps them off until tx ends.
	turn(ctx context.Context, tx *sql.Tx) error
	// reading begins a transaction that sees one consistent state.
	reading() *sql.TxOptions
	// explain says which sentinel an error of the database is, what to try, and
	// what the error says, without any password. kind is nil for one of no kind.
	explain(err error) (hint, text string, kind error)
	// recovery is what to do about a database that is damaged.
	recovery() string
	// compact gives free space back to the file system: see Store.Compact.
	compact(ctx context.Context, writer *sql.DB) (freed int64, err error)
	// shared says that the database is not of one machine: the processes that
	// own runs, claims and receipts may be out of sight.
	shared() bool
}

// dialectOf returns what the database at where, a path or a URL, is spoken to in.
func dialectOf(where string) (dialect, error) {
	if IsURL(where) {
		return newPostgres(where)
	}
	return newSQLite(where)
}

// IsURL reports whether a database is not a file: that its name is a URL.
func IsURL(where string) bool {
	scheme, _, found := strings.Cut(where, "://")
	return found && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// isDuplicate reports whether a row with that key is there already.
func isDuplicate(err error) bool { return duplicateInSQLite(err) || stateOf(err) == uniqueViolation }

// isOrphan reports whether what a row refers to is not there.
func isOrphan(err error) bool { return orphanInSQLite(err) || stateOf(err) == foreignKeyViolation }
