package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"assay"
)

// Claim takes a host for o. Where another owner has it, and alive says that it
// lives, the error matches assay.ErrBusy and names its run and process; the
// claim of a dead owner is taken over. What o has already it keeps.
func (s *Store) Claim(ctx context.Context, host string, o Owner, alive func(Owner) bool) error {
	return s.write(ctx, "claim host "+host, func(tx *sql.Tx) error {
		var held Owner
		var since string
		err := tx.QueryRowContext(ctx,
			`SELECT run, owner_pid, owner_start, owner_boot, since FROM claim WHERE host = ?`, host).
			Scan(&held.Run, &held.PID, &held.Start, &held.Boot, &since)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case held == o:
			return nil
		case alive(held):
			return assay.WithHint(
				fmt.Sprintf("wait until it ends, or look at it: ps -fp %d", held.PID),
				"host %s is measured by run %s (process %d) since %s: %w", host, held.Run, held.PID, since, assay.ErrBusy)
		}
		_, err = tx.ExecContext(ctx, `
			INSERT OR REPLACE INTO claim (host, since, run, owner_pid, owner_start, owner_boot)
			VALUES (?, ?, ?, ?, ?, ?)`,
			host, time.Now().UTC().Format(stamp), o.Run, o.PID, o.Start, o.Boot)
		return err
	})
}

// Unclaim gives a host back. A claim that o does not have is no error, and is
// left to who has it.
func (s *Store) Unclaim(ctx context.Context, host string, o Owner) error {
	return s.write(ctx, "give back host "+host, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			DELETE FROM claim
			WHERE host = ? AND run = ? AND owner_pid = ? AND owner_start = ? AND owner_boot = ?`,
			host, o.Run, o.PID, o.Start, o.Boot)
		return err
	})
}
