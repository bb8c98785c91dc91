package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"assay"
)

// Reopen hands a run that ended, or whose process died, to this process: its
// status is running again, its findings are removed, and so are the repeats in
// drop (their numbers, by trial) with all that belongs to them, so that AddRepeat
// can add them anew. Trials without a number only because a host went away are
// restored to what was planned. All other repeats, and the run's start, elapsed
// time, notes and scratch spaces, stay as they are.
//
// It does all of this or nothing. It returns assay.ErrNotFound for an unknown run
// or repeat, and assay.ErrBusy for a run that another living process is carrying
// out.
//
// The run already has its trials: AddTrials would return ErrExists. Callers do
// Load, plan, Reopen, Load, AddRepeat for each repeat, SetFindings and Finish.
func (s *Store) Reopen(ctx context.Context, runID string, drop map[string][]int) error {
	task := "reopen run " + runID
	owner, err := s.self(runID)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		if err := takeOver(ctx, tx, owner); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM finding WHERE run = ?`, runID); err != nil {
			return err
		}
		for _, trial := range slices.Sorted(maps.Keys(drop)) {
			for _, n := range drop[trial] {
				// Its measurements are deleted with it: see the schema's cascades.
				res, err := tx.ExecContext(ctx, `DELETE FROM repeat WHERE run = ? AND trial = ? AND n = ?`, runID, trial, n)
				gone := fmt.Errorf("repeat %d of trial %q of run %q: %w", n, trial, runID, assay.ErrNotFound)
				if err := changed(res, err, gone); err != nil {
					return err
				}
			}
		}
		return planAgain(ctx, tx, runID)
	})
}

// takeOver makes o the owner of its run and sets the run's status to running.
func takeOver(ctx context.Context, tx *sql.Tx, o Owner) error {
	held := Owner{Run: o.Run}
	var status string
	err := tx.QueryRowContext(ctx,
		`SELECT status, owner_pid, owner_start, owner_boot FROM run WHERE id = ?`, o.Run).
		Scan(&status, &held.PID, &held.Start, bootOf{&held})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return noRun(o.Run)
	case err != nil:
		return err
	case assay.RunStatus(status) == assay.RunRunning && held != o && Alive(held):
		return assay.WithHint(held.lookAtRun(), "run %s is still being executed by %s: %w", o.Run, held.process(), assay.ErrBusy)
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE run SET status = ?, owner_pid = ?, owner_start = ?, owner_boot = ? WHERE id = ?`,
		string(assay.RunRunning), o.PID, o.Start, o.boot(), o.Run)
	return err
}

// planAgain clears the absence of trials whose host went away.
func planAgain(ctx context.Context, tx *sql.Tx, runID string) error {
	again := map[string]assay.Trial{}
	err := each(ctx, tx, func(rows *sql.Rows) error {
		var id, body string
		if err := rows.Scan(&id, &body); err != nil {
			return err
		}
		var t assay.Trial
		if err := fromJSON([]byte(body), &t); err != nil {
			return fmt.Errorf("trial %s: %w", id, err)
		}
		if t.Absent != nil && t.Absent.Gone != "" {
			t.Absent = nil
			again[id] = t
		}
		return nil
	}, `SELECT id, trial FROM trial WHERE run = ?`, runID)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(again)) {
		body, err := toJSON(again[id])
		if err != nil {
			return fmt.Errorf("trial %s: %w", id, err)
		}
		if _, err := tx.ExecContext(ctx, `UPDATE trial SET trial = ? WHERE run = ? AND id = ?`, string(body), runID, id); err != nil {
			return err
		}
	}
	return nil
}
