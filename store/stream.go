package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"assay"
)

// Taker receives a run piece by piece, so that it never has to fit in memory: its
// head once, then each trial, followed by its repeats. The first error ends the
// transfer.
type Taker interface {
	// Head receives the run without its Results.
	Head(run assay.Run) error
	// Trial receives a trial without its Repeats.
	Trial(r assay.Result) error
	// Repeat receives a repeat of the last trial, with its transcript.
	Repeat(r assay.Repeat) error
}

// Pass passes a whole run to a Taker.
func Pass(run assay.Run, to Taker) error {
	results := run.Results
	run.Results = nil
	if err := to.Head(run); err != nil {
		return err
	}
	for _, r := range results {
		repeats := r.Repeats
		r.Repeats = nil
		if err := to.Trial(r); err != nil {
			return err
		}
		for _, rep := range repeats {
			if err := to.Repeat(rep); err != nil {
				return err
			}
		}
	}
	return nil
}

// Give passes a run to take, as one consistent state of the database: trials in
// the plan's order, repeats by number. At most the repeats of one trial and one
// transcript are in memory at a time. id is a full id: see Resolve.
func (s *Store) Give(ctx context.Context, id string, take Taker) error {
	err := s.read(ctx, "read run "+id, func(tx *sql.Tx) error {
		l := newLoader(ctx, tx, id, newRoom())
		for _, part := range []func() error{l.head, l.findings, l.results} {
			if err := part(); err != nil {
				return err
			}
		}
		kept := l.room.left
		results := l.run.Results
		l.run.Results = nil
		if err := take.Head(l.run); err != nil {
			return err
		}
		for i, r := range results {
			if err := take.Trial(r); err != nil {
				return err
			}
			l.room.left = kept // the previous trial's repeats are gone
			if err := l.give(results[i:i+1], take); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, ErrTooLarge) {
		err = unreadable(id, err)
	}
	return err
}

// give passes on the repeats of the only trial in one, and forgets them.
func (l *loader) give(one []assay.Result, take Taker) error {
	l.only = one[0].Trial.ID
	l.run.Results, l.trials = slices.Clone(one), map[string]int{l.only: 0}
	if err := l.repeats(); err != nil {
		return err
	}
	if err := l.details(); err != nil {
		return err
	}
	for _, rep := range l.run.Results[0].Repeats {
		var err error
		if rep.Transcript, err = loadTranscript(l.ctx, l.tx, l.room, l.id, l.only, rep.N); err != nil {
			return fmt.Errorf("repeat %d of trial %s: %w", rep.N, l.only, err)
		}
		if err := take.Repeat(rep); err != nil {
			return err
		}
	}
	return nil
}

// Take stores the run that give delivers piece by piece, marked as imported and in one
// transaction; if give fails, nothing is stored. It returns ErrExists if there is a run
// with that id, and refuses one dated in the future. Other writers wait meanwhile.
func (s *Store) Take(ctx context.Context, give func(Taker) error) error {
	return s.write(ctx, "store a run", func(tx *sql.Tx) error {
		return give(&taker{s: s, ctx: ctx, tx: tx})
	})
}

// taker stores what it is given.
type taker struct {
	s          *Store
	ctx        context.Context
	tx         *sql.Tx
	run, trial string
}

func (t *taker) Head(run assay.Run) error {
	if run.Status == assay.RunRunning {
		run.Status = assay.RunInterrupted // it was killed elsewhere, and no process here executes it
	}
	head, err := t.s.packHead(run)
	if err != nil {
		return fmt.Errorf("run %s: %w", run.ID, err)
	}
	if ahead(run.Started, time.Now()) {
		return assay.WithHint("check the clock of the machine that measured it",
			"run %s is dated %s, which is in the future", run.ID, run.Started.UTC().Format(time.DateTime))
	}
	head.imported = 1
	t.run = run.ID
	if err := head.insert(t.ctx, t.tx); err != nil {
		return err
	}
	return setFindings(t.ctx, t.tx, run.ID, run.Findings)
}

func (t *taker) Trial(r assay.Result) error {
	t.trial = r.Trial.ID
	if err := addTrials(t.ctx, t.tx, t.run, []assay.Trial{r.Trial}); err != nil {
		return err
	}
	if reflect.ValueOf(r.Scratch).IsZero() {
		return nil
	}
	body, err := toJSON(r.Scratch)
	if err != nil {
		return fmt.Errorf("scratch of trial %s: %w", t.trial, err)
	}
	_, err = t.tx.ExecContext(t.ctx, `UPDATE trial SET scratch = ? WHERE run = ? AND id = ?`, string(body), t.run, t.trial)
	return err
}

func (t *taker) Repeat(r assay.Repeat) error {
	packed, err := packRepeat(r)
	if err == nil {
		err = packed.insert(t.ctx, t.tx, t.run, t.trial)
	}
	switch {
	case isDuplicate(err):
		return fmt.Errorf("repeat %d of trial %s is %w", r.N, t.trial, ErrExists)
	case isOrphan(err):
		return noTrial(t.run, t.trial)
	case err != nil:
		return fmt.Errorf("repeat %d of trial %s: %w", r.N, t.trial, err)
	}
	return nil
}
