package cluster

import (
	"maps"
	"slices"
	"strings"
)

// Read reads a cluster.yaml. file is its name: for errors, and for the files
// that it names relative to itself. The error holds a line for each thing that
// is wrong: file:line:column, what it is, and the nearest name that there is.
func Read(file string, text []byte) (Cluster, error) {
	r := &reader{file: file}
	root, ok := r.parse(text)
	if !ok {
		return Cluster{}, r.err()
	}
	c := Cluster{File: file}
	r.cluster(root, &c)
	if err := r.err(); err != nil {
		return Cluster{}, err
	}
	return c, nil
}

// cluster reads the parts in the order in which they refer to each other, which
// need not be that of the file.
func (r *reader) cluster(root node, c *Cluster) {
	parts := map[string]node{}
	keep := func(n node) { parts[n.key] = n }
	r.read(root, fields{"defaults": keep, "hosts": keep, "networks": keep, "groups": keep, "resources": keep, "kubernetes": keep, "tiers": keep})
	if len(r.faults) > 0 && len(parts) == 0 {
		return
	}
	var common Host
	if n, there := parts["defaults"]; there {
		f := r.hostFields(&common)
		delete(f, "address")
		r.read(n, f)
	}
	switch n, there := parts["hosts"]; {
	case there:
		r.hosts(n, common, c)
	case parts["tiers"].value == nil:
		r.fault(root.at, "there are no hosts in it; for example %q", "hosts: {pve1: 10.0.0.1}")
		return
	}
	if n, there := parts["networks"]; there {
		r.networks(n, c)
	}
	if n, there := parts["groups"]; there {
		r.groups(n, c)
	}
	if n, there := parts["resources"]; there {
		r.resources(n, c)
	}
	if n, there := parts["kubernetes"]; there {
		r.kubernetes(n, c)
	}
	if n, there := parts["tiers"]; there {
		r.tiers(n, c)
	}
}

// hosts reads each host over what all have in common.
func (r *reader) hosts(n node, common Host, c *Cluster) {
	pairs := r.pairs(n)
	if len(pairs) == 0 && n.isMap() {
		r.fault(n.keyAt, "hosts is empty; for example %q", "hosts: {pve1: 10.0.0.1}")
	}
	seen := map[string]string{} // names without regard to case
	ways := map[string]string{} // host by address and port
	at := map[string]position{} // of each host's address
	for _, p := range pairs {
		h := common.clone()
		h.Name = p.key
		r.named(p, "host", seen)
		p.what = "host " + p.key
		at[h.Name] = p.at
		switch {
		case p.empty():
		case p.isMap():
			f := r.hostFields(&h)
			address := f["address"]
			f["address"] = func(n node) { at[h.Name] = n.at; address(n) }
			r.read(p, f)
		default:
			p.what = "address of host " + p.key
			h.Address = r.address(p)
		}
		r.settle(&h, p, at[h.Name], ways)
		c.Hosts = append(c.Hosts, h)
	}
}

// settle gives a host without an address its name for one, and refuses a second
// way to a machine that is already there.
func (r *reader) settle(h *Host, p node, at position, ways map[string]string) {
	if h.Address == "" {
		h.Address = h.Name
		if ValidName(h.Name) && !ValidAddress(h.Name) {
			r.fault(p.keyAt, "host %s needs an address: its name is a number", h.Name)
			return
		}
	}
	// Two ports of one address are two machines behind one door.
	way := sameAddress(h.Address) + " " + portWord(h.Port)
	if other, taken := ways[way]; taken {
		r.fault(at, "address %s of host %s is that of host %s", h.Address, h.Name, other)
		return
	}
	ways[way] = h.Name
}

// named holds a name against the pattern and against those before it.
func (r *reader) named(p node, what string, seen map[string]string) {
	if !ValidName(p.key) {
		r.fault(p.keyAt, "%q cannot be the name of a %s: letters, digits, dots, hyphens and underscores, the first a letter or digit, 63 at most", clip(p.key), what)
		return
	}
	switch other, taken := seen[strings.ToLower(p.key)]; {
	case taken && other == p.key:
		r.fault(p.keyAt, "%s %s stands there twice", what, p.key)
	case taken:
		r.fault(p.keyAt, "%s %s and %s differ in case only", what, other, p.key)
	}
	seen[strings.ToLower(p.key)] = p.key
}

func (h Host) clone() Host {
	h.Labels = maps.Clone(h.Labels)
	h.Measure.Directories = slices.Clone(h.Measure.Directories)
	h.Measure.Devices = slices.Clone(h.Measure.Devices)
	return h
}
