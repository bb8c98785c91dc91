package cluster

import (
	"slices"

	"assay"
)

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
		var directories node
		r.read(p, fields{
			"networks":    func(n node) { shared.Networks = r.references(n, "network", networks) },
			"hosts":       func(n node) { shared.Hosts = r.references(n, "host", hostNames(c.Hosts)) },
			"directories": func(n node) { directories = n; shared.Directories = r.paths(n, "/") },
		})
		if len(r.faults) == before {
			r.sharers(p, directories, shared, c)
		}
		c.Resources = append(c.Resources, shared)
	}
}

// sharers refuses a resource that cannot make two tests wait for each other, and
// a directory that nobody measures: there it would do nothing, without a word.
func (r *reader) sharers(p, directories node, shared Resource, c *Cluster) {
	if len(shared.Directories) == 0 {
		if len(shared.Networks) == 0 && len(shared.Hosts) < 2 {
			r.fault(p.keyAt, "resource %s is shared by nobody: it needs a network, two hosts, or a directory that two hosts measure", p.key)
		}
		return
	}
	of, whose := assay.Resource(shared), "no host"
	if len(shared.Hosts) > 0 {
		whose = "none of its hosts"
	}
	users, _ := c.Choose(shared.Hosts) // which are known, or none: then it is all
	var measured, sharing []string
	for _, h := range users {
		dirs := h.Measure.Directories
		measured = append(measured, dirs...)
		if slices.ContainsFunc(dirs, func(d string) bool { return of.Holds(h.Name, d) }) {
			sharing = append(sharing, h.Name)
		}
	}
	slices.Sort(measured)
	measured = slices.Compact(measured)
	before := len(r.faults)
	for _, item := range r.items(directories) {
		dir, _ := word(item.value)
		one := assay.Resource{Directories: []string{dir}}
		if !slices.ContainsFunc(measured, func(d string) bool { return one.Holds("", d) }) {
			r.fault(item.at, "%s: %s measures %q%s", item.what, whose, clip(dir), meant(dir, measured))
		}
	}
	if len(r.faults) == before && len(shared.Networks) == 0 && len(sharing) < 2 {
		r.fault(p.keyAt, "resource %s is shared by nobody: only %s measures what it names", p.key, sharing[0])
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
