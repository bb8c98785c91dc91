package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"time"

	"assay"
)

// Load returns a complete run except for the transcripts of its repeats: see
// Transcript. Times are in UTC. id is a full id: see Resolve.
func (s *Store) Load(ctx context.Context, id string) (assay.Run, error) {
	var l loader
	err := s.read(ctx, "load run "+id, func(tx *sql.Tx) error {
		l = newLoader(ctx, tx, id, newRoom())
		return l.load()
	})
	if errors.Is(err, ErrTooLarge) {
		err = unreadable(id, err)
	}
	if err != nil {
		return assay.Run{}, err
	}
	return l.run, nil
}

// Transcript returns the transcript of repeat n of a trial, byte for byte.
func (s *Store) Transcript(ctx context.Context, runID, trialID string, n int) (tr assay.Transcript, err error) {
	task := fmt.Sprintf("load transcript %d of trial %s of run %s", n, trialID, runID)
	err = s.read(ctx, task, func(tx *sql.Tx) error {
		tr, err = loadTranscript(ctx, tx, newRoom(), runID, trialID, n)
		return err
	})
	return tr, err
}

func loadTranscript(ctx context.Context, tx *sql.Tx, r *room, runID, trialID string, n int) (assay.Transcript, error) {
	var blob []byte
	err := tx.QueryRowContext(ctx,
		`SELECT transcript FROM evidence WHERE run = ? AND trial = ? AND repeat = ?`, runID, trialID, n).Scan(&blob)
	if errors.Is(err, sql.ErrNoRows) {
		return assay.Transcript{}, fmt.Errorf("repeat: %w", assay.ErrNotFound)
	}
	if err != nil {
		return assay.Transcript{}, err
	}
	return r.transcript(blob)
}

// loader assembles one run, table by table.
type loader struct {
	ctx    context.Context
	tx     *sql.Tx
	id     string
	run    assay.Run
	trials map[string]int // index in run.Results by trial id
	only   string         // the trial whose repeats are wanted; "" for all
	room   *room

	watched []watched
	decoded map[string]map[string]string // labels by their JSON
}

func newLoader(ctx context.Context, tx *sql.Tx, id string, r *room) loader {
	return loader{ctx: ctx, tx: tx, id: id, trials: map[string]int{}, room: r, decoded: map[string]map[string]string{}}
}

// load loads the whole run.
func (l *loader) load() error {
	for _, part := range []func() error{l.head, l.results, l.repeats, l.details, l.findings} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) head() error {
	if assay.CheckRunID(l.id) != nil {
		return noRun(l.id)
	}
	l.run.ID = l.id
	var started, status string
	var elapsed, budget int64
	var notes, labels, remarks sql.NullString
	var inventory []byte
	is := false
	err := each(l.ctx, l.tx, func(rows *sql.Rows) error {
		is = true
		return scan(rows, &l.run.Suite, &l.run.Version, &started, &elapsed, &status, &l.run.Seed, &budget, &notes, &inventory, &labels, &remarks)
	}, `
		SELECT suite, version, started, elapsed_ns, status, seed, budget_ns, notes, inventory, labels, remarks
		FROM run WHERE id = ?`, l.id)
	if err != nil {
		return err
	}
	if !is {
		return noRun(l.id)
	}
	l.run.Status = assay.RunStatus(status)
	l.run.Elapsed, l.run.Budget = time.Duration(elapsed), time.Duration(budget)
	if l.run.Started, err = parseTime(started); err != nil {
		return err
	}
	if notes.Valid {
		if err := l.room.json([]byte(notes.String), &l.run.Notes); err != nil {
			return fmt.Errorf("notes: %w", err)
		}
	}
	if l.run.Labels, err = readLabels(labels); err != nil {
		return err
	}
	if l.run.Remarks, err = readRemarks(remarks); err != nil {
		return err
	}
	if err := l.room.unpackJSON(inventory, &l.run.Inventory); err != nil {
		return fmt.Errorf("inventory: %w", err)
	}
	return nil
}

func (l *loader) results() error {
	return each(l.ctx, l.tx, func(rows *sql.Rows) error {
		var id, trial string
		var scratch sql.NullString
		if err := scan(rows, &id, &trial, &scratch); err != nil {
			return err
		}
		var result assay.Result
		if err := l.room.json([]byte(trial), &result.Trial); err != nil {
			return fmt.Errorf("trial %s: %w", id, err)
		}
		if scratch.Valid {
			if err := l.room.json([]byte(scratch.String), &result.Scratch); err != nil {
				return fmt.Errorf("scratch of trial %s: %w", id, err)
			}
		}
		l.trials[id] = len(l.run.Results)
		l.run.Results = append(l.run.Results, result)
		return nil
	}, `SELECT id, trial, scratch FROM trial WHERE run = ? ORDER BY position`, l.id)
}

