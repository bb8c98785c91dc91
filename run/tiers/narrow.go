package tiers

import (
	"slices"

	"assay/inventory/cluster"
)

// Narrow leaves of a stage that is not raised yet the clients on the hosts and nodes
// of these tiers. Their names stay those that they have beside the others, so that
// what a run leaves on one is found again by whoever opens them all.
func (s *Stage) Narrow(to []cluster.Tier) {
	s.stations = slices.DeleteFunc(s.stations, func(one *station) bool {
		return !slices.ContainsFunc(to, one.isOf)
	})
	for name := range s.places {
		if !slices.ContainsFunc(s.stations, func(one *station) bool { return one.host.Name == name }) {
			delete(s.places, name) // nothing was run there yet
		}
	}
}

// isOf says whether a station is a client that the tier has.
func (s *station) isOf(t cluster.Tier) bool {
	switch {
	case t.Name != s.tier.Name:
		return false
	case s.node != "":
		return slices.Contains(t.Nodes, s.node)
	case len(s.tier.Hosts) > 0:
		return slices.Contains(t.Hosts, s.host.Name)
	}
	return true // the one that the scheduler finds a node for, or this machine
}
