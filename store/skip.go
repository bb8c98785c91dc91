package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"assay"
)

// One run that cannot be read must not keep anybody from the others: whoever can write
// to a shared database can write such a row. What goes through all runs leaves it out
// and says so; what is asked for that run returns the error.

// skipped are the runs that were left out so far.
type skipped struct {
	sync.Mutex
	tell func(run string, why error)
	told map[string]bool
}

// OnSkip has tell called, once for each run, with what keeps it from being read when a
// method that goes through several runs leaves it out: Runs, Heads, Series, LoadParts,
// and Resolve where it looks for the latest. tell is called by one goroutine at a time.
// What it is told may be anybody's text.
func (s *Store) OnSkip(tell func(run string, why error)) {
	s.skipped.Lock()
	defer s.skipped.Unlock()
	s.skipped.tell = tell
}

// skip says that a run is left out. A context that is cancelled makes rows look as if
// they could not be read.
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

// unreadable is what is asked for a run that skip would leave out.
func unreadable(run string, why error) error {
	return assay.WithHint("other runs are not affected", "run %s cannot be read: %w", run, why)
}

// isUnreadable reports whether an error is about what rows hold, and not about the
// database.
func isUnreadable(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, ErrTooLarge) }

// scan reads the columns of a row. A value that does not fit where it belongs is
// ErrDamaged; those of the columns before it are read.
func scan(rows *sql.Rows, into ...any) error {
	if err := rows.Scan(into...); err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return nil
}
