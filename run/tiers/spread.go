package tiers

import (
	"slices"

	"assay"
	"assay/inventory/cluster"
	"assay/volume"
)

// spread returns the hosts that have a part of a tier; none if the tier is only where it is
// measured.
func spread(t cluster.Tier) []string {
	if s, is := t.Storage.(volume.Spread); is {
		return s.Hosts()
	}
	return nil
}

// others returns the hosts that have a part of a tier, or run a guest that measures one, but
// measure none themselves. Hypervisors are watched: their memory and drives do the guest's
// work.
func (d *Deployment) others() []string {
	var all []string
	for _, one := range d.clients {
		parts := slices.Clone(spread(one.tier))
		if on := d.options.guest(one.host.Name).On; on != "" {
			parts = append(parts, on)
		}
		for _, name := range parts {
			if !slices.Contains(all, name) && !slices.ContainsFunc(d.clients, func(c *client) bool { return c.host.Name == name }) {
				all = append(all, name)
			}
		}
	}
	return all
}

// spreadOver returns the hosts of each such tier.
func (d *Deployment) spreadOver() []assay.Resource {
	var all []assay.Resource
	for _, one := range d.clients {
		name := "the hosts of tier " + one.tier.Name
		if hosts := spread(one.tier); len(hosts) > 0 && !slices.ContainsFunc(all, func(r assay.Resource) bool { return r.Name == name }) {
			all = append(all, assay.Resource{Name: name, Hosts: hosts})
		}
	}
	return all
}
