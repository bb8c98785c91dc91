package cluster

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/prose"
	"assay/internal/yamldoc"
	"assay/place/guest"
)

// Clone says what a guest is made from for a run; it is destroyed with the run.
type Clone struct {
	Of    string      `json:"of"`    // what its template is called there, or its image
	Entry string      `json:"entry"` // under vms: that asks for it, and the group of all that it asks for
	Among []string    `json:"among"` // the hosts on which the entry has guests made
	Full  bool        `json:"full,omitempty"`
	Image *CloudImage `json:"image,omitempty"` // nil for one of a template
}

// Source returns what guests are made from, telling apart sources of the same name.
func (c Clone) Source() string {
	if c.Image == nil || c.Image.Digest == "" {
		return c.Of
	}
	method, digits, _ := strings.Cut(c.Image.Digest, ":")
	return c.Of + " (" + method + " " + digits[:16] + "…)"
}

// mostClones bounds the guests of one entry.
const mostClones = 64

// Made reports whether the host is made for a run.
func (h Host) Made() bool { return h.Guest != nil && h.Guest.Clone != nil }

// Standing returns the hosts that exist without a run, and those made for one.
func Standing(hosts []Host) (standing, made []Host) {
	for _, h := range hosts {
		if h.Made() {
			made = append(made, h)
		} else {
			standing = append(standing, h)
		}
	}
	return standing, made
}

// Call returns the cluster with the guests made for a run named as on their hypervisors:
// name is called for each.
func (c Cluster) Call(name func(Host) string) Cluster {
	c.Hosts = slices.Clone(c.Hosts)
	for i, h := range c.Hosts {
		if h.Made() {
			called := *h.Guest
			called.Name = name(h)
			c.Hosts[i].Guest = &called
		}
	}
	return c
}

// clones reads what guests one entry asks for, and adds each as a host and all of them as
// a group.
func (r *reader) clones(p, n yamldoc.Node, like Host, hypervisors []string, c *Cluster) {
	clone := Clone{Entry: p.Key}
	kind, count, where, full := "", 1, yamldoc.Node{}, yamldoc.Node{}
	f := fields{
		"count": func(n yamldoc.Node) { count = n.Integer(1, mostClones) },
		"on": func(n yamldoc.Node) {
			where = n
			if n.IsList() {
				clone.Among = r.references(n, "host", hypervisors)
			} else {
				clone.Among = []string{r.reference(n, hypervisors)}
			}
		},
		"full": func(n yamldoc.Node) { full, clone.Full = n, n.Truth() },
	}
	for _, k := range guest.Kinds {
		f[k.Template] = func(n yamldoc.Node) {
			name, ok := n.Word()
			switch {
			case kind != "":
				n.FaultKey("%s: clones are made of one template", n.What)
			case !ok || !k.Valid(name):
				n.Fault("%s: %s is expected", n.What, k.What)
			default:
				kind, clone.Of = k.Word, name
			}
		}
	}
	image := imaged{clone: &clone}
	image.fields(f)
	before := r.Faults()
	n.Fields(f)
	if r.Faults() > before || !image.settle(p, kind) {
		return
	}
	if clone.Image != nil {
		kind = image.kind
	}
	switch {
	case kind == "":
		n.FaultKey("VM %s: clone: of what? A template of Proxmox VE (for example %q), a domain of libvirt (%q), or a cloud image (%q, with %q of libvirt or %q of Proxmox VE)", p.Key,
			"template: 9000", "domain: debian12", "image: /var/lib/libvirt/images/debian-12-genericcloud-amd64.qcow2", "pool: default", "storage: local-lvm")
		return
	case len(clone.Among) == 0:
		n.FaultKey("VM %s: clone: on which hosts? For example %q", p.Key, "on: ["+hypervisors[0]+"]")
		return
	case full.There() && kind != copied:
		full.FaultKey("VM %s: clone: full: not available with libvirt, where clones are always overlays", p.Key)
		return
	case len(like.Measure.Overwrite) > 0:
		p.FaultKey("VM %s: clone: measure: overwrite: a clone has no drives of its own; give it a disk with a tier that has vmdisk:", p.Key)
		return
	}
	if count < len(clone.Among) {
		where.FaultKey("VM %s: clone: %d hosts under on for %s (count)", p.Key, len(clone.Among), prose.Plural(count, "guest"))
		return
	}
	group := Group{Name: p.Key}
	for i := range count {
		h := like.clone()
		h.Name = fmt.Sprintf("%s-%d", p.Key, i+1)
		one := p
		one.Key = h.Name
		r.named(one, "host", r.seen)
		h.Guest = &Guest{On: clone.Among[i%len(clone.Among)], Kind: kind, Clone: &clone}
		h.Address, h.User, h.Port, h.Sudo, h.SSH = "", "", 0, false, SSH{}
		group.Hosts = append(group.Hosts, h.Name)
		c.Hosts = append(c.Hosts, h)
	}
	c.Groups = append(c.Groups, group)
}

// copied is the kind of hypervisor that can make full copies of disks.
const copied = "proxmox"

// expanded returns host names with each group of clones replaced by its members, without
// duplicates.
func (c Cluster) expanded(names []string) []string {
	var all []string
	for _, name := range names {
		members := []string{name}
		if c.Host(name) == nil {
			if of, ok := c.members(name); ok {
				members = of
			}
		}
		for _, m := range members {
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// cloneGroups returns the names of the entries that ask for clones.
func (c Cluster) cloneGroups() []string {
	var names []string
	for _, h := range c.Hosts {
		if h.Made() && !slices.Contains(names, h.Guest.Clone.Entry) {
			names = append(names, h.Guest.Clone.Entry)
		}
	}
	return names
}

// unmade reports whether a host is made for a run: it has no address
// beforehand.
func (c Cluster) unmade(name string) bool {
	h := c.Host(name)
	return h != nil && h.Made()
}
