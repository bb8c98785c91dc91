package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"assay"
)

// Entry is a receipt that was not struck: what it names may still be there.
type Entry struct {
	Receipt assay.Receipt
	Owner   Owner
	Since   time.Time // UTC
}

// Journal stores a receipt before anything that it names is created. It is on
// the disk when Journal returns nil. A receipt of that id gives ErrExists.
func (s *Store) Journal(ctx context.Context, r assay.Receipt, o Owner) error {
	task := "journal receipt " + r.ID
	body, err := toJSON(r)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO journal (receipt, since, run, owner_pid, owner_start, owner_boot, body)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			r.ID, time.Now().UTC().Format(stamp), o.Run, o.PID, o.Start, o.in(s.dialect).boot(), string(body))
		if isDuplicate(err) {
			return fmt.Errorf("it is %w", ErrExists)
		}
		return err
	})
}

// Strike removes a receipt once what it names is verified to be gone. One that
// is not there is no error: another process may have released it.
func (s *Store) Strike(ctx context.Context, receiptID string) error {
	return s.write(ctx, "strike receipt "+receiptID, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM journal WHERE receipt = ?`, receiptID)
		return err
	})
}

// Disown gives up what the journal still holds of o: though its process lives, it
// counts as dead, and whoever cleans up next releases it.
func (s *Store) Disown(ctx context.Context, o Owner) error {
	o = o.in(s.dialect)
	return s.write(ctx, "disown receipts of run "+o.Run, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE journal SET owner_pid = 0
			WHERE run = ? AND owner_pid = ? AND owner_start = ? AND owner_boot = ?`,
			o.Run, o.PID, o.Start, o.boot())
		return err
	})
}

// Outstanding gives the receipts that were not struck, the oldest first. Those
// of an owner that is Alive are in use.
func (s *Store) Outstanding(ctx context.Context) ([]Entry, error) {
	var all []Entry
	err := s.read(ctx, "read the journal", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			var e Entry
			var since, body string
			if err := rows.Scan(&since, &e.Owner.Run, &e.Owner.PID, &e.Owner.Start, bootOf{&e.Owner}, &body); err != nil {
				return err
			}
			if err := fromJSON([]byte(body), &e.Receipt); err != nil {
				return fmt.Errorf("receipt: %w", err)
			}
			var err error
			e.Since, err = parseTime(since)
			all = append(all, e)
			return err
		}, `SELECT since, run, owner_pid, owner_start, owner_boot, body FROM journal ORDER BY since, rowid`)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
