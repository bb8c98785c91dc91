package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
)

// stackUnder returns a storage with everything measured below it, lowest first, and what
// is assumed about it. Of several drives, the slowest stands for all: each operation may
// wait for it.
func (b *builder) stackUnder(top *layerNode, nodes []layerNode) (stack []layerNode, assumed []string) {
	below := slices.DeleteFunc(slices.Clone(nodes), func(n layerNode) bool { return !b.standsOn(top.subject, n.subject) })
	if len(below) == 0 && b.replicated(top.subject) {
		if local := b.localTo(top.subject.Host, nodes, ""); local != nil {
			stack, assumed = b.stackUnder(local, nodes)
			assumed = append(assumed, fmt.Sprintf("the replicas of %s are on storage like %s", top.name, local.name))
		}
		return append(stack, *top), assumed
	}
	height := func(n layerNode) int {
		count := 0
		for _, m := range below {
			if b.standsOn(n.subject, m.subject) {
				count++
			}
		}
		return count
	}
	order.Stable(below, func(x, y layerNode) int {
		return cmp.Or(cmp.Compare(height(x), height(y)), cmp.Compare(x.slowest(), y.slowest()))
	})
	for i, n := range below {
		if i+1 < len(below) && height(below[i+1]) == height(n) { // the next is as low, and slower
			continue
		}
		stack = append(stack, n)
	}
	return append(stack, *top), assumed
}

// standsOn reports whether facts say that one storage lies on another.
func (b *builder) standsOn(over, under assay.Subject) bool {
	if over.ID == under.ID || over.Host != under.Host {
		return false
	}
	if slices.Contains(over.On, under.ID) {
		return true
	}
	f := b.run.Inventory.Facts[over.Host]
	lies := devicesUnder(f, over)
	if under.Kind == assay.KindDirectory {
		d := f.Dir(under.Name)
		return d != nil && d.Mount != "" && slices.ContainsFunc(lies, func(name string) bool {
			dev := f.Device(name)
			return dev != nil && dev.Backing != "" && mountOf(f, dev.Backing) == d.Mount && over.Name != under.Name
		})
	}
	name := under.Name
	if dev := f.DeviceAt(under.Name); dev != nil {
		name = dev.Name
	}
	return slices.Contains(lies, name)
}

// mountOf returns the mount point, of those in the facts, that a file lies
// below.
func mountOf(f assay.Facts, file string) (longest string) {
	for _, d := range f.Dirs {
		below := file == d.Mount || strings.HasPrefix(file, strings.TrimSuffix(d.Mount, "/")+"/")
		if below && len(d.Mount) > len(longest) {
			longest = d.Mount
		}
	}
	return longest
}

// devicesUnder returns the kernel names of the devices that a storage lies on; a device
// does not lie on itself.
func devicesUnder(f assay.Facts, s assay.Subject) []string {
	var next []string
	if d := f.Dir(s.Name); d != nil {
		next = append(next, d.Drives...)
		if d.Device != "" {
			next = append(next, d.Device)
		}
	} else if dev := f.DeviceAt(s.Name); dev != nil {
		next = append(next, dev.On...)
	}
	var all []string
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		if slices.Contains(all, name) {
			continue
		}
		all = append(all, name)
		dev := f.Device(name)
		if dev == nil {
			continue
		}
		next = append(next, dev.On...)
		for _, d := range f.Dirs {
			if dev.Backing != "" && d.Mount == mountOf(f, dev.Backing) {
				next = append(append(next, d.Device), d.Drives...)
			}
		}
	}
	return all
}

// stackOf returns what replicates a storage, or nil if facts do not tell.
func (b *builder) stackOf(s assay.Subject) *assay.StackFacts {
	stack, _ := b.run.Inventory.Facts[s.Host].StackOf(s)
	return stack
}

// replicated reports whether several nodes hold copies of what is stored there.
func (b *builder) replicated(s assay.Subject) bool {
	stack, own := b.run.Inventory.Facts[s.Host].StackOf(s)
	return stack != nil && (own && stack.Replicated() || s.Kind == assay.KindPool || s.Kind == assay.KindImage || s.Volume == "pvc")
}

// underReplicated reports whether replicated storage of the same host lies on a directory or
// device: its own disks, or the same storage without its peers.
func (b *builder) underReplicated(s assay.Subject) bool {
	return (s.Kind == assay.KindDirectory || s.Kind == assay.KindBlock) &&
		slices.ContainsFunc(b.run.Inventory.Subjects, func(o assay.Subject) bool { return b.replicated(o) && b.standsOn(o, s) })
}

// localTo returns the storage of a host's node that its replicated storage may lie on: the
// one with most below it, except the kind of volume that replicates.
func (b *builder) localTo(host string, nodes []layerNode, lends string) (best *layerNode) {
	most := -1
	for i, n := range nodes {
		if b.replicated(n.subject) || lends != "" && n.subject.Volume == lends || b.nodeOf(n.subject.Host) != b.nodeOf(host) {
			continue
		}
		height := 0
		for _, m := range nodes {
			if b.standsOn(n.subject, m.subject) {
				height++
			}
		}
		if height > most {
			best, most = &nodes[i], height
		}
	}
	return best
}

// nodeOf returns the machine that a host is or runs on.
func (b *builder) nodeOf(host string) string {
	for _, t := range b.run.Inventory.Tiers {
		if node := t.Nodes[host]; node != "" {
			return node
		}
	}
	return host
}
