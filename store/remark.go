package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"assay"
)

// Remark adds a remark to a run, which may be in progress. It returns assay.ErrRemark
// for an invalid text and assay.ErrNotFound if there is no such run. runID is a full
// id: see Resolve.
func (s *Store) Remark(ctx context.Context, runID, text string) error {
	if err := assay.CheckRemark(text); err != nil {
		return err
	}
	return s.changeRemarks(ctx, runID, "write a note about run "+runID, func(all []assay.Remark) ([]assay.Remark, error) {
		return append(all, assay.Remark{At: time.Now().UTC(), Text: text}), nil
	})
}

// RemoveRemark removes a remark from a run: the one with that text, else the only one
// that begins with it. It returns the remark's text, or assay.ErrNotFound if there is
// no such run or remark, or if several begin with it.
func (s *Store) RemoveRemark(ctx context.Context, runID, text string) (removed string, err error) {
	err = s.changeRemarks(ctx, runID, "remove a note about run "+runID, func(all []assay.Remark) ([]assay.Remark, error) {
		at := slices.IndexFunc(all, func(r assay.Remark) bool { return r.Text == text })
		for i, r := range all {
			if at >= 0 && all[at].Text == text || text == "" || !strings.HasPrefix(r.Text, text) {
				continue
			}
			if at >= 0 {
				return nil, assay.WithHint("give more of its text", "more than one note about run %s begins %q: %w", runID, text, assay.ErrNotFound)
			}
			at = i
		}
		if at < 0 {
			return nil, assay.WithHint("see them with: assay show "+runID, "no note about run %s begins %q: %w", runID, text, assay.ErrNotFound)
		}
		removed = all[at].Text
		return slices.Delete(all, at, at+1), nil
	})
	return removed, err
}

// changeRemarks replaces the remarks on a run.
func (s *Store) changeRemarks(ctx context.Context, runID, task string, change func([]assay.Remark) ([]assay.Remark, error)) error {
	return s.write(ctx, task, func(tx *sql.Tx) error {
		var column sql.NullString
		err := tx.QueryRowContext(ctx, `SELECT remarks FROM run WHERE id = ?`, runID).Scan(&column)
		if errors.Is(err, sql.ErrNoRows) {
			return noRun(runID)
		}
		if err != nil {
			return err
		}
		all, err := readRemarks(column)
		if err != nil {
			return err
		}
		if all, err = change(all); err != nil {
			return err
		}
		body, err := orNull(all, len(all))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE run SET remarks = ? WHERE id = ?`, body, runID)
		return err
	})
}
