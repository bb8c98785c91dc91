package main

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"assay/store"
)

// historyDatabase returns the path of a database with the history, and creates it
// in dir if it does not exist. The database is either complete or absent.
func historyDatabase(ctx context.Context, dir string, say func(string)) (string, error) {
	path := filepath.Join(dir, historyFile())
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	building, err := os.MkdirTemp(dir, ".history-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(building)
	made := filepath.Join(building, "assay.db")
	if err := firstRuns(ctx, made); err != nil {
		return "", err
	}
	if err := copyNights(ctx, made, historyRuns, say); err != nil {
		return "", err
	}
	// As assay leaves it: in write-ahead log mode.
	st, err := store.Open(ctx, made)
	if err != nil {
		return "", err
	}
	if err := st.Close(); err != nil {
		return "", err
	}
	return path, os.Rename(made, path)
}

// historyFile names the database after its contents.
func historyFile() string {
	return fmt.Sprintf("history-%dx%dx%d.db", historyRuns, historyRepeats, historySeconds)
}

// firstRuns stores the first run of each host, the same way as any run.
func firstRuns(ctx context.Context, path string) error {
	h, err := newHistory()
	if err != nil {
		return err
	}
	st, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer st.Close()
	for n := range historyHosts {
		if err := st.Import(ctx, h.first(n)); err != nil {
			return err
		}
	}
	return nil
}

// copyNights copies the first runs until there are this many. It does so inside
// SQLite, in a tenth of the time that storing runs one by one takes. Nobody else
// uses the file yet, and a crash leaves none.
func copyNights(ctx context.Context, path string, runs int, say func(string)) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(OFF)&_pragma=journal_mode(MEMORY)&_pragma=cache_size(-200000)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	copies, err := copiers(ctx, db)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // chance, not secrecy
	for n := historyHosts; n < runs; n++ {
		if n%100 == 0 {
			say(fmt.Sprintf("store10m: %d of %d runs made", n, runs))
		}
		template, _ := historyRun(n % historyHosts)
		id, began := historyRun(n)
		night := math.Exp(.01 * random.NormFloat64())
		storage := night
		if n%historyHosts == upgradedHost && n/historyHosts >= upgradedAfter {
			storage *= afterUpgrade
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		for _, statement := range copies {
			if _, err := tx.ExecContext(ctx, statement, sql.Named("id", id), sql.Named("template", template),
				sql.Named("date", began.Format("2006-01-02")), sql.Named("night", night), sql.Named("storage", storage)); err != nil {
				_ = tx.Rollback()
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// copiers returns one statement per table that copies the rows of run :template,
// with a new id and date, and with figures scaled by the given factors and
// scattered by about 1.5 %. Counts, which are not measured, stay the same.
func copiers(ctx context.Context, db *sql.DB) (all []string, err error) {
	for _, table := range []string{"run", "trial", "repeat", "evidence", "measurement", "series", "finding"} {
		rows, err := db.QueryContext(ctx, `SELECT name FROM pragma_table_info(?)`, table)
		if err != nil {
			return nil, err
		}
		var names, values []string
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				rows.Close()
				return nil, err
			}
			names = append(names, name)
			values = append(values, copied(table, name))
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return nil, err
		}
		key := "run"
		if table == "run" {
			key = "id"
		}
		all = append(all, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s WHERE %s = :template",
			table, strings.Join(names, ", "), strings.Join(values, ", "), table, key))
	}
	return all, nil
}

// copied returns the SQL expression for a column of the copy.
func copied(table, column string) string {
	switch {
	case column == "run", table == "run" && column == "id":
		return ":id"
	case column == "started":
		return ":date || substr(started, 11)"
	case table == "measurement" && column == "value":
		return `CASE WHEN metric = 'tool.duration' OR unit = '1' THEN value
			ELSE value * (1 + .026 * (random() % 1000) / 1000.0) * CASE WHEN trial LIKE 'fio/%' THEN :storage ELSE :night END END`
	}
	return column
}
