package archive

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay"
	"assay/store"
)

// Outcome is the result of importing one run of a file.
type Outcome struct {
	Run             string // its id in the file
	As              string // its id in the store if different: its own was taken by another run
	Trials, Repeats int
	Skipped         bool  // the same run was already there
	Err             error // why it was rejected: nothing of it is stored
}

// Import stores the runs of a file, each in one transaction, and returns the outcome
// of each. It reads the whole file before it stores the first: a damaged file
// (store.ErrDamaged) or a newer one (store.ErrNewer) leaves the store unchanged. A
// run that is already there is skipped. A run whose id belongs to a different run in
// the store gets another id, always the same. A run that cannot be stored is
// rejected, and the others are stored regardless. On an error, the outcomes so far
// are returned with it.
func Import(ctx context.Context, st *store.Store, file io.ReadSeeker) ([]Outcome, error) {
	inFile, err := look(ctx, file)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	r, err := NewReader(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var all []Outcome
	for _, d := range inFile {
		o := Outcome{Run: d.id, Trials: d.trials, Repeats: d.repeats}
		if err := merge(ctx, st, r, d, &o); err != nil {
			return all, err
		}
		all = append(all, o)
	}
	return all, nil
}

// look reads a file to its end and returns a digest for each run.
func look(ctx context.Context, file io.Reader) ([]*digest, error) {
	r, err := NewReader(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for all := []*digest(nil); ; {
		d := newDigest()
		switch err := r.Next(heeding{ctx, d}); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, d)
	}
}

// merge stores the next run of r, skips it, or records in o why it was
// rejected. It returns an error only if the following runs cannot be read.
func merge(ctx context.Context, st *store.Store, r *Reader, d *digest, o *Outcome) error {
	id, there, err := settle(ctx, st, d)
	if err != nil {
		return err
	}
	if id != d.id {
		o.As = id
	}
	if o.Skipped = there; there {
		return r.Next(heeding{ctx, newDigest()})
	}
	// If the store rejects a piece, the rest of the run is still read.
	var refused error
	err = st.Take(ctx, func(into store.Taker) error {
		again := newDigest()
		to := &guarded{to: renamed{into, id}}
		if err := r.Next(heeding{ctx, both{again, to}}); err != nil {
			return err
		}
		if again.String() != d.String() {
			return fmt.Errorf("run %s changed while it was read: %w", d.id, store.ErrDamaged)
		}
		refused = to.err
		return refused
	})
	if err != nil && refused != nil && errors.Is(err, refused) {
		o.Err = err
		return nil
	}
	return err
}

// settle returns the id under which a run is or will be stored, and whether it is
// there.
func settle(ctx context.Context, st *store.Store, d *digest) (id string, there bool, err error) {
	another := "imported-" + d.String()[:12]
	taken := false
	for _, id := range []string{another, d.id} {
		has, err := stored(ctx, st, id, d.id)
		switch {
		case err == nil && has == d.String():
			return id, true, nil
		case err == nil, errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrTooLarge):
			taken = true // even by an unreadable run
		case !errors.Is(err, assay.ErrNotFound):
			return "", false, err
		}
	}
	if !taken {
		taken, err = st.Shadows(ctx, d.id)
	}
	if taken {
		return another, false, err
	}
	return d.id, false, err
}

// renamed gives a run another id.
type renamed struct {
	store.Taker
	id string
}

func (r renamed) Head(run assay.Run) error {
	run.ID = r.id
	return r.Taker.Head(run)
}

// guarded keeps the first error of a Taker, and passes it nothing after that.
type guarded struct {
	to  store.Taker
	err error
}

func (g *guarded) Head(run assay.Run) error    { return g.try(func() error { return g.to.Head(run) }) }
func (g *guarded) Trial(r assay.Result) error  { return g.try(func() error { return g.to.Trial(r) }) }
func (g *guarded) Repeat(r assay.Repeat) error { return g.try(func() error { return g.to.Repeat(r) }) }

func (g *guarded) try(give func() error) error {
	if g.err == nil {
		g.err = give()
	}
	return nil
}

// heeding is a Taker that fails once its context is cancelled.
type heeding struct {
	ctx context.Context
	to  store.Taker
}

func (h heeding) Head(run assay.Run) error    { return errors.Join(h.ctx.Err(), h.to.Head(run)) }
func (h heeding) Trial(r assay.Result) error  { return errors.Join(h.ctx.Err(), h.to.Trial(r)) }
func (h heeding) Repeat(r assay.Repeat) error { return errors.Join(h.ctx.Err(), h.to.Repeat(r)) }
