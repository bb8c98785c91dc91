package store

import (
	"context"
	"database/sql"
)

// Metrics returns the names of all stored metrics, sorted.
func (s *Store) Metrics(ctx context.Context) (names []string, err error) {
	err = s.read(ctx, "list metrics", func(tx *sql.Tx) error {
		names, err = metrics(ctx, tx)
		return err
	})
	return names, err
}

// metrics walks the index from one distinct name to the next.
func metrics(ctx context.Context, tx *sql.Tx) (names []string, err error) {
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	}, `
		WITH RECURSIVE name (is_) AS (
		    SELECT min(metric) FROM measurement
		    UNION ALL
		    SELECT (SELECT min(metric) FROM measurement WHERE metric > is_) FROM name WHERE is_ IS NOT NULL)
		SELECT is_ FROM name WHERE is_ IS NOT NULL`)
	return names, err
}
