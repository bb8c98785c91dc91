package tiers

import (
	"slices"

	"assay/inventory/cluster"
)

// Restrict limits a deployment that is not deployed yet to the clients on the hosts and nodes
// of these tiers. They keep the names that they have among all clients, so that whoever opens
// all of them finds what a run left on one.
func (d *Deployment) Restrict(to []cluster.Tier) {
	d.clients = slices.DeleteFunc(d.clients, func(one *client) bool {
		if slices.ContainsFunc(to, one.isOf) {
			return false
		}
		d.partial[one.tier.Name] = true
		return true
	})
	others := d.others()
	for name := range d.places {
		if !slices.Contains(others, name) && !slices.ContainsFunc(d.clients, func(one *client) bool { return one.host.Name == name }) {
			delete(d.places, name) // nothing was run there yet
		}
	}
}

// isOf reports whether a client belongs to the tier.
func (c *client) isOf(t cluster.Tier) bool {
	switch {
	case t.Name != c.tier.Name:
		return false
	case c.node != "":
		return slices.Contains(t.Nodes, c.node)
	case len(c.tier.Hosts) > 0:
		return slices.Contains(t.Hosts, c.host.Name)
	}
	return true // wherever the scheduler puts it, or this machine
}
