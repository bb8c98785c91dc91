package archive

import (
	"context"
	"io"

	"assay"
	"assay/store"
	"assay/store/anonymise"
)

// Export writes the runs with these full ids to w, in that order. If names is
// set, it replaces identifying data, learnt beforehand from all of the runs.
func Export(ctx context.Context, st *store.Store, ids []string, w io.Writer, names *anonymise.Names) error {
	if names != nil {
		for _, id := range ids {
			if err := st.Give(ctx, id, learner{names}); err != nil {
				return err
			}
		}
	}
	out, err := NewWriter(w)
	if err != nil {
		return err
	}
	var to store.Taker = out
	if names != nil {
		to = cleaner{names, out}
	}
	for _, id := range ids {
		if err := st.Give(ctx, id, to); err != nil {
			return err
		}
	}
	return out.Close()
}

// learner is a Taker that feeds names.
type learner struct{ names *anonymise.Names }

func (l learner) Head(run assay.Run) error    { l.names.Learn(run); return nil }
func (l learner) Trial(r assay.Result) error  { l.names.Learn(r); return nil }
func (l learner) Repeat(r assay.Repeat) error { l.names.Learn(r); return nil }

// cleaner passes on what it takes, anonymised.
type cleaner struct {
	names *anonymise.Names
	to    store.Taker
}

func (c cleaner) Head(run assay.Run) error    { return c.to.Head(anonymise.Clean(c.names, run)) }
func (c cleaner) Trial(r assay.Result) error  { return c.to.Trial(anonymise.Clean(c.names, r)) }
func (c cleaner) Repeat(r assay.Repeat) error { return c.to.Repeat(anonymise.Clean(c.names, r)) }
