package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/cluster"
	"assay/inventory"
	placeall "assay/place/all"
	"assay/run"
	"assay/store"
	"assay/tiers"
	volumeall "assay/volume/all"
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
	return look.stage.Raise(ctx, a.journal(st, owner), func(text string) { fmt.Fprintln(a.stderr, text) })
}

// journal keeps the receipts of what an owner makes for tiers.
func (*app) journal(st *store.Store, owner store.Owner) tiers.Journal {
	return tiers.Journal{
		Keep:   func(ctx context.Context, r assay.Receipt) error { return st.Journal(ctx, r, owner) },
		Strike: st.Strike,
	}
}

// stand makes what the run needs and takes the facts of its hosts.
func (a *app) stand(ctx context.Context, look *session) error {
	if err := a.raise(ctx, look); err != nil {
		return err
	}
	return look.look(ctx)
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

// lower takes away what was made for the tiers. What was lent in pods that are gone
// with it needs no journal any more.
func (s *session) lower(ctx context.Context) error {
	err := s.stage.Lower(ctx)
	if s.journal == nil {
		return err
	}
	if err == nil && !s.keep {
		err = run.Settle(context.WithoutCancel(ctx), s.journal, s.runID, s.stage.Removed(), volumeall.Volumes())
	}
	return errors.Join(err, s.journal.Close())
}

// kept says whether what was made is to stay.
func (s *session) kept() bool { return s.keep }

// leave ends the session, and says what could not be taken away, or was to stay.
// A run of which something is left is partial.
func (a *app) leave(ctx context.Context, look *session, measured *assay.Run) {
	err := look.close(ctx)
	if err != nil {
		fmt.Fprintf(a.stderr, "note: not everything that was made for the run could be removed: %v\n", err)
		measured.Notes = append(measured.Notes, assay.Note{ID: noteLeft, Text: err.Error()})
	}
	if err != nil || look.keep || look.stage != nil {
		a.tellLeft(context.WithoutCancel(ctx), look)
	}
}

// noteLeft is the id of a run's note about what could not be removed.
const noteLeft = "left"

// tellLeft says what the journal still holds of the run, and how it is removed.
func (a *app) tellLeft(ctx context.Context, look *session) {
	var left []string
	st, err := a.openStore(ctx)
	if err == nil {
		defer st.Close()
		var entries []store.Entry
		entries, err = st.Outstanding(ctx)
		for _, e := range entries {
			if e.Owner.Run == look.runID {
				left = append(left, whatOf(e.Receipt)+" ("+e.Receipt.Host+")")
			}
		}
	}
	why := "left behind"
	if look.keep {
		why = "--keep left"
	}
	switch {
	case err != nil:
		fmt.Fprintf(a.stderr, "note: the journal cannot be read, which says what is left: %v\n", err)
	case len(left) == 0:
		return
	default:
		fmt.Fprintf(a.stderr, "note: %s %s\n", why, strings.Join(left, ", "))
	}
	fmt.Fprintln(a.stderr, "hint: remove it with: assay cleanup"+look.inventoryFlag())
}

// inventoryFlag is what assay cleanup needs to reach the hosts.
func (s *session) inventoryFlag() string {
	if s.cluster == "" {
		return ""
	}
	return " -i " + s.cluster
}

// diagnoseTiers says on stderr whether the tiers of a cluster.yaml could be put in
// place; why they cannot is the error. alone says that the file names no hosts.
func (a *app) diagnoseTiers(ctx context.Context, at where) (alone bool, err error) {
	if at.cluster == "" {
		return false, nil
	}
	c, err := readCluster(at.cluster)
	if err != nil || len(c.Tiers) == 0 {
		return false, nil // what is wrong with the file is said where its hosts are read
	}
	alone = len(c.Hosts) == 0
	at.tiers = true
	look, err := at.reach()
	if err != nil {
		return alone, err
	}
	defer look.close(ctx)
	if err := look.stage.Check(ctx); err != nil {
		return alone, err
	}
	var names []string
	for _, t := range c.Tiers {
		names = append(names, t.Name)
	}
	fmt.Fprintf(a.stderr, "tiers %s: rights, nodes and storage classes are there\n", list(names))
	return alone, nil
}
