package session

import (
	"context"
	"errors"
	"maps"
	"slices"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
	placeall "assay/place/all"
	"assay/run"
	"assay/run/clones"
	volumeall "assay/volume/all"
)

// noteClones is the id of the notes on the guests that a run makes.
const noteClones = "clones"

// openClones prepares the guests to be made for the run, among its hosts.
func (s *Session) openClones(c cluster.Cluster, ids map[string]string) (err error) {
	guests := map[string]assay.Place{}
	for _, h := range s.hosts {
		name := h.Place.Host().Name
		if known := c.Host(name); known != nil && known.Made() {
			guests[name] = h.Place
		}
	}
	if len(guests) == 0 {
		return nil
	}
	s.clones, err = clones.Open(clones.Options{
		Cluster: c, Guests: guests, IDs: ids, Keep: s.options.Keep,
		Remote: func(h cluster.Host) (assay.Place, error) { return placeOf(c, h, s.id) },
	})
	return err
}

// makeClones makes the guests, after removing what killed runs left on their hypervisors:
// that takes up room and memory.
func (s *Session) makeClones(ctx context.Context) error {
	if s.clones == nil {
		return nil
	}
	if len(s.leftByOthers(ctx)) > 0 {
		places := s.clones.Hypervisors()
		if here := thisHost(); places[here] == nil {
			places[here] = placeall.Local(here, "")
		}
		s.clear(ctx, places)
	}
	return s.clones.Deploy(ctx, journalOf(s.store, s.owner), s.step)
}

// destroyClones destroys the guests. What was lent in them needs no journal any
// more.
func (s *Session) destroyClones(ctx context.Context) error {
	if s.clones == nil {
		return nil
	}
	err := s.clones.Teardown(ctx)
	if err != nil || s.store == nil || s.options.Keep {
		return err
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearing)
	defer cancel()
	return run.Settle(bounded, s.store, s.id, s.clones.Removed(), volumeall.Journalled())
}

// there returns the hosts that exist already.
func (s *Session) there() []inventory.Asked {
	all := slices.DeleteFunc(slices.Clone(s.hosts), func(h inventory.Asked) bool { return s.clones.Unmade(h.Place.Host().Name) })
	for i := range all {
		if all[i].Place.Host().OS == assay.Windows {
			all[i].Tools = s.toolsOf(assay.WindowsAlone)
		}
	}
	return all
}

// foresee asks the hypervisors whether the missing guests can be made, and adds these to an
// inventory.
func (s *Session) foresee(ctx context.Context, inv *assay.Inventory) error {
	if len(s.there()) == len(s.hosts) {
		return nil
	}
	templates, err := s.clones.Check(ctx)
	if err != nil {
		return err
	}
	dirs := map[string][]string{}
	for _, h := range s.hosts {
		dirs[h.Place.Host().Name] = h.Dirs
	}
	s.clones.Predict(inv, templates, dirs, s.toolNames())
	s.foreseen = nil
	for _, text := range s.clones.Says(templates) {
		s.foreseen = append(s.foreseen, assay.Note{ID: noteClones, Text: text})
	}
	return nil
}

// known returns the inventory without the predicted facts of guests yet to be made.
func (s *Session) known() assay.Inventory {
	inv := s.inventory
	inv.Facts = maps.Clone(inv.Facts)
	maps.DeleteFunc(inv.Facts, func(host string, _ assay.Facts) bool { return s.clones.Unmade(host) })
	return inv
}

// closeHosts closes the hosts' places.
func (s *Session) closeHosts() error {
	var errs []error
	for _, h := range s.hosts {
		errs = append(errs, h.Place.Close())
	}
	return errors.Join(errs...)
}
