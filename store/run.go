package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"assay"
)

// Begin stores the head of a run, with this process as its owner and the
// status running. Results and findings come later, with AddTrials, AddRepeat
// and SetFindings; those in run are not looked at. A run of that id gives
// ErrExists.
func (s *Store) Begin(ctx context.Context, run assay.Run) error {
	task := "begin run " + run.ID
	if run.ID == "" {
		return fmt.Errorf("begin run: it has no id")
	}
	owner, err := Self(run.ID)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	inventory, err := packJSON(run.Inventory)
	if err != nil {
		return fmt.Errorf("%s: inventory: %w", task, err)
	}
	names := []string{}
	for _, h := range run.Inventory.Hosts {
		names = append(names, h.Name)
	}
	hosts, err := toJSON(names)
	if err != nil {
		return fmt.Errorf("%s: hosts: %w", task, err)
	}
	notes, err := notesColumn(run.Notes)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO run (id, suite, version, started, elapsed_ns, status, seed, budget_ns,
			                 hosts, notes, owner_pid, owner_start, owner_boot, inventory)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			run.ID, run.Suite, run.Version, run.Started.UTC().Format(stamp), 0, string(assay.RunRunning),
			run.Seed, int64(run.Budget), string(hosts), notes, owner.PID, owner.Start, owner.Boot, inventory)
		if isDuplicate(err) {
			return fmt.Errorf("run %s is %w", run.ID, ErrExists)
		}
		return err
	})
}

// Finish stores how a run ended; notes replace those it had.
func (s *Store) Finish(ctx context.Context, runID string, status assay.RunStatus, elapsed time.Duration, notes []assay.Note) error {
	task := "finish run " + runID
	column, err := notesColumn(notes)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE run SET status = ?, elapsed_ns = ?, notes = ? WHERE id = ?`,
			string(status), int64(elapsed), column, runID)
		return changed(res, err, noRun(runID))
	})
}

// SetFindings replaces the findings of a run: a better audit reads old runs again.
func (s *Store) SetFindings(ctx context.Context, runID string, findings []assay.Finding) error {
	return s.write(ctx, "store findings of run "+runID, func(tx *sql.Tx) error {
		if err := mustHaveRun(ctx, tx, runID); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM finding WHERE run = ?`, runID); err != nil {
			return err
		}
		insert, err := tx.PrepareContext(ctx, `
			INSERT INTO finding (run, position, rule, severity, subject, finding) VALUES (?, ?, ?, ?, ?, ?)`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for i, f := range findings {
			body, err := toJSON(f)
			if err != nil {
				return fmt.Errorf("finding %s: %w", f.Rule, err)
			}
			if _, err := insert.ExecContext(ctx, runID, i, f.Rule, string(f.Severity), f.Subject, string(body)); err != nil {
				return err
			}
		}
		return nil
	})
}

func mustHaveRun(ctx context.Context, tx *sql.Tx, runID string) error {
	var n int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM run WHERE id = ?`, runID).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return noRun(runID)
	}
	return nil
}

func noRun(runID string) error {
	return assay.WithHint("`assay runs` lists what there is", "run %q: %w", runID, assay.ErrNotFound)
}

func notesColumn(notes []assay.Note) (any, error) {
	if len(notes) == 0 {
		return nil, nil
	}
	body, err := toJSON(notes)
	if err != nil {
		return nil, fmt.Errorf("notes: %w", err)
	}
	return string(body), nil
}
