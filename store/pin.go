package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

// Pin is a name given to a run.
type Pin struct {
	Name  string
	Run   string    // its id
	Since time.Time // UTC; zero if it cannot be read
}

// pinName matches a name for a run: one word that no shell changes.
var pinName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9._-]{0,63}$`)

func isPinName(name string) bool { return pinName.MatchString(name) && name != assay.LatestRun }

// ErrName means that a run cannot have that name.
var ErrName = errors.New("not a name for a run")

// Pin gives a run a name, by which Resolve finds it and which keeps Delete from
// removing it. A run may have several. Pin returns ErrExists if another run has
// the name, ErrName if it is not one word or could be taken for a run's id, and
// assay.ErrNotFound if there is no such run; the same name for the same run is
// no error. runID is a full id: see Resolve.
func (s *Store) Pin(ctx context.Context, runID, name string) error {
	if !isPinName(name) {
		return assay.WithHint("use a letter, then letters, digits, dots and dashes, at most 64 characters; \"latest\" is the newest run",
			"%q is %w", name, ErrName)
	}
	return s.write(ctx, "pin run "+runID, func(tx *sql.Tx) error {
		if err := mustHaveRun(ctx, tx, runID); err != nil {
			return err
		}
		if err := mustBeNoID(ctx, tx, name); err != nil {
			return err
		}
		var held string
		err := tx.QueryRowContext(ctx, `SELECT run FROM pin WHERE name = ?`, name).Scan(&held)
		switch {
		case err == nil && held == runID:
			return nil
		case err == nil:
			return assay.WithHint("remove it from that run first: assay unpin "+name, "run %s has the name %s: it is %w", held, name, ErrExists)
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO pin (name, run, since) VALUES (?, ?, ?)`,
			name, runID, time.Now().UTC().Format(stamp))
		return err
	})
}

// mustBeNoID refuses a name that is a run's id or a prefix of one: it would
// hide that run.
func mustBeNoID(ctx context.Context, tx *sql.Tx, name string) error {
	return each(ctx, tx, func(rows *sql.Rows) error {
		var id string
		if err := rows.Scan(&id); err != nil || !strings.HasPrefix(id, name) {
			return err
		}
		return assay.WithHint("choose another name", "%q is %w: the id of run %s begins with it", name, ErrName, id)
	}, `SELECT id FROM run`)
}

// Unpin removes a name and returns the id of the run that had it, or
// assay.ErrNotFound if no run has it.
func (s *Store) Unpin(ctx context.Context, name string) (runID string, err error) {
	err = s.write(ctx, "unpin "+name, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `DELETE FROM pin WHERE name = ? RETURNING run`, name).Scan(&runID)
		if errors.Is(err, sql.ErrNoRows) {
			return assay.WithHint("`assay runs` lists the names", "no run is named %q: %w", name, assay.ErrNotFound)
		}
		return err
	})
	return runID, err
}

// Pins returns all names, sorted.
func (s *Store) Pins(ctx context.Context) (all []Pin, err error) {
	err = s.read(ctx, "list pins", func(tx *sql.Tx) error {
		all, err = pins(ctx, tx)
		return err
	})
	return all, err
}

func pins(ctx context.Context, tx *sql.Tx) (all []Pin, err error) {
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var p Pin
		var since string
		if scan(rows, &p.Name, &p.Run, &since) == nil && isPinName(p.Name) && assay.CheckRunID(p.Run) == nil {
			p.Since, _ = parseTime(since)
			all = append(all, p)
		}
		return nil
	}, `SELECT name, run, since FROM pin ORDER BY name`)
	return all, err
}
