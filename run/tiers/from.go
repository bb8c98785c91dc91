package tiers

import (
	"assay"
	"assay/inventory/cluster"
	placeall "assay/place/all"
)

// from is a kind of place that tiers are measured from. Besides its own folder
// under place/, a new one needs only an entry in froms.
type from struct {
	// takes reports whether a tier is measured from there: the first that takes it
	// wins.
	takes func(cluster.Tier) bool
	// clients returns the clients of such a tier, in the order of the file, without
	// their subjects.
	clients func(Options, cluster.Tier) []client
	// open returns the place of a client without contacting it.
	open func(*Deployment, *client) (assay.Place, error)
}

var froms = []from{
	{cluster.Tier.InPods, podsOf, (*Deployment).pod},
	{func(t cluster.Tier) bool { return len(t.Hosts) > 0 }, hostsOf, (*Deployment).remote},
	{func(cluster.Tier) bool { return true }, thisMachine, (*Deployment).local},
}

// fromOf returns where a tier is measured from.
func fromOf(t cluster.Tier) from {
	for _, f := range froms {
		if f.takes(t) {
			return f
		}
	}
	panic("tiers: the last place takes every tier")
}

// podsOf returns one pod on each node that the tier names, or one wherever the
// scheduler puts it.
func podsOf(_ Options, t cluster.Tier) []client {
	if len(t.Nodes) == 0 {
		return []client{{host: assay.Host{Name: t.Name}}}
	}
	var all []client
	for _, node := range t.Nodes {
		name := t.Name
		if len(t.Nodes) > 1 {
			name += "@" + node
		}
		all = append(all, client{host: assay.Host{Name: name}, node: node})
	}
	return all
}

func (d *Deployment) pod(c *client) (assay.Place, error) {
	o, err := d.podOptions(c)
	if err != nil {
		return nil, err
	}
	c.pod, c.security = placeall.Pod(d.cluster, o), o.Security()
	return c.pod, nil
}

func hostsOf(o Options, t cluster.Tier) []client {
	var all []client
	for _, name := range t.Hosts {
		all = append(all, client{host: assay.Host{Name: name, Labels: o.Cluster.Host(name).Labels}})
	}
	return all
}

func (d *Deployment) remote(c *client) (assay.Place, error) {
	return d.options.Remote(*d.options.Cluster.Host(c.host.Name))
}

func thisMachine(o Options, _ cluster.Tier) []client {
	return []client{{host: assay.Host{Name: o.Here}}}
}

func (d *Deployment) local(c *client) (assay.Place, error) {
	// The cluster.yaml may say how to reach this machine.
	if h := d.options.Cluster.Host(c.host.Name); h != nil {
		return d.options.Remote(*h)
	}
	return d.options.Local(), nil
}
