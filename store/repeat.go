package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"assay"
)

// AddRepeat stores one repeat with its transcript, measurements and watch. It
// is on disk when AddRepeat returns nil; otherwise none of it is stored. It
// returns ErrExists if there is a repeat with that number: measurements are
// never overwritten. NaN and infinite values are refused. To keep what was
// measured when the user interrupts, pass a ctx that the interrupt does not
// cancel.
func (s *Store) AddRepeat(ctx context.Context, runID, trialID string, r assay.Repeat) error {
	task := fmt.Sprintf("store repeat %d of trial %s of run %s", r.N, trialID, runID)
	// Pack first: the lock that all writers share is held for the rows only.
	packed, err := packRepeat(r)
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return s.write(ctx, task, func(tx *sql.Tx) error {
		err := packed.insert(ctx, tx, runID, trialID)
		switch {
		case isDuplicate(err):
			return fmt.Errorf("it is %w", ErrExists)
		case isOrphan(err):
			return noTrial(runID, trialID)
		}
		return err
	})
}

// packedRepeat is a repeat whose blobs are ready.
type packedRepeat struct {
	assay.Repeat
	transcript   []byte
	watch        any // []byte, or nil
	measurements []packedMeasurement
}

// watches is how a repeat's watches are stored: the one of the trial's own host as
// in package assay, with the others beside it under a name of their own.
type watches struct {
	*assay.Watch
	Hosts map[string]*assay.Watch `json:"hosts,omitempty"`
}

type packedMeasurement struct {
	assay.Measurement
	labels             any // string, or nil
	samples, histogram []byte
}

func packRepeat(r assay.Repeat) (p packedRepeat, err error) {
	p.Repeat = r
	if p.transcript, err = packTranscript(r.Transcript); err != nil {
		return p, fmt.Errorf("transcript: %w", err)
	}
	if r.Watch != nil || len(r.Watches) > 0 {
		if p.watch, err = packJSON(watches{r.Watch, r.Watches}); err != nil {
			return p, fmt.Errorf("watch: %w", err)
		}
	}
	for _, m := range r.Measurements {
		pm, err := packMeasurement(m)
		if err != nil {
			return p, fmt.Errorf("measurement %q: %w", m.Metric, err)
		}
		p.measurements = append(p.measurements, pm)
	}
	return p, nil
}

func packMeasurement(m assay.Measurement) (p packedMeasurement, err error) {
	p.Measurement = m
	if m.Metric == "" {
		return p, fmt.Errorf("it has no metric")
	}
	if !finite(m.Value) {
		return p, fmt.Errorf("%v cannot be stored", m.Value)
	}
	if len(m.Labels) > 0 {
		labels, err := toJSON(m.Labels)
		if err != nil {
			return p, fmt.Errorf("labels: %w", err)
		}
		p.labels = string(labels)
	}
	if p.samples, err = packSamples(m.Samples); err != nil {
		return p, err
	}
	p.histogram, err = packHistogram(m.Histogram)
	return p, err
}

func (p packedRepeat) insert(ctx context.Context, tx *sql.Tx, runID, trialID string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO repeat (run, trial, n, started, elapsed_ns, outcome, error, hint)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		runID, trialID, p.N, p.Started.UTC().Format(stamp), int64(p.Elapsed), string(p.Outcome), p.Error, p.Hint)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO evidence (run, trial, repeat, watch, transcript) VALUES (?, ?, ?, ?, ?)`,
		runID, trialID, p.N, p.watch, p.transcript)
	if err != nil {
		return err
	}
	var figures, series [][]any
	for i, m := range p.measurements {
		figures = append(figures, []any{runID, trialID, p.N, i, m.Metric, m.Value, string(m.Unit), m.labels, m.Line})
		if m.samples != nil || m.histogram != nil {
			series = append(series, []any{runID, trialID, p.N, i, blobColumn(m.samples), blobColumn(m.histogram)})
		}
	}
	if err := insertRows(ctx, tx, `measurement (run, trial, repeat, position, metric, value, unit, labels, line)`, figures); err != nil {
		return err
	}
	return insertRows(ctx, tx, `series (run, trial, repeat, position, samples, histogram)`, series)
}

// rowsAtOnce is how many rows one statement inserts. Each statement costs a round
// trip to a server while all other writers wait.
const rowsAtOnce = 40

// insertRows inserts rows into a table, given by its name and columns.
func insertRows(ctx context.Context, tx *sql.Tx, into string, rows [][]any) error {
	for some := range slices.Chunk(rows, rowsAtOnce) {
		tuple := "(?" + strings.Repeat(", ?", len(some[0])-1) + ")"
		query := "INSERT INTO " + into + " VALUES " + tuple + strings.Repeat(", "+tuple, len(some)-1) //nolint:gosec // into is the package's own, the values are placeholders
		if _, err := tx.ExecContext(ctx, query, slices.Concat(some...)...); err != nil {
			return err
		}
	}
	return nil
}

// blobColumn returns NULL for no blob.
func blobColumn(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}
