package store

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// A run that somebody else made must not take the place of one of the user's. So it
// is never the latest, whatever its date, and it gets no id that already refers to a
// run.

// mostAhead is how far the clocks of two machines may differ.
const mostAhead = 24 * time.Hour

func ahead(date, now time.Time) bool { return date.After(now.Add(mostAhead)) }

// InTurn reports whether the run's date determines its place among this database's
// runs: it was not imported and is not dated in the future. Only such a run is the
// latest, or displaces others where the newest are kept.
func (s Summary) InTurn(now time.Time) bool { return !s.Imported && !ahead(s.Started, now) }

// Shadows reports whether a run with that id would be found by a word that now
// refers to another: a name given to a run, or a prefix of a run's id.
func (s *Store) Shadows(ctx context.Context, id string) (shadows bool, err error) {
	err = s.read(ctx, "look for "+id, func(tx *sql.Tx) error {
		var longer int
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM run WHERE id > ?1 AND id < ?1 || '~'`, id).Scan(&longer)
		if err != nil {
			return err
		}
		shadows = longer > 0
		named, err := pins(ctx, tx)
		for _, p := range named {
			shadows = shadows || strings.HasPrefix(p.Name, id) || strings.HasPrefix(id, p.Name)
		}
		return err
	})
	return shadows, err
}
