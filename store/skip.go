package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"assay"
)

// An unreadable run must not keep anybody from the others: whoever can write to a
// shared database can write such a row. Methods that go through all runs leave it out
// and report it; methods that ask for that run return the error.

// skipped holds the runs left out so far.
type skipped struct {
	sync.Mutex
	tell func(run string, why error)
	told map[string]bool
}

// OnSkip has tell called once for each run that cannot be read, with the reason, when a
// method that goes through several runs leaves it out: Runs, Heads, Series, LoadParts,
// and Resolve when it looks for the latest. tell is called by one goroutine at a time.
// Its arguments may be anybody's text.
func (s *Store) OnSkip(tell func(run string, why error)) {
	s.skipped.Lock()
	defer s.skipped.Unlock()
	s.skipped.tell = tell
}

// skip reports that a run is left out, but not once ctx is cancelled, which makes
// rows look unreadable.
func (s *Store) skip(ctx context.Context, run string, why error) {
	s.skipped.Lock()
	defer s.skipped.Unlock()
	if s.skipped.tell == nil || s.skipped.told[run] || ctx.Err() != nil {
		return
	}
	if s.skipped.told == nil {
		s.skipped.told = map[string]bool{}
	}
	s.skipped.told[run] = true
	s.skipped.tell(run, why)
}

// unreadable returns the error for requests for a run that skip would leave
// out.
func unreadable(run string, why error) error {
	return assay.WithHint("other runs are not affected", "run %s cannot be read: %w", run, why)
}

// isUnreadable reports whether an error is about the contents of rows, not about
// the database.
func isUnreadable(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, ErrTooLarge) }

// scan reads the columns of a row. It returns ErrDamaged for a value that does
// not fit its destination; the columns before it are read.
func scan(rows *sql.Rows, into ...any) error {
	if err := rows.Scan(into...); err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return nil
}
