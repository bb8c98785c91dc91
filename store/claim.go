package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
)

// Claim claims a host for o. If another living owner holds it, the error matches
// assay.ErrBusy and names its run and process; a dead owner's claim is taken over.
// Claiming a host twice is no error. Only a person can tell that a machine is gone for
// good: the hint says how to delete its claim.
func (s *Store) Claim(ctx context.Context, host string, o Owner, alive func(Owner) bool) error {
	o = o.in(s.dialect)
	return s.write(ctx, "claim host "+host, func(tx *sql.Tx) error {
		var held Owner
		var since string
		err := tx.QueryRowContext(ctx,
			`SELECT run, owner_pid, owner_start, owner_boot, since FROM claim WHERE host = ?`, host).
			Scan(&held.Run, &held.PID, &held.Start, bootOf{&held}, &since)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case held == o:
			return nil
		case alive(held):
			hint := held.look()
			if held.Elsewhere() {
				hint += fmt.Sprintf("; if that machine is gone for good or was renamed: DELETE FROM assay.claim WHERE host = '%s'", strings.ReplaceAll(host, "'", "''"))
			}
			return assay.WithHint(hint,
				"host %s is being measured by run %s (%s) since %s: %w", host, held.Run, held.process(), since, assay.ErrBusy)
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO claim (host, since, run, owner_pid, owner_start, owner_boot)
			VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (host) DO UPDATE SET since = excluded.since, run = excluded.run,
				owner_pid = excluded.owner_pid, owner_start = excluded.owner_start, owner_boot = excluded.owner_boot`,
			host, time.Now().UTC().Format(stamp), o.Run, o.PID, o.Start, o.boot())
		return err
	})
}

// Unclaim releases a host. A claim that o does not hold is no error and is left
// alone.
func (s *Store) Unclaim(ctx context.Context, host string, o Owner) error {
	o = o.in(s.dialect)
	return s.write(ctx, "give back host "+host, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			DELETE FROM claim
			WHERE host = ? AND run = ? AND owner_pid = ? AND owner_start = ? AND owner_boot = ?`,
			host, o.Run, o.PID, o.Start, o.boot())
		return err
	})
}
