package cluster

import (
	"slices"

	"assay"
	"assay/internal/yamldoc"
)

// groups reads the names for several hosts. A group cannot have the name of a
// host: a word on the command line means one or the other.
func (r *reader) groups(n yamldoc.Node, c *Cluster) {
	seen := map[string]string{}
	for _, p := range n.Pairs() {
		r.named(p, "group", seen)
		p.What = "group " + p.Key
		if c.Host(p.Key) != nil {
			p.FaultKey("group %s has the same name as a host", p.Key)
		}
		if slices.Contains(c.cloneGroups(), p.Key) {
			p.FaultKey("group %s has the same name as the clones that vms: asks for", p.Key)
		}
		before := r.Faults()
		members := c.expanded(r.references(p, "host", append(hostNames(c.Hosts), c.cloneGroups()...)))
		if r.Faults() == before && len(members) == 0 {
			p.Fault("group %s is empty", p.Key)
		}
		c.Groups = append(c.Groups, Group{p.Key, members})
	}
}

// resources reads the shared resources.
func (r *reader) resources(n yamldoc.Node, c *Cluster) {
	var networks []string
	for _, n := range c.Networks {
		networks = append(networks, n.Name)
	}
	seen := map[string]string{}
	for _, p := range n.Pairs() {
		r.named(p, "resource", seen)
		p.What = "resource " + p.Key
		shared := Resource{Name: p.Key}
		before := r.Faults()
		var directories yamldoc.Node
		p.Fields(fields{
			"networks":    func(n yamldoc.Node) { shared.Networks = r.references(n, "network", networks) },
			"hosts":       func(n yamldoc.Node) { shared.Hosts = r.references(n, "host", hostNames(c.Hosts)) },
			"directories": func(n yamldoc.Node) { directories = n; shared.Directories = texts(yamldoc.As[[]yamldoc.Path](n)) },
		})
		if r.Faults() == before {
			r.sharers(p, directories, shared, c)
		}
		c.Resources = append(c.Resources, shared)
	}
}

// sharers refuses a resource that cannot make two tests wait for each other, and
// a directory that nobody measures, which would silently do nothing.
func (r *reader) sharers(p, directories yamldoc.Node, shared Resource, c *Cluster) {
	if len(shared.Directories) == 0 {
		if len(shared.Networks) == 0 && len(shared.Hosts) < 2 {
			p.FaultKey("resource %s is not shared: it needs a network, two hosts, or a directory that two hosts measure", p.Key)
		}
		return
	}
	of, whose := assay.Resource(shared), "no host"
	if len(shared.Hosts) > 0 {
		whose = "none of its hosts"
	}
	users, _ := c.Choose(shared.Hosts) // known hosts, or none, which means all
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
	before := r.Faults()
	for _, item := range directories.Items() {
		dir, _ := item.Word()
		one := assay.Resource{Directories: []string{dir}}
		if !slices.ContainsFunc(measured, func(d string) bool { return one.Holds("", d) }) {
			item.Fault("%s: %s measures %q%s", item.What, whose, yamldoc.Clip(dir), yamldoc.Meant(dir, measured))
		}
	}
	if r.Faults() == before && len(shared.Networks) == 0 && len(sharing) < 2 {
		p.FaultKey("resource %s is not shared: only %s uses it", p.Key, sharing[0])
	}
}

// references reads a list of known names, each once.
func (r *reader) references(n yamldoc.Node, what string, known []string) []string {
	var all []string
	for _, item := range n.Items() {
		name, ok := item.Text()
		switch {
		case !ok:
		case !slices.Contains(known, name):
			item.Fault("%s: no %s %q%s", n.What, what, yamldoc.Clip(name), yamldoc.Meant(name, known))
		case slices.Contains(all, name):
			item.Fault("%s: duplicate %s", n.What, name)
		default:
			all = append(all, name)
		}
	}
	return all
}
