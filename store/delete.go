package store

import (
	"context"
	"database/sql"
	"fmt"

	"assay"
)

// ErrPinned reports that a run has a name and is therefore kept.
var ErrPinned = fmt.Errorf("pinned: %w", assay.ErrBusy)

// Size returns the approximate size in bytes of a run's rows in the database,
// without the database's own overhead; 0 if there is no such run.
func (s *Store) Size(ctx context.Context, runID string) (bytes int64, err error) {
	err = s.read(ctx, "measure run "+runID, func(tx *sql.Tx) error {
		// The length of a blob is in the row's header: no blob is read.
		return tx.QueryRowContext(ctx, `
			SELECT coalesce((SELECT sum(length(id) + length(hosts) + coalesce(length(notes), 0) + coalesce(length(labels), 0) + coalesce(length(remarks), 0) + length(inventory) + 100) FROM run WHERE id = ?1), 0)
			     + coalesce((SELECT sum(length(run) + 2*length(id) + length(trial) + coalesce(length(scratch), 0)) FROM trial WHERE run = ?1), 0)
			     + coalesce((SELECT sum(length(run) + length(trial) + length(error) + length(hint) + 50) FROM repeat WHERE run = ?1), 0)
			     + coalesce((SELECT sum(2*length(run) + 2*length(trial) + coalesce(length(watch), 0) + length(transcript)) FROM evidence WHERE run = ?1), 0)
			     + coalesce((SELECT sum(2*length(run) + 2*length(trial) + 2*length(metric) + length(unit) + coalesce(length(labels), 0) + 30) FROM measurement WHERE run = ?1), 0)
			     + coalesce((SELECT sum(2*length(run) + 2*length(trial) + coalesce(length(samples), 0) + coalesce(length(histogram), 0)) FROM series WHERE run = ?1), 0)
			     + coalesce((SELECT sum(length(run) + length(finding) + length(rule) + length(subject)) FROM finding WHERE run = ?1), 0)`,
			runID).Scan(&bytes)
	})
	return bytes, err
}

// Delete deletes a run and everything that belongs to it, in one transaction. It
// returns assay.ErrBusy for a run in progress, ErrPinned for a named one, and
// assay.ErrNotFound if there is none. The journal and the claims on hosts stay:
// deleting a run releases nothing. The file does not shrink: see Compact.
func (s *Store) Delete(ctx context.Context, runID string) error {
	return s.write(ctx, "delete run "+runID, func(tx *sql.Tx) error {
		if err := mustHaveRun(ctx, tx, runID); err != nil {
			return err
		}
		if err := mustBeOver(ctx, tx, `AND id = ?`, runID); err != nil {
			return err
		}
		var name string
		switch err := tx.QueryRowContext(ctx, `SELECT coalesce(min(name), '') FROM pin WHERE run = ?`, runID).Scan(&name); {
		case err != nil:
			return err
		case name != "":
			return assay.WithHint("remove the name first: assay unpin "+name, "run %s is called %s: %w", runID, name, ErrPinned)
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM run WHERE id = ?`, runID) // the rest follows: see the schema's cascades
		return err
	})
}

// mustBeOver returns assay.ErrBusy if a living process is executing one of the
// runs that match the condition.
func mustBeOver(ctx context.Context, tx *sql.Tx, condition string, args ...any) error {
	return each(ctx, tx, func(rows *sql.Rows) error {
		var o Owner
		if err := rows.Scan(&o.Run, &o.PID, &o.Start, bootOf{&o}); err != nil || !Alive(o) {
			return err
		}
		return assay.WithHint(o.lookAtRun(), "run %s is still being executed by %s: %w", o.Run, o.process(), assay.ErrBusy)
	}, `SELECT id, owner_pid, owner_start, owner_boot FROM run WHERE status = 'running' `+condition, args...)
}

// Compact returns to the file system the space that deleted runs left free in
// the database, and reports by how many bytes its files shrank. It rewrites the
// database, which temporarily needs as much space again. During a run it
// returns assay.ErrBusy and does nothing: it would block all writers.
// PostgreSQL reclaims space itself and returns ErrNoCompact. Free space is
// reused in any case.
func (s *Store) Compact(ctx context.Context) (freed int64, err error) {
	const task = "compact"
	err = s.read(ctx, task, func(tx *sql.Tx) error { return mustBeOver(ctx, tx, "") })
	if err != nil {
		return 0, err
	}
	freed, err = s.dialect.compact(ctx, s.writer)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return freed, s.explain(task, err)
}
