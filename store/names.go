package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"assay"
)

// Ids, labels and remarks end up in commands, environments and lines of text. Anyone
// who can write to the database can put anything there, so they are checked on every
// read, not only when they are stored.

// checkNames refuses a run with names that a later read would reject.
func checkNames(run assay.Run) error {
	if err := assay.CheckRunID(run.ID); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(run.Labels)) {
		if err := assay.CheckLabel(name, run.Labels[name]); err != nil {
			return err
		}
	}
	for _, r := range run.Remarks {
		if err := assay.CheckRemark(r.Text); err != nil {
			return err
		}
	}
	return nil
}

// readLabels returns the labels of a run, dropping invalid ones.
func readLabels(column sql.NullString) (labels map[string]string, err error) {
	if !column.Valid {
		return nil, nil
	}
	if err := fromJSON([]byte(column.String), &labels); err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	maps.DeleteFunc(labels, func(name, value string) bool { return assay.CheckLabel(name, value) != nil })
	return labels, nil
}

// readRemarks returns the remarks on a run, dropping invalid ones.
func readRemarks(column sql.NullString) (all []assay.Remark, err error) {
	if !column.Valid {
		return nil, nil
	}
	if err := fromJSON([]byte(column.String), &all); err != nil {
		return nil, fmt.Errorf("remarks: %w", err)
	}
	return slices.DeleteFunc(all, func(r assay.Remark) bool { return assay.CheckRemark(r.Text) != nil }), nil
}

// Misnamed returns the number of runs with an invalid id (assay.CheckRunID). assay
// stores no such run, and no method returns one.
func (s *Store) Misnamed(ctx context.Context) (n int, err error) {
	err = s.read(ctx, "list runs", func(tx *sql.Tx) error {
		n = 0
		return each(ctx, tx, func(rows *sql.Rows) error {
			var id string
			if scan(rows, &id) != nil || assay.CheckRunID(id) != nil {
				n++
			}
			return nil
		}, `SELECT id FROM run`)
	})
	return n, err
}
