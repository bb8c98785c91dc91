package cluster

import (
	"maps"
	"slices"
	"strings"

	"assay/internal/yamldoc"
	"assay/volume"
)

// Read reads a cluster.yaml. file is its name, for errors and for resolving
// relative file names in it. The error has one line per fault:
// file:line:column, what is wrong, and the nearest known name. kinds are the
// kinds that its tiers may have.
func Read(file string, text []byte, kinds ...volume.Kind) (Cluster, error) {
	parsed, docs := yamldoc.Parse(file, text)
	r := &reader{parsed, kinds, map[string]string{}, map[string]string{}}
	c := Cluster{File: file}
	switch {
	case r.Faults() > 0:
	case len(docs) == 0:
		r.Fault(yamldoc.Start, noHosts)
	case len(docs) > 1:
		docs[1].Fault("a second YAML document; one file describes one cluster")
	default:
		r.cluster(docs[0], &c)
	}
	if err := r.Err(); err != nil {
		return Cluster{}, err
	}
	return c, nil
}

// reader reads one file.
type reader struct {
	*yamldoc.File
	kinds []volume.Kind
	seen  map[string]string // lower-cased names of hosts
	ways  map[string]string // host by address and port
}

// fields maps the keys that a mapping may have to their readers.
type fields = map[string]func(yamldoc.Node)

// noHosts shows the smallest valid file.
const noHosts = `no hosts in it; for example "hosts: {pve1: 10.0.0.1}"`

// cluster reads the parts in the order in which they refer to each other, which
// may differ from file order.
func (r *reader) cluster(root yamldoc.Node, c *Cluster) {
	parts := map[string]yamldoc.Node{}
	keep := func(n yamldoc.Node) { parts[n.Key] = n }
	root.Fields(fields{"defaults": keep, "hosts": keep, "vms": keep, "networks": keep, "groups": keep, "resources": keep, "kubernetes": keep, "tiers": keep, "failover": keep})
	if r.Faults() > 0 && len(parts) == 0 {
		return
	}
	var common Host
	if n, there := parts["defaults"]; there {
		f := r.hostFields(&common)
		delete(f, "address")
		n.Fields(f)
	}
	switch n, there := parts["hosts"]; {
	case there:
		r.hosts(n, common, c)
	case !parts["tiers"].There() && !parts["kubernetes"].There():
		root.Fault("no hosts in it; for example %q", "hosts: {pve1: 10.0.0.1}")
		return
	}
	if n, there := parts["vms"]; there && len(c.Hosts) > 0 {
		r.guests(n, common, c)
	}
	if n, there := parts["networks"]; there {
		r.networks(n, c)
	}
	if n, there := parts["vms"]; there && r.Faults() == 0 {
		r.moves(n, c)
	}
	if n, there := parts["failover"]; there && len(c.Hosts) > 0 {
		r.failovers(n, c)
	}
	if n, there := parts["groups"]; there {
		r.groups(n, c)
	}
	if n, there := parts["resources"]; there {
		r.resources(n, c)
	}
	if n, there := parts["kubernetes"]; there {
		c.readKubernetes(n)
	}
	if n, there := parts["tiers"]; there {
		r.tiers(n, c)
	}
}

// hosts reads each host over the common settings.
func (r *reader) hosts(n yamldoc.Node, common Host, c *Cluster) {
	pairs := n.Pairs()
	if len(pairs) == 0 && n.IsMap() {
		n.FaultKey("hosts is empty; for example %q", "hosts: {pve1: 10.0.0.1}")
	}
	at := map[string]yamldoc.Position{} // of each host's address
	for _, p := range pairs {
		h := common.clone()
		h.Name = p.Key
		r.named(p, "host", r.seen)
		p.What = "host " + p.Key
		at[h.Name] = p.At
		switch {
		case p.Empty():
		case p.IsMap():
			f := r.hostFields(&h)
			address := f["address"]
			f["address"] = func(n yamldoc.Node) { at[h.Name] = n.At; address(n) }
			p.Fields(f)
		default:
			p.What = "address of host " + p.Key
			h.Address = address(p)
		}
		r.settle(&h, p, at[h.Name])
		c.Hosts = append(c.Hosts, h)
	}
}

// settle uses a host's name as its address if it has none, and refuses a second
// host at the same address and port.
func (r *reader) settle(h *Host, p yamldoc.Node, at yamldoc.Position) {
	if h.Address == "" {
		h.Address = h.Name
		if ValidName(h.Name) && !ValidAddress(h.Name) {
			p.FaultKey("host %s needs an address: its name is a number", h.Name)
			return
		}
	}
	// Two ports of one address lead to two machines.
	way := sameAddress(h.Address) + " " + portWord(h.Port)
	if other, taken := r.ways[way]; taken {
		r.Fault(at, "address %s of host %s is already used by host %s", h.Address, h.Name, other)
		return
	}
	r.ways[way] = h.Name
}

// named checks a name against the pattern and against earlier names.
func (r *reader) named(p yamldoc.Node, what string, seen map[string]string) {
	if !ValidName(p.Key) {
		p.FaultKey("%q cannot be the name of a %s: letters, digits, dots, hyphens and underscores, the first a letter or digit, 63 at most", yamldoc.Clip(p.Key), what)
		return
	}
	switch other, taken := seen[strings.ToLower(p.Key)]; {
	case taken && other == p.Key:
		p.FaultKey("duplicate %s %s", what, p.Key)
	case taken:
		p.FaultKey("%s %s and %s differ only in case", what, other, p.Key)
	}
	seen[strings.ToLower(p.Key)] = p.Key
}

func (h Host) clone() Host {
	h.Labels = maps.Clone(h.Labels)
	h.Measure.Directories = slices.Clone(h.Measure.Directories)
	h.Measure.Devices = slices.Clone(h.Measure.Devices)
	h.Measure.Overwrite = slices.Clone(h.Measure.Overwrite)
	return h
}
