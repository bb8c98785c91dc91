package store

import (
	"errors"
	"fmt"

	"assay"
)

// The errors that callers tell apart, beside those of package assay.
var (
	ErrNewer       = errors.New("written by a newer assay")
	ErrDamaged     = errors.New("damaged")
	ErrNotDatabase = errors.New("not an assay database")
	ErrExists      = errors.New("already stored")
	// ErrTooLarge says that a few stored bytes would take more memory than they may.
	ErrTooLarge = errors.New("it takes too much memory once it is unpacked")
	// ErrFull is also an assay.ErrNoSpace.
	ErrFull = fmt.Errorf("the database cannot grow: %w", assay.ErrNoSpace)
	// ErrUnreachable says that a server gives no answer, or none any more.
	ErrUnreachable = errors.New("the server cannot be reached")
	// ErrRefused says that a server does not let this user in.
	ErrRefused = errors.New("the server rejected the login")
	// ErrNoCompact says that the database reclaims space by itself and not on request.
	ErrNoCompact = errors.New("the server's autovacuum reclaims free space")
)

// explain makes an error of the database one that names it, what was being done
// and what to try. Errors that already say all of it pass unchanged.
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
