package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
	placeall "assay/place/all"
	"assay/run"
	"assay/run/tiers"
	"assay/store"
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
	if !slices.Equal(w.dirs, []string{"."}) {
		return usage(assay.WithHint("write a tier with a directory in "+w.cluster, "--dir and the tiers of -i %s exclude each other", w.cluster))
	}
	c, err := readCluster(w.cluster)
	if err != nil {
		return err
	}
	chosen, err := w.chosenTiers(c)
	if err != nil {
		return usage(err)
	}
	var whole []cluster.Tier // for a client's name says whether its tier has others
	for _, t := range chosen {
		whole = append(whole, *c.Tier(t.Name))
	}
	o := tiers.Options{
		Cluster: c, Tiers: whole, Here: hostname(), Run: s.runID, Keep: w.keep, Deadline: w.lasts + podsEnd,
		Local:  func() assay.Place { return placeall.Local(hostname(), s.runID) },
		Remote: func(h cluster.Host) (assay.Place, error) { return placeOf(c, h, s.runID) },
	}
	if s.stage, err = tiers.Open(o); err != nil {
		return usage(err)
	}
	s.stage.Narrow(chosen)
	s.hosts = s.stage.Asked()
	s.networks, s.resources = networksOf(c), resourcesOf(c)
	return nil
}

// chosenTiers are the tiers that are meant: those of the run that is gone on with,
// or those of --host.
func (w *where) chosenTiers(c cluster.Cluster) ([]cluster.Tier, error) {
	if w.resumed != "" {
		return c.TiersOf(w.measured)
	}
	return c.ChooseTiers(w.only)
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
	if len(look.stage.Pods()) > 0 {
		look.tried = a.makeRoom(ctx, st)
	}
	return look.stage.Raise(ctx, a.journal(st, owner), a.say)
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

// suppose gives the session the inventory that its tiers would have. Hosts that
// cannot be asked are an error where there is nothing else.
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
	switch {
	case len(asked) == 0:
		whole.inventory.File, err = s.file()
	case len(inv.Hosts) == 0:
		err = whole.look(ctx)
	default:
		err = whole.survey(ctx)
	}
	if err != nil {
		return err
	}
	s.down = whole.down
	s.inventory = tiers.Join(inv, whole.inventory)
	s.inventory.Networks = slices.Concat(inv.Networks, whole.inventory.Networks)
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
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearing)
		defer cancel()
		err = run.Settle(bounded, s.journal, s.runID, s.stage.Removed(), volumeall.Volumes())
	}
	return errors.Join(err, s.journal.Close())
}

// kept says whether what was made is to stay.
func (s *session) kept() bool { return s.keep }

// tierNotes are what is known of the tiers beside their figures.
func (s *session) tierNotes() []assay.Note {
	var notes []assay.Note
	if s.stage == nil {
		return notes
	}
	for _, n := range s.stage.Notes {
		if !slices.Contains(notes, n) {
			notes = append(notes, n) // several pods may say the same
		}
	}
	return notes
}

// leave ends the session, and says what could not be taken away, or was to stay.
// A run of which something is left is partial.
func (a *app) leave(ctx context.Context, look *session, measured *assay.Run) {
	err := look.close(ctx)
	if err != nil {
		fmt.Fprintf(a.stderr, "note: not everything that was made for the run could be removed: %v\n", err)
		a.storeLeft(context.WithoutCancel(ctx), measured, err)
	}
	if err != nil || look.keep || look.stage != nil {
		a.tellLeft(context.WithoutCancel(ctx), look)
	}
}

// storeLeft says in the run, where it began, that something of it is left.
func (a *app) storeLeft(ctx context.Context, measured *assay.Run, left error) {
	if measured.ID == "" {
		return
	}
	measured.Notes = append(measured.Notes, assay.Note{ID: noteLeft, Text: left.Error()})
	if measured.Status == assay.RunDone {
		measured.Status = assay.RunPartial
	}
	st, err := a.openStore(ctx)
	if err == nil {
		defer st.Close()
		err = st.Finish(ctx, measured.ID, measured.Status, measured.Elapsed, measured.Notes)
	}
	if err != nil {
		fmt.Fprintf(a.stderr, "note: the end of the run could not be stored: %v\n", err)
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
