package session

import (
	"context"
	"fmt"
	"strings"

	"assay"
	"assay/inventory/changes"
	"assay/plan"
)

// pinned is an earlier run, and its plan for a new one.
type pinned struct {
	run  assay.Run
	plan plan.Plan
}

// Like prepares a new run that measures like an earlier one: the same trials on the same
// hosts, with the same lengths and sizes and at least as many repeats. It contacts no
// host. Of o it uses Cluster (where its cluster.yaml is now, if it moved), Overwrite,
// DespiteHealth, Plan.Budget, Plan.Seed, Keep, Install, Confirm, Labels, Version and Tell.
//
// Run fails if a host, a directory or a device is gone or has a different size. It notes
// other changes.
func Like(was assay.Run, o Options) (*Session, error) {
	o, err := o.of(was)
	if err != nil {
		return nil, err
	}
	o.Plan.Seed = seed(o.Plan)
	s := newSession(o)
	again := &pinned{run: was}
	if again.plan, err = plan.Like(was, o.Suite, s.probes, o.Plan); err != nil {
		return nil, invalid(err)
	}
	s.like = again
	if err := s.reach(); err != nil {
		return nil, err
	}
	return s, nil
}

// ready returns the plan for the present hosts. It fails if something that was
// measured is missing.
func (l *pinned) ready(s *Session) (plan.Plan, error) {
	now := s.known()
	p, err := l.plan.Present(l.run.Inventory, now, s.probes)
	if err != nil {
		return p, invalid(assay.WithHint("measure what there is now with a plan of its own: assay run --suite "+l.run.Suite,
			"cannot measure like run %s: %w", l.run.ID, err))
	}
	for i, t := range p.Trials {
		p.Trials[i] = s.readdress(t)
	}
	p.Notes = append(p.Notes, assay.Note{ID: "like", Text: "measured like run " + l.run.ID + ": same tests, lengths and sizes"})
	if changed := changes.Between(l.run.Inventory, now); len(changed) > 0 {
		p.Notes = append(p.Notes, assay.Note{ID: "like", Text: "changed since run " + l.run.ID + ": " + strings.Join(changed, "; ")})
	}
	return p, nil
}

// otherwise notes figures whose scratch space differs in size from the earlier run.
func (l *pinned) otherwise(measured assay.Run) (notes []assay.Note) {
	was := map[string]int64{}
	for _, r := range l.run.Results {
		was[r.Trial.ID] = r.Scratch.Bytes
	}
	for _, r := range measured.Results {
		if before := was[r.Trial.ID]; before > 0 && r.Scratch.Bytes > 0 && before != r.Scratch.Bytes {
			notes = append(notes, assay.Note{ID: "like", Text: fmt.Sprintf("%s: measured on %d MiB instead of the %d MiB of run %s: not enough space or time",
				r.Trial.Title, r.Scratch.Bytes>>20, before>>20, l.run.ID)})
		}
	}
	return notes
}

// compareSizes notes in a run how it differs from the run it was modelled on.
func (s *Session) compareSizes(ctx context.Context, measured *assay.Run) {
	if s.like == nil {
		return
	}
	if notes := s.like.otherwise(*measured); len(notes) > 0 {
		measured.Notes = append(measured.Notes, notes...)
		s.finish(ctx, *measured)
	}
}
