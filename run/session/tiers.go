package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
	placeall "assay/place/all"
	"assay/run"
	"assay/run/clones"
	"assay/run/tiers"
	"assay/store"
	"assay/volume"
	volumeall "assay/volume/all"
)

// podsEnd is how long after the time budget pods end by themselves, if nobody is
// left to remove them.
const podsEnd = 30 * time.Minute

// NoAddress is the address, in a plan, of a pod that does not exist yet.
const NoAddress = tiers.NoAddress

// chooseTiers makes a storage suite measure the tiers of a cluster.yaml, if it has any.
func (s *Session) chooseTiers() error {
	if o := s.options; !o.Suite.Storage || o.Suite.Tiers || o.Cluster == "" {
		return nil
	}
	c, err := ReadCluster(s.options.Cluster)
	if err != nil {
		return invalid(err)
	}
	s.options.Suite.Tiers = len(c.Tiers) > 0
	return nil
}

// reachTiers prepares the storage tiers named in a file.
func (s *Session) reachTiers() error {
	o := s.options
	if o.Cluster == "" {
		return invalid(assay.WithHint("give one with -i cluster.yaml", "suite %s needs a cluster.yaml with tiers", o.Suite.Name))
	}
	if err := o.checkCluster(); err != nil {
		return err
	}
	c, err := ReadCluster(o.Cluster)
	if err != nil {
		return err
	}
	c, ids := clones.Named(c)
	chosen, err := s.chosenTiers(c)
	if err != nil {
		return invalid(err)
	}
	var whole []cluster.Tier // a client's name depends on whether its tier has others
	for _, t := range chosen {
		whole = append(whole, *c.Tier(t.Name))
	}
	if o.DespiteHealth {
		if err := insist(whole); err != nil {
			return invalid(err)
		}
	}
	s.deployment, err = tiers.Open(tiers.Options{
		Cluster: c, Tiers: whole, Here: thisHost(), Run: s.id, Keep: o.Keep, Deadline: s.budget() + podsEnd,
		Local:  func() assay.Place { return placeall.Local(thisHost(), s.id) },
		Remote: func(h cluster.Host) (assay.Place, error) { return placeOf(c, h, s.id) },
	})
	if err != nil {
		return invalid(err)
	}
	s.deployment.Restrict(chosen)
	s.hosts = s.deployment.Asked()
	for i, h := range s.hosts {
		if host := c.Host(h.Place.Host().Name); host != nil {
			s.hosts[i].Beneath = beneathOf(c, *host, s.id)
		}
	}
	s.resources = resourcesOf(c)
	if s.networks, err = s.options.chosenNetworks(c); err != nil {
		return err
	}
	return s.openClones(c, ids)
}

// insist makes unhealthy tiers that refuse to be measured measurable.
func insist(chosen []cluster.Tier) error {
	asked := false
	for _, t := range chosen {
		if i, ok := t.Storage.(volume.Insister); ok {
			i.Insist()
			asked = true
		}
	}
	if !asked {
		return assay.WithHint("leave it out", "--despite-health: no tier here looks at its health before it is measured")
	}
	return nil
}

// chosenTiers returns the tiers to measure: those of the run that is resumed or
// repeated, or those that the target chooses.
func (s *Session) chosenTiers(c cluster.Cluster) ([]cluster.Tier, error) {
	switch {
	case s.before != nil:
		return c.TiersOf(s.before.run.Inventory.Tiers)
	case s.like != nil:
		return c.TiersOf(s.like.run.Inventory.Tiers)
	}
	return c.ChooseTiers(s.options.Only)
}

// budget returns how long the run may take.
func (s *Session) budget() time.Duration {
	switch {
	case s.before != nil:
		return s.before.plan.Budget
	case s.like != nil:
		return s.like.plan.Budget
	case s.options.Plan.Budget > 0:
		return s.options.Plan.Budget
	}
	return s.options.Suite.Budget
}

// deploy makes what is measured and missing: guests, and what tiers need (namespace, claims
// and pods).
func (s *Session) deploy(ctx context.Context) error {
	if err := s.makeClones(ctx); err != nil || s.deployment == nil {
		return err
	}
	if len(s.deployment.Pods()) > 0 {
		s.tried = s.makeRoom(ctx)
	}
	return s.deployment.Deploy(ctx, journalOf(s.store, s.owner), s.step)
}

// journalOf returns the journal for what an owner makes for tiers.
func journalOf(st *store.Store, owner store.Owner) tiers.Journal {
	return tiers.Journal{
		Keep:   func(ctx context.Context, r assay.Receipt) error { return st.Journal(ctx, r, owner) },
		Strike: st.Strike,
	}
}

// predict sets the inventory that the session's tiers would have. Unreachable
// hosts are an error if there is nothing else.
func (s *Session) predict(ctx context.Context) error {
	inv, err := s.deployment.Predict(ctx, s.toolNames())
	if err != nil {
		return err
	}
	var asked []inventory.Asked
	for _, h := range s.hosts {
		if _, is := inv.Facts[h.Place.Host().Name]; !is {
			asked = append(asked, h)
		}
	}
	all := s.hosts
	s.hosts = asked
	switch {
	case len(asked) == 0:
		s.inventory.File, err = s.file()
	case len(inv.Hosts) == 0:
		err = s.look(ctx)
	default:
		err = s.survey(ctx)
	}
	s.hosts = all
	if err != nil {
		return err
	}
	networks := slices.Concat(inv.Networks, s.inventory.Networks)
	s.inventory = tiers.Merge(inv, s.inventory)
	s.inventory.Networks = networks
	return nil
}

// teardown removes what was made for the tiers. What was lent in the removed pods
// needs no journal any more.
func (s *Session) teardown(ctx context.Context) error {
	err := s.deployment.Teardown(ctx)
	if err != nil || s.store == nil || s.options.Keep {
		return err
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearing)
	defer cancel()
	return errors.Join(err, run.Settle(bounded, s.store, s.id, s.deployment.Removed(), volumeall.Journalled()))
}

// tierNotes returns the notes on the tiers, besides their figures.
func (s *Session) tierNotes() []assay.Note {
	var notes []assay.Note
	if s.deployment == nil {
		return notes
	}
	for _, n := range s.deployment.Notes {
		if !slices.Contains(notes, n) {
			notes = append(notes, n) // several pods may report the same
		}
	}
	return notes
}
