package cluster

import "slices"

// groups reads the names for several hosts. A group cannot be called as a host
// is: a word on the command line means one of them.
func (r *reader) groups(n node, c *Cluster) {
	seen := map[string]string{}
	for _, p := range r.pairs(n) {
		r.named(p, "group", seen)
		p.what = "group " + p.key
		if c.Host(p.key) != nil {
			r.fault(p.keyAt, "group %s has the name of a host", p.key)
		}
		before := len(r.faults)
		members := r.references(p, "host", hostNames(c.Hosts))
		if len(r.faults) == before && len(members) == 0 {
			r.fault(p.at, "group %s is empty", p.key)
		}
		c.Groups = append(c.Groups, Group{p.key, members})
	}
}

// resources reads what is shared.
func (r *reader) resources(n node, c *Cluster) {
	var networks []string
	for _, n := range c.Networks {
		networks = append(networks, n.Name)
	}
	seen := map[string]string{}
	for _, p := range r.pairs(n) {
		r.named(p, "resource", seen)
		p.what = "resource " + p.key
		shared := Resource{Name: p.key}
		before := len(r.faults)
		r.read(p, fields{
			"hosts":    func(n node) { shared.Hosts = r.references(n, "host", hostNames(c.Hosts)) },
			"networks": func(n node) { shared.Networks = r.references(n, "network", networks) },
		})
		if len(r.faults) == before && len(shared.Networks) == 0 && len(shared.Hosts) < 2 {
			r.fault(p.keyAt, "resource %s is shared by nobody: it needs a network, or two hosts", p.key)
		}
		c.Resources = append(c.Resources, shared)
	}
}

// references reads a list of names, each of them known and each once.
func (r *reader) references(n node, what string, known []string) []string {
	var all []string
	for _, item := range r.items(n) {
		name, ok := r.text(item)
		switch {
		case !ok:
		case !slices.Contains(known, name):
			r.fault(item.at, "%s: there is no %s %q%s", n.what, what, clip(name), meant(name, known))
		case slices.Contains(all, name):
			r.fault(item.at, "%s: %s stands there twice", n.what, name)
		default:
			all = append(all, name)
		}
	}
	return all
}
