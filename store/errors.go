package store

import (
	"errors"
	"fmt"

	"assay"
)

// Errors that callers distinguish, in addition to those of package assay.
var (
	ErrNewer       = errors.New("written by a newer assay")
	ErrDamaged     = errors.New("damaged")
	ErrNotDatabase = errors.New("not an assay database")
	ErrExists      = errors.New("already stored")
	// ErrTooLarge reports that a few stored bytes would unpack to more memory than
	// allowed.
	ErrTooLarge = errors.New("it takes too much memory once it is unpacked")
	// ErrFull is also an assay.ErrNoSpace.
	ErrFull = fmt.Errorf("the database cannot grow: %w", assay.ErrNoSpace)
	// ErrUnreachable reports that a server does not respond, or stopped
	// responding.
	ErrUnreachable = errors.New("the server cannot be reached")
	// ErrRefused reports that a server rejects this user's login.
	ErrRefused = errors.New("the server rejected the login")
	// ErrNoCompact reports that the database reclaims space by itself and not on
	// request.
	ErrNoCompact = errors.New("the server's autovacuum reclaims free space")
)

// explain wraps an error of the database with the database's name, the task and
// a hint. Errors that already have all of it pass unchanged.
func (s *Store) explain(task string, err error) error {
	if err == nil {
		return nil
	}
	if assay.Hint(err) != "" {
		return err
	}
	if errors.Is(err, ErrDamaged) {
		return assay.WithHint(s.dialect.recovery(), "%s: database %s: %w", task, s.dialect.name(), err)
	}
	hint, text, kind := s.dialect.explain(err)
	switch {
	case kind != nil:
		return assay.WithHint(hint, "%s: database %s: %w (%s)", task, s.dialect.name(), kind, text)
	case text != err.Error():
		return fmt.Errorf("%s: database %s: %s", task, s.dialect.name(), text)
	}
	return fmt.Errorf("%s: database %s: %w", task, s.dialect.name(), err)
}
