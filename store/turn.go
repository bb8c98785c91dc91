package store

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// A run that somebody else made must not take the place of one of the user's. So it
// never is the latest, whatever its date, and it gets no id that already means a run.

// mostAhead is how far the clocks of two machines may be apart.
const mostAhead = 24 * time.Hour

func ahead(date, now time.Time) bool { return date.After(now.Add(mostAhead)) }

// InTurn reports whether the run's date says when its turn is among the runs of this
// database: it was not imported, and it is not dated in the future. Only such a run is
// the latest, or takes the room of others where the newest are kept.
func (s Summary) InTurn(now time.Time) bool { return !s.Imported && !ahead(s.Started, now) }

// Shadows reports whether a run of that id would be found by a word that now means
// another: a name that a run was given, or the beginning of a run's id.
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
