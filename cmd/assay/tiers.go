package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay"
	"assay/cluster"
	"assay/inventory"
	placeall "assay/place/all"
	"assay/store"
	"assay/tiers"
)

// openTiers prepares the tiers of storage that a file names.
func (s *session) openTiers(w *where) error {
	if w.cluster == "" {
		return usage(assay.WithHint("name the file with -i cluster.yaml", "the suite measures the tiers: of a cluster.yaml, and there is none"))
	}
	if w.record != "" || w.replay != "" {
		return usage(fmt.Errorf("-i %s: --record and --replay are for one machine", w.cluster))
	}
	c, err := readCluster(w.cluster)
	if err != nil {
		return err
	}
	chosen, err := c.ChooseTiers(w.only)
	if err != nil {
		return usage(err)
	}
	o := tiers.Options{
		Cluster: c, Tiers: chosen, Here: hostname(), Run: s.runID, Keep: w.keep, Deadline: w.lasts + podsEnd,
		Local:  func() assay.Place { return placeall.Local(hostname(), s.runID) },
		Remote: func(h cluster.Host) (assay.Place, error) { return placeOf(c, h, s.runID) },
	}
	if s.stage, err = tiers.Open(o); err != nil {
		return usage(err)
	}
	s.hosts = s.stage.Asked()
	s.networks, s.resources = networksOf(c), resourcesOf(c)
	return nil
}

// podsEnd is how long past the time budget pods end by themselves, where nobody is
// left to remove them.
const podsEnd = 30 * time.Minute

// raise makes what tiers need: the namespace, claims and pods.
func (a *app) raise(ctx context.Context, look *session) error {
	if look.stage == nil {
		return nil
	}
	path, err := a.database()
	if err != nil {
		return err
	}
	st, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	owner, err := store.Self(look.runID)
	if err != nil {
		return errors.Join(err, st.Close())
	}
	look.journal = st
	return look.stage.Raise(ctx, tiers.Journal{
		Keep:   func(ctx context.Context, r assay.Receipt) error { return st.Journal(ctx, r, owner) },
		Strike: st.Strike,
	}, func(text string) { fmt.Fprintln(a.stderr, text) })
}

// suppose gives the session the inventory that its tiers would have.
func (s *session) suppose(ctx context.Context) error {
	inv, err := s.stage.Suppose(ctx, s.toolNames())
	if err != nil {
		return err
	}
	var asked []inventory.Asked
	for _, h := range s.hosts {
		if _, is := inv.Facts[h.Place.Host().Name]; !is {
			asked = append(asked, h)
		}
	}
	whole := *s
	whole.hosts = asked
	if len(asked) > 0 {
		if err := whole.look(ctx); err != nil {
			return err
		}
	}
	s.down = whole.down
	s.inventory = tiers.Join(inv, whole.inventory)
	return nil
}

// lower takes away what was made for the tiers.
func (s *session) lower(ctx context.Context) error {
	err := s.stage.Lower(ctx)
	if s.journal != nil {
		err = errors.Join(err, s.journal.Close())
	}
	return err
}

// kept says whether what was made is to stay.
func (s *session) kept() bool { return s.keep }

// leave ends the session and says what could not be taken away.
func (a *app) leave(ctx context.Context, look *session) {
	if err := look.close(ctx); err != nil {
		fmt.Fprintf(a.stderr, "note: not everything that was made for the run could be removed: %v\n", err)
		fmt.Fprintln(a.stderr, "hint: run again when it can be reached: assay cleanup")
	}
}
