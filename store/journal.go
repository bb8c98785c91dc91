package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"assay"
)

// Entry is a receipt that was not struck: what it names may still exist.
type Entry struct {
	Receipt assay.Receipt
	Owner   Owner
	Since   time.Time // UTC
	Maker   string    // the user and the program that made it, for people; "" if unknown
}

// Journal seals a receipt and stores it before anything that it names is created. It is
// on disk when Journal returns nil. A duplicate id returns ErrExists.
func (s *Store) Journal(ctx context.Context, r assay.Receipt, o Owner) error {
	task := "journal receipt " + r.ID
	body, err := toJSON(r)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	key, err := ownKey()
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	row := sealed{
		receipt: r.ID, since: time.Now().UTC().Format(stamp), run: o.Run,
		pid: o.PID, start: o.Start, boot: o.in(s.dialect).boot(), maker: maker(), body: string(body),
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO journal (receipt, since, run, owner_pid, owner_start, owner_boot, body, maker, seal)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			row.receipt, row.since, row.run, row.pid, row.start, row.boot, row.body, row.maker, row.sum(key))
		if isDuplicate(err) {
			return fmt.Errorf("it is %w", ErrExists)
		}
		return err
	})
}

// Strike deletes a receipt, once what it names is verified to be gone. A missing
// receipt is no error: another process may have released it.
func (s *Store) Strike(ctx context.Context, receiptID string) error {
	return s.write(ctx, "delete receipt "+receiptID, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM journal WHERE receipt = ?`, receiptID)
		return err
	})
}

// Disown gives up the receipts that o still holds: its process lives, but counts
// as dead, and the next cleanup releases them.
func (s *Store) Disown(ctx context.Context, o Owner) error {
	boot := o.in(s.dialect).boot()
	key, err := existingKey()
	if err != nil {
		return err
	}
	return s.write(ctx, "release the receipts of run "+o.Run, func(tx *sql.Tx) error {
		rows, err := journal(ctx, tx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.run != o.Run || row.pid != o.PID || row.start != o.Start || row.boot != boot || !row.authentic(key) {
				continue
			}
			row.pid = 0
			if _, err := tx.ExecContext(ctx, `UPDATE journal SET owner_pid = 0, seal = ? WHERE receipt = ?`, row.sum(key), row.receipt); err != nil {
				return err
			}
		}
		return nil
	})
}

// Outstanding returns this user's unstruck receipts on this machine, oldest first.
// Those whose owner is Alive are in use.
func (s *Store) Outstanding(ctx context.Context) ([]Entry, error) {
	own, _, err := s.entries(ctx)
	return own, err
}

// Foreign returns the receipts that cannot be proven to be this user's on this machine: those
// of other users of the database, those of versions that did not seal receipts, and forged
// ones. They are for display only: nothing may act on them.
func (s *Store) Foreign(ctx context.Context) ([]Entry, error) {
	_, foreign, err := s.entries(ctx)
	return foreign, err
}

func (s *Store) entries(ctx context.Context) (own, foreign []Entry, err error) {
	key, err := existingKey()
	if err != nil {
		return nil, nil, err
	}
	err = s.read(ctx, "read the journal", func(tx *sql.Tx) error {
		own, foreign = nil, nil
		rows, err := journal(ctx, tx)
		for _, row := range rows {
			e := Entry{Maker: row.maker, Owner: Owner{Run: row.run, PID: row.pid, Start: row.start}}
			_ = bootOf{&e.Owner}.Scan(row.boot)
			authentic := row.authentic(key)
			err := fromJSON([]byte(row.body), &e.Receipt)
			if err == nil {
				e.Since, err = parseTime(row.since)
			}
			switch {
			case err != nil && authentic:
				return fmt.Errorf("receipt: %w", err)
			case authentic:
				if mark(e.Owner.Machine) == mark(thisMachine()) {
					e.Owner.Machine = thisMachine() // the seal proves it, whatever its name was
				}
				own = append(own, e)
			default: // keep whatever is readable
				e.Receipt.ID = row.receipt
				foreign = append(foreign, e)
			}
		}
		return err
	})
	return own, foreign, err
}

// journal returns the journal's rows, oldest first.
func journal(ctx context.Context, tx *sql.Tx) ([]sealed, error) {
	var all []sealed
	err := each(ctx, tx, func(rows *sql.Rows) error {
		var r sealed
		err := rows.Scan(&r.receipt, &r.since, &r.run, &r.pid, &r.start, &r.boot, &r.body, &r.maker, &r.seal)
		all = append(all, r)
		return err
	}, `SELECT receipt, since, run, owner_pid, owner_start, owner_boot, body, maker, seal FROM journal ORDER BY since, rowid`)
	return all, err
}
