package store

import (
	"context"
	"database/sql"
	"fmt"

	"assay"
)

// AddTrials appends trials to a run. It returns ErrExists, and adds none, if the run
// already has one of them.
func (s *Store) AddTrials(ctx context.Context, runID string, trials []assay.Trial) error {
	return s.write(ctx, "store trials of run "+runID, func(tx *sql.Tx) error {
		return addTrials(ctx, tx, runID, trials)
	})
}

func addTrials(ctx context.Context, tx *sql.Tx, runID string, trials []assay.Trial) error {
	if err := mustHaveRun(ctx, tx, runID); err != nil {
		return err
	}
	var next int
	if err := tx.QueryRowContext(ctx,
		`SELECT coalesce(max(position) + 1, 0) FROM trial WHERE run = ?`, runID).Scan(&next); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, `INSERT INTO trial (run, id, position, trial) VALUES (?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for i, t := range trials {
		body, err := toJSON(t)
		if err != nil {
			return fmt.Errorf("trial %s: %w", t.ID, err)
		}
		_, err = insert.ExecContext(ctx, runID, t.ID, next+i, string(body))
		if isDuplicate(err) {
			return fmt.Errorf("trial %s is %w", t.ID, ErrExists)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// SetScratch stores what was actually lent to a trial and prepared.
func (s *Store) SetScratch(ctx context.Context, runID, trialID string, scratch assay.Scratch) error {
	task := fmt.Sprintf("store scratch of trial %s of run %s", trialID, runID)
	body, err := toJSON(scratch)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE trial SET scratch = ? WHERE run = ? AND id = ?`,
			string(body), runID, trialID)
		return changed(res, err, noTrial(runID, trialID))
	})
}

// SetAbsent stores why a trial, as planned, gets no number after all.
func (s *Store) SetAbsent(ctx context.Context, runID string, t assay.Trial, why assay.Absence) error {
	task := fmt.Sprintf("store absence of trial %s of run %s", t.ID, runID)
	t.Absent = &why
	body, err := toJSON(t)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE trial SET trial = ? WHERE run = ? AND id = ?`, string(body), runID, t.ID)
		return changed(res, err, noTrial(runID, t.ID))
	})
}

func noTrial(runID, trialID string) error {
	return fmt.Errorf("trial %q of run %q: %w", trialID, runID, assay.ErrNotFound)
}
