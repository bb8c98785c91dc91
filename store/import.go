package store

import (
	"context"
	"database/sql"
	"fmt"

	"assay"
)

// Import stores the head, results and findings of a run from elsewhere, in one
// transaction. It returns ErrExists if a run has that id, and rejects NaN and
// infinite values.
func (s *Store) Import(ctx context.Context, run assay.Run) error {
	task := "import run " + run.ID
	head, err := s.packHead(run)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	trials := make([]assay.Trial, len(run.Results))
	repeats := make([][]packedRepeat, len(run.Results))
	for i, res := range run.Results {
		trials[i] = res.Trial
		for _, rep := range res.Repeats {
			packed, err := packRepeat(rep)
			if err != nil {
				return fmt.Errorf("%s: trial %s: %w", task, res.Trial.ID, err)
			}
			repeats[i] = append(repeats[i], packed)
		}
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		if err := head.insert(ctx, tx); err != nil {
			return err
		}
		if err := addTrials(ctx, tx, run.ID, trials); err != nil {
			return err
		}
		for i, all := range repeats {
			for _, packed := range all {
				if err := packed.insert(ctx, tx, run.ID, trials[i].ID); err != nil {
					return fmt.Errorf("trial %s: %w", trials[i].ID, err)
				}
			}
		}
		return setFindings(ctx, tx, run.ID, run.Findings)
	})
}
