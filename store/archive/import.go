package archive

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay"
	"assay/store"
)

// Outcome says what became of one run of a file.
type Outcome struct {
	Run             string // its id in the file
	As              string // its id in the store where that is another: its own meant something else
	Trials, Repeats int
	Skipped         bool  // the same run was there already
	Err             error // why it was refused: nothing of it is stored
}

// Import stores the runs of a file, each in one transaction, and says of each
// what became of it. The whole file is looked through before the first is stored:
// one that is damaged (store.ErrDamaged) or newer (store.ErrNewer) leaves the
// store as it was. A run that is there already, the same, is skipped. One whose id
// means something else in the store gets an id of its own, always the same. One that
// cannot be stored is refused, and the others are stored all the same. The outcomes
// up to an error come with it.
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

// look reads a file to its end, and gives a digest for each run.
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

// merge stores the next run of r, or skips it, or says in o why it was refused.
// Only what keeps the runs after it from being read is an error.
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
	// Where the store refuses a piece, the rest of the run is still read.
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

// settle returns the id under which a run is stored, or is to be, and whether it is
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
			taken = true // by whatever cannot be read as well
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

// guarded remembers the first error of a Taker, and from then on gives it
// nothing.
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

// heeding ends what it takes when its context is cancelled.
type heeding struct {
	ctx context.Context
	to  store.Taker
}

func (h heeding) Head(run assay.Run) error    { return errors.Join(h.ctx.Err(), h.to.Head(run)) }
func (h heeding) Trial(r assay.Result) error  { return errors.Join(h.ctx.Err(), h.to.Trial(r)) }
func (h heeding) Repeat(r assay.Repeat) error { return errors.Join(h.ctx.Err(), h.to.Repeat(r)) }
