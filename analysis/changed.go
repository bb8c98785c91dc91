package analysis

import (
	"cmp"
	"maps"
	"slices"

	"assay"
)

// changed returns a run as if its hosts had been changed, as far as their facts
// go.
func changed(run assay.Run, changes []Change) assay.Run {
	inv := run.Inventory
	inv.Facts = maps.Clone(inv.Facts)
	inv.Networks = slices.Clone(inv.Networks)
	b := builderOf(run)
	faster := func(c Change, host string) bool { return c.What == ChangeNIC && c.means(host, b.nodeOf(host)) }
	for host, f := range inv.Facts {
		for _, c := range changes {
			if faster(c, host) {
				f.NICs = withSpeed(f.NICs, c.Value)
			}
			if f.Stack != nil {
				f.Stack = c.ofStack(*f.Stack, b.tiersOf(host))
			}
			f.Block = slices.Clone(f.Block)
			for i, d := range f.Block {
				if d.Stack != nil {
					f.Block[i].Stack = c.ofStack(*d.Stack, b.tiersOn(host, d))
				}
			}
		}
		inv.Facts[host] = f
	}
	for i, n := range inv.Networks {
		for _, c := range changes {
			all := c.What == ChangeNIC
			for host := range n.Addresses {
				all = all && faster(c, host)
			}
			if all && n.Rate > 0 {
				inv.Networks[i].Rate = c.Value
			}
		}
	}
	run.Inventory = inv
	// What a link carried before says nothing about a faster one.
	run.Results = slices.DeleteFunc(slices.Clone(run.Results), func(r assay.Result) bool {
		s := r.Trial.Subject
		return s.Kind == assay.KindLink && slices.ContainsFunc(changes, func(c Change) bool { return faster(c, s.Host) || faster(c, s.Peer) })
	})
	return run
}

// ofStack returns replicated storage after a change; tiers are the tiers on it.
func (c Change) ofStack(s assay.StackFacts, tiers []string) *assay.StackFacts {
	switch {
	case c.What == ChangeReplicas && c.means(tiers...):
		fewer := s.Copies - int(c.Value)
		s.Copies = int(c.Value)
		if s.Kind != "ceph" {
			s.Remote = max(s.Remote-fewer, 0)
		}
	case c.What == ChangeDrive && c.Value > 0 && c.means(tiers...):
		s.Write, s.Read = c.Value, c.Value
	case c.What == ChangeHost && s.Nodes > 0:
		s.Drives += s.Drives / s.Nodes
		s.Nodes++
	}
	return &s
}

// tiersOn returns the names of a device and of the tiers that are on it.
func (b *builder) tiersOn(host string, d assay.BlockDevice) []string {
	names := []string{d.Name}
	for _, s := range b.run.Inventory.Subjects {
		if stack := b.stackOf(s); s.Host == host && s.Tier != "" && stack != nil && stack == d.Stack {
			names = append(names, s.Tier)
		}
	}
	return names
}

// withSpeed returns the interfaces with another speed for those that carry
// data.
func withSpeed(nics []assay.NICFacts, bits float64) []assay.NICFacts {
	all := slices.Clone(nics)
	changed := 0
	for i, n := range all {
		if (!n.Virtual || n.Members > 0) && (n.State == "" || n.State == "up" || n.State == "unknown") {
			if n.Virtual { // a bond, whose links stay as many
				all[i].Speed = bits / float64(n.Members)
			} else {
				all[i].Speed, all[i].Members = bits, 0
			}
			all[i].MTU = cmp.Or(n.MTU, 1500)
			changed++
		}
	}
	if changed == 0 {
		all = append(all, assay.NICFacts{Name: "new", State: "up", Speed: bits, MTU: 1500})
	}
	return all
}

// tiersOf returns the names of the tiers and pools that a host measures.
func (b *builder) tiersOf(host string) (names []string) {
	for _, s := range b.run.Inventory.Subjects {
		if s.Host == host && s.Tier != "" {
			names = append(names, s.Tier)
		}
		if s.Host == host && s.Kind == assay.KindPool {
			names = append(names, s.Name)
		}
	}
	return names
}
