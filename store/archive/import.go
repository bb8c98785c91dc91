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
	Run             string // its id
	Trials, Repeats int
	Skipped         bool // the same run was there already
	// Err is why it was refused: the store has another run of that id
	// (store.ErrExists), or it cannot be stored. Nothing of it is.
	Err error
}

// Import stores the runs of a file, each in one transaction, and says of each
// what became of it. The whole file is looked through before the first is stored:
// one that is damaged (store.ErrDamaged) or newer (store.ErrNewer) leaves the
// store as it was. A run that is there already, the same, is skipped; where
// another has its id it is refused, and the others are stored all the same. The
// outcomes up to an error come with it.
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
	has, err := stored(ctx, st, d.id)
	switch {
	case err == nil:
		if o.Skipped = has == d.String(); !o.Skipped {
			o.Err = assay.WithHint(fmt.Sprintf("show the stored one with: assay show %s; to import the file's, delete the stored one first", d.id),
				"run %s is %w, with different content", d.id, store.ErrExists)
		}
		return r.Next(heeding{ctx, newDigest()})
	case !errors.Is(err, assay.ErrNotFound):
		return err
	}
	// Where the store refuses a piece, the rest of the run is still read.
	var refused error
	err = st.Take(ctx, func(into store.Taker) error {
		again := newDigest()
		to := &guarded{to: into}
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
