package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"assay"
)

// Ids, labels and remarks stand in commands, environments and lines of text. Whoever
// can write to the database can write anything there, so they are checked whenever they
// are read, not only when they are stored.

// checkNames refuses a run whose names could not be read again.
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

// readLabels returns the labels of a run, without those that are none.
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

// readRemarks returns the remarks on a run, without those that are none.
func readRemarks(column sql.NullString) (all []assay.Remark, err error) {
	if !column.Valid {
		return nil, nil
	}
	if err := fromJSON([]byte(column.String), &all); err != nil {
		return nil, fmt.Errorf("remarks: %w", err)
	}
	return slices.DeleteFunc(all, func(r assay.Remark) bool { return assay.CheckRemark(r.Text) != nil }), nil
}

// Misnamed returns how many runs have an id that is none (assay.CheckRunID). assay
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
