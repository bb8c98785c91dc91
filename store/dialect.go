package store

import (
	"context"
	"database/sql"
	"strings"
)

// dialect is what differs between the databases of a store. Everything else is
// shared code, in the SQL that both understand:
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
	// name returns the database's name for messages, without any password.
	name() string
	// connect opens no connection yet. At most one writer transaction runs at a
	// time.
	connect() (writer, reader *sql.DB, err error)
	// prepare checks that the database is assay's and has this binary's schema,
	// or brings it there. If several processes do this at once, one does the
	// work and the others find it done.
	prepare(ctx context.Context, conn *sql.Conn) error
	// turn waits until no other process writes, and keeps others from writing
	// until tx ends.
	turn(ctx context.Context, tx *sql.Tx) error
	// reading returns the options of a transaction with one consistent
	// snapshot.
	reading() *sql.TxOptions
	// explain returns the sentinel that a database error matches, what to try,
	// and the error's text without any password. kind is nil if none matches.
	explain(err error) (hint, text string, kind error)
	// recovery returns advice for a damaged database.
	recovery() string
	// compact returns free space to the file system: see Store.Compact.
	compact(ctx context.Context, writer *sql.DB) (freed int64, err error)
	// shared reports whether the database is shared between machines: the
	// processes that own runs, claims and receipts may then be out of sight.
	shared() bool
}

// dialectOf returns the dialect of the database at where, a path or a URL.
func dialectOf(where string) (dialect, error) {
	if IsURL(where) {
		return newPostgres(where)
	}
	return newSQLite(where)
}

// IsURL reports whether where is the URL of a database rather than a file.
func IsURL(where string) bool {
	scheme, _, found := strings.Cut(where, "://")
	return found && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// isDuplicate reports whether err is a duplicate key.
func isDuplicate(err error) bool { return duplicateInSQLite(err) || stateOf(err) == uniqueViolation }

// isOrphan reports whether err is a violated foreign key.
func isOrphan(err error) bool { return orphanInSQLite(err) || stateOf(err) == foreignKeyViolation }
