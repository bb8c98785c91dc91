package changes

import (
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/inventory/traits"
)

// Between returns the differences between two looks as sorted sentences that begin
// with the host: "pve1: kernel was 6.8.12-4-pve, is 6.8.12-5-pve". It returns none
// if figures of both can be combined.
func Between(was, is assay.Inventory) []string {
	before, after := hostsOf(was), hostsOf(is)
	var all []string
	for _, name := range union(before, after) {
		all = append(all, begin(name, ofHost(before[name], after[name]))...)
	}
	all = append(all, ofTiers(was.Tiers, is.Tiers)...)
	all = append(all, ofNetworks(was.Networks, is.Networks, func(host string) bool {
		return before[host] != nil && after[host] != nil
	})...)
	slices.Sort(all)
	return slices.Compact(all)
}

// look is what one inventory knows about one host.
type look struct {
	host      assay.Host
	facts     *assay.Facts // nil if it could not be queried
	addresses []pair       // by network
	devices   []string     // paths of the measured ones
	node      string       // of a pod
}

// nodeOf returns the node of a host that is a pod, "" for others.
func nodeOf(inv assay.Inventory, host string) string {
	for _, t := range inv.Tiers {
		if node := t.Nodes[host]; node != "" {
			return node
		}
	}
	return ""
}

// lasting drops from a pod's facts what changes with each pod and claim: name,
// interfaces, devices under mounts.
func lasting(f assay.Facts) *assay.Facts {
	f.OS.Hostname, f.NICs = "", nil
	f.Dirs = slices.Clone(f.Dirs)
	for i := range f.Dirs {
		f.Dirs[i].Source, f.Dirs[i].Device, f.Dirs[i].Drives = "", "", nil
	}
	return &f
}

func hostsOf(inv assay.Inventory) map[string]*look {
	all := map[string]*look{}
	for _, h := range inv.Hosts {
		l := &look{host: h}
		if f, asked := inv.Facts[h.Name]; asked && h.Absent == nil {
			l.facts = &f
		}
		if l.node = nodeOf(inv, h.Name); l.node != "" {
			if l.facts != nil {
				l.facts = lasting(*l.facts)
			}
			all[h.Name] = l
			continue // its addresses are new each time
		}
		for _, n := range inv.Networks {
			if a := n.Addresses[h.Name]; a != "" {
				l.addresses = append(l.addresses, pair{n.Name, a})
			}
		}
		for _, s := range inv.Of(assay.KindDevice) {
			if s.Host == h.Name {
				l.devices = append(l.devices, s.Name)
			}
		}
		all[h.Name] = l
	}
	return all
}

func ofHost(was, is *look) []string {
	switch {
	case is == nil:
		return []string{"is no longer among the hosts"}
	case was == nil:
		return []string{"is new among the hosts"}
	}
	if was.node != is.node {
		return []string{"ran on node " + was.node + ", runs on " + is.node}
	}
	said := labels.compare(pairs(was.host.Labels), pairs(is.host.Labels))
	said = append(said, addresses.compare(was.addresses, is.addresses)...)
	if was.facts != nil && is.facts != nil {
		said = append(said, ofFacts(*was.facts, *is.facts, was.devices)...)
	}
	return said
}

// ofFacts compares two looks at a machine; devices are those measured directly.
func ofFacts(was, is assay.Facts, devices []string) []string {
	is.Memory.Total = settled(was.Memory.Total, is.Memory.Total)
	if made(was) || made(is) {
		was.OS.Hostname = "" // some templates name each clone differently
	}
	return slices.Concat(
		compare("", resuming(traits.Host, func(f assay.Facts) assay.Facts { return f }), was, is),
		mitigations.compare(pairs(was.CPU.Mitigations), pairs(is.CPU.Mitigations)),
		ifKnown(was.Memory.DIMMs, is.Memory.DIMMs, modules.compare),
		ofStorage(was, is, devices),
		ofInterfaces(was.NICs, is.NICs),
		ofTools(was.Tools, is.Tools),
		ofClone(was, is),
	)
}

// made reports whether a host is a guest that is made for each run.
func made(f assay.Facts) bool { return f.Guest != nil && f.Guest.Template != "" }

func ofClone(was, is assay.Facts) []string {
	if !made(was) || !made(is) {
		return nil
	}
	return compare("", cloneTraits, *was.Guest, *is.Guest)
}

// settled returns the memory size to compare: the kernel reserves slightly more
// or less at each boot, which is not a change.
func settled(was, is int64) int64 {
	if off := max(was, is) - min(was, is); off <= max(was, is)/64 {
		return was
	}
	return is
}

// ofTools compares the installed programs: a missing one has measured nothing.
func ofTools(was, is []assay.ToolFacts) []string {
	return ifKnown(was, is, func(was, is []assay.ToolFacts) []string {
		missing := func(t assay.ToolFacts) bool { return t.Path == "" }
		return programs.compare(without(was, missing), without(is, missing))
	})
}

// ifKnown compares two lists unless one is empty, which means that its content
// is unknown.
func ifKnown[T any](was, is []T, compare func(was, is []T) []string) []string {
	if len(was) == 0 || len(is) == 0 {
		return nil
	}
	return compare(was, is)
}

func without[T any](list []T, not func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), not)
}

func begin(who string, texts []string) []string {
	for i := range texts {
		texts[i] = who + ": " + texts[i]
	}
	return texts
}

// union returns the keys of both, sorted.
func union[V any](a, b map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// words joins the non-empty words, each once.
func words(all ...string) string {
	var out []string
	for _, w := range all {
		if w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}
