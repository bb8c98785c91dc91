package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"assay"
)

// Begin stores the head of a run, with this process as its owner and the status
// running. Results and findings follow through AddTrials, AddRepeat and
// SetFindings; those in run are ignored. It returns ErrExists if there is a run
// with that id.
func (s *Store) Begin(ctx context.Context, run assay.Run) error {
	run.Status, run.Elapsed = assay.RunRunning, 0
	head, err := s.packHead(run)
	if err != nil {
		return fmt.Errorf("begin run %s: %w", run.ID, err)
	}
	return s.write(ctx, "begin run "+run.ID, func(tx *sql.Tx) error { return head.insert(ctx, tx) })
}

// packedHead is a run's head with its columns encoded.
type packedHead struct {
	assay.Run
	owner     Owner
	inventory []byte
	hosts     string
	notes     any // string, or nil
	labels    any
	remarks   any
	imported  int // 1 for a run from another database or from tool output
}

func (s *Store) packHead(run assay.Run) (p packedHead, err error) {
	p.Run = run
	if err := checkNames(run); err != nil {
		return p, err
	}
	if p.owner, err = s.self(run.ID); err != nil {
		return p, err
	}
	if p.inventory, err = packJSON(run.Inventory); err != nil {
		return p, fmt.Errorf("inventory: %w", err)
	}
	names := []string{}
	for _, h := range run.Inventory.Hosts {
		names = append(names, h.Name)
	}
	hosts, err := toJSON(names)
	if err != nil {
		return p, fmt.Errorf("hosts: %w", err)
	}
	p.hosts = string(hosts)
	if p.notes, err = notesColumn(run.Notes); err != nil {
		return p, err
	}
	if p.labels, err = orNull(run.Labels, len(run.Labels)); err != nil {
		return p, fmt.Errorf("labels: %w", err)
	}
	if p.remarks, err = orNull(run.Remarks, len(run.Remarks)); err != nil {
		return p, fmt.Errorf("remarks: %w", err)
	}
	return p, nil
}

// self returns this process as the database stores it.
func (s *Store) self(run string) (Owner, error) {
	o, err := Self(run)
	return o.in(s.dialect), err
}

func (p packedHead) insert(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO run (id, suite, version, started, elapsed_ns, status, seed, budget_ns,
		                 hosts, notes, owner_pid, owner_start, owner_boot, inventory, labels, remarks, imported)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.ID, p.Suite, p.Version, p.Started.UTC().Format(stamp), int64(p.Elapsed), string(p.Status),
		p.Seed, int64(p.Budget), p.hosts, p.notes, p.owner.PID, p.owner.Start, p.owner.boot(), p.inventory, p.labels, p.remarks, p.imported)
	if isDuplicate(err) {
		return fmt.Errorf("run %s is %w", p.ID, ErrExists)
	}
	return err
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

// SetFindings replaces a run's findings: a better audit reads old runs again.
func (s *Store) SetFindings(ctx context.Context, runID string, findings []assay.Finding) error {
	return s.write(ctx, "store findings of run "+runID, func(tx *sql.Tx) error {
		return setFindings(ctx, tx, runID, findings)
	})
}

// Judge stores the findings of a run that has none: it was killed before its audit. It
// returns assay.ErrBusy for a run in progress.
func (s *Store) Judge(ctx context.Context, runID string, findings []assay.Finding) error {
	return s.write(ctx, "store findings of run "+runID, func(tx *sql.Tx) error {
		if err := mustBeOver(ctx, tx, `AND id = ?`, runID); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM finding WHERE run = ?`, runID).Scan(&n); err != nil || n > 0 {
			return err
		}
		return setFindings(ctx, tx, runID, findings)
	})
}

// Unjudged returns the runs that were killed and have no findings: see Judge.
func (s *Store) Unjudged(ctx context.Context) (ids []string, err error) {
	err = s.read(ctx, "find killed runs", func(tx *sql.Tx) error {
		ids = nil
		return each(ctx, tx, func(rows *sql.Rows) error {
			var o Owner
			if err := rows.Scan(&o.Run, &o.PID, &o.Start, bootOf{&o}); err != nil || Alive(o) {
				return err
			}
			ids = append(ids, o.Run)
			return nil
		}, `
			SELECT id, owner_pid, owner_start, owner_boot FROM run
			WHERE status = 'running' AND NOT EXISTS (SELECT 1 FROM finding WHERE finding.run = run.id)`)
	})
	return ids, err
}

func setFindings(ctx context.Context, tx *sql.Tx, runID string, findings []assay.Finding) error {
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
	return assay.WithHint("`assay runs` lists the runs", "run %q: %w", runID, assay.ErrNotFound)
}

func notesColumn(notes []assay.Note) (any, error) {
	column, err := orNull(notes, len(notes))
	if err != nil {
		return nil, fmt.Errorf("notes: %w", err)
	}
	return column, nil
}

// orNull returns a JSON column, or NULL if there is nothing in it.
func orNull(v any, n int) (any, error) {
	if n == 0 {
		return nil, nil
	}
	body, err := toJSON(v)
	return string(body), err
}
