package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"assay"
)

// Summary is one line about a run.
type Summary struct {
	ID       string
	Suite    string
	Hosts    []string
	Started  time.Time // UTC
	Elapsed  time.Duration
	Status   assay.RunStatus
	Owner    Owner    // a running run whose owner is not Alive was cut short
	Trials   int      // planned, including those that could not be measured
	Repeats  int      // that count: done, not warm-ups
	Rejected int      // findings of severity assay.Rejects
	Names    []string // given to it, sorted: see Pin
	Pinned   bool     // it has a name, even an invalid one: Delete leaves it alone
	Labels   map[string]string
	Remarks  []assay.Remark
	Imported bool // it came from another database or is imported tool output: see InTurn
}

// StatusNow returns the current status of the run: one whose process has died is not
// running, whatever it last stored.
func (s Summary) StatusNow() assay.RunStatus {
	if s.Status == assay.RunRunning && !Alive(s.Owner) {
		return assay.RunInterrupted
	}
	return s.Status
}

// Find loads the run with that name (see Resolve) and its current status: a run
// whose process has died is interrupted. Notes say so, and whether the run was
// imported.
func (s *Store) Find(ctx context.Context, name string) (assay.Run, error) {
	id, err := s.Resolve(ctx, name)
	if err != nil {
		return assay.Run{}, err
	}
	r, err := s.Load(ctx, id)
	if err != nil {
		return r, err
	}
	one, err := s.summary(ctx, id)
	if r.Status == assay.RunRunning && one.StatusNow() != r.Status {
		r.Status = one.StatusNow()
		r.Notes = append(r.Notes, assay.Note{ID: "killed", Text: "the run was killed; this is what it had stored until then"})
	}
	if one.Imported {
		text := "this run was imported: who measured it, where and when is what its file says"
		if r.Suite == assay.ImportSuite {
			text = "this is imported tool output: the date is that of its import, and who measured it is unknown"
		}
		r.Notes = append(r.Notes, assay.Note{ID: "imported", Text: text})
	}
	return r, err
}

// headColumns are the columns that scan reads.
const headColumns = `
	SELECT id, suite, hosts, started, elapsed_ns, status, owner_pid, owner_start, owner_boot, labels, remarks, imported`

// summaries selects what scanSummary reads, given the outcome that counts and the
// severity that rejects.
const summaries = headColumns + `,
	       (SELECT count(*) FROM trial WHERE trial.run = run.id),
	       (SELECT count(*) FROM repeat WHERE repeat.run = run.id AND n > 0 AND outcome = ?1),
	       (SELECT count(*) FROM finding WHERE finding.run = run.id AND severity = ?2),
	       EXISTS (SELECT 1 FROM pin WHERE pin.run = run.id)
	FROM run`

// inOrder sorts runs newest first.
const inOrder = ` ORDER BY started DESC, rowid DESC`

// summary returns the summary of one run, without its names.
func (s *Store) summary(ctx context.Context, id string) (one Summary, err error) {
	err = s.read(ctx, "look at run "+id, func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) (err error) {
			one, err = scanSummary(rows)
			return err
		}, summaries+` WHERE id = ?3`, string(assay.Done), string(assay.Rejects), id)
	})
	return one, err
}

// Runs returns all runs, newest first, except those that Misnamed counts and
// those that cannot be read: see OnSkip.
func (s *Store) Runs(ctx context.Context) ([]Summary, error) {
	var all []Summary
	err := s.read(ctx, "list runs", func(tx *sql.Tx) error {
		all = nil
		err := each(ctx, tx, func(rows *sql.Rows) error {
			one, err := scanSummary(rows)
			switch {
			case assay.CheckRunID(one.ID) != nil:
			case err != nil:
				s.skip(ctx, one.ID, err)
			default:
				all = append(all, one)
			}
			return nil
		}, summaries+inOrder, string(assay.Done), string(assay.Rejects))
		if err != nil {
			return err
		}
		named, err := pins(ctx, tx)
		for i := range all {
			for _, p := range named {
				if p.Run == all[i].ID {
					all[i].Names = append(all[i].Names, p.Name)
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func scanSummary(rows *sql.Rows) (one Summary, err error) {
	err = one.scan(rows, &one.Trials, &one.Repeats, &one.Rejected, &one.Pinned)
	return one, err
}

// head is a Summary limited to the run's own row. If that cannot be read, only the ID
// and the reason are known.
type head struct {
	Summary
	unreadable error
}

// heads returns the heads of all runs, newest first, except those that Misnamed
// counts.
func heads(ctx context.Context, tx *sql.Tx) (all []head, err error) {
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var one head
		if one.unreadable = one.scan(rows); assay.CheckRunID(one.ID) == nil {
			all = append(all, one)
		}
		return nil
	}, headColumns+` FROM run`+inOrder)
	return all, err
}

// scan reads headColumns, and more after them. Any error is about this row.
func (s *Summary) scan(rows *sql.Rows, more ...any) (err error) {
	var hosts, started, status string
	var elapsed int64
	var labels, remarks sql.NullString
	if err := scan(rows, append([]any{&s.ID, &s.Suite, &hosts, &started, &elapsed, &status,
		&s.Owner.PID, &s.Owner.Start, bootOf{&s.Owner}, &labels, &remarks, &s.Imported}, more...)...); err != nil {
		return err
	}
	s.Owner.Run = s.ID
	s.Status, s.Elapsed = assay.RunStatus(status), time.Duration(elapsed)
	if err := fromJSON([]byte(hosts), &s.Hosts); err != nil {
		return fmt.Errorf("hosts: %w", err)
	}
	if s.Labels, err = readLabels(labels); err != nil {
		return err
	}
	if s.Remarks, err = readRemarks(remarks); err != nil {
		return err
	}
	s.Started, err = parseTime(started)
	return err
}