func (l *loader) repeats() error {
	wanted, values := l.wanted("r.run", "r.trial")
	return each(l.ctx, l.tx, func(rows *sql.Rows) error {
		var trial, started, outcome string
		var elapsed int64
		var watch []byte
		var r assay.Repeat
		if err := scan(rows, &trial, &r.N, &started, &elapsed, &outcome, &r.Error, &r.Hint, &watch); err != nil {
			return err
		}
		r.Outcome, r.Elapsed = assay.Outcome(outcome), time.Duration(elapsed)
		var err error
		if r.Started, err = parseTime(started); err != nil {
			return err
		}
		i, ok := l.trials[trial]
		if !ok {
			return fmt.Errorf("repeat %d has no trial %s: %w", r.N, trial, ErrDamaged)
		}
		if watch != nil {
			l.watched = append(l.watched, watched{i, len(l.run.Results[i].Repeats), watch})
		}
		l.run.Results[i].Repeats = append(l.run.Results[i].Repeats, r)
		return nil
	}, `
		SELECT r.trial, r.n, r.started, r.elapsed_ns, r.outcome, r.error, r.hint, e.watch
		FROM repeat r LEFT JOIN evidence e ON e.run = r.run AND e.trial = r.trial AND e.repeat = r.n
		WHERE `+wanted+` ORDER BY r.trial, r.n`, values...)
}

// wanted returns a condition on the run and trial columns, and its values.
func (l *loader) wanted(run, trial string) (condition string, values []any) {
	if l.only == "" {
		return run + " = ?", []any{l.id}
	}
	return run + " = ? AND " + trial + " = ?", []any{l.id, l.only}
}

func (l *loader) measurements() error {
	wanted, values := l.wanted("m.run", "m.trial")
	var current *assay.Repeat // rows are sorted: usually the previous one
	var of string
	return each(l.ctx, l.tx, func(rows *sql.Rows) error {
		var trial, unit string
		var n int
		var labels sql.NullString
		var samples, histogram []byte
		var m assay.Measurement
		if err := scan(rows, &trial, &n, &m.Metric, &m.Value, &unit, &labels, &m.Line, &samples, &histogram); err != nil {
			return err
		}
		m.Unit = assay.Unit(unit)
		var err error
		wrong := func(err error) error {
			return fmt.Errorf("measurement %s of repeat %d of trial %s: %w", m.Metric, n, trial, err)
		}
		if labels.Valid {
			if m.Labels, err = l.labels(labels.String); err != nil {
				return wrong(err)
			}
		}
		if m.Samples, err = l.room.samples(samples); err != nil {
			return wrong(err)
		}
		if m.Histogram, err = l.room.histogram(histogram); err != nil {
			return wrong(err)
		}
		if current == nil || of != trial || current.N != n {
			if current, of = l.repeat(trial, n), trial; current == nil {
				return wrong(fmt.Errorf("its repeat is missing: %w", ErrDamaged))
			}
		}
		current.Measurements = append(current.Measurements, m)
		return nil
	}, `
		SELECT m.trial, m.repeat, m.metric, m.value, m.unit, m.labels, m.line, s.samples, s.histogram
		FROM measurement m LEFT JOIN series s
		  ON s.run = m.run AND s.trial = m.trial AND s.repeat = m.repeat AND s.position = m.position
		WHERE `+wanted+` ORDER BY m.trial, m.repeat, m.position`, values...)
}

// labels decodes a measurement's labels. All repeats of a trial share them, so each
// text is decoded once; callers may change what they get.
func (l *loader) labels(text string) (map[string]string, error) {
	known, ok := l.decoded[text]
	if !ok {
		if err := fromJSON([]byte(text), &known); err != nil {
			return nil, err
		}
		l.decoded[text] = known
	}
	return maps.Clone(known), nil
}

func (l *loader) repeat(trial string, n int) *assay.Repeat {
	i, ok := l.trials[trial]
	if !ok {
		return nil
	}
	for k := range l.run.Results[i].Repeats {
		if r := &l.run.Results[i].Repeats[k]; r.N == n {
			return r
		}
	}
	return nil
}

func (l *loader) findings() error {
	return each(l.ctx, l.tx, func(rows *sql.Rows) error {
		var body string
		var f assay.Finding
		if err := scan(rows, &body); err != nil {
			return err
		}
		if err := l.room.json([]byte(body), &f); err != nil {
			return fmt.Errorf("finding: %w", err)
		}
		l.run.Findings = append(l.run.Findings, f)
		return nil
	}, `SELECT finding FROM finding WHERE run = ? ORDER BY position`, l.id)
}

func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(stamp, s)
	if err != nil {
		return t, fmt.Errorf("time %q: %w", s, ErrDamaged)
	}
	return t, nil
}
