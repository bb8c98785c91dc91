package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/limits"
)

// Misfit is a way in which the networks of hosts do not suit the replicated storage on
// them.
type Misfit string

// The ways.
const (
	CopiesSlower Misfit = "copies have the slower link"
	CopiesShare  Misfit = "copies share the link of the clients, and a faster one is idle"
	UnlikeMTU    Misfit = "the MTU differs"
)

// NetworkMisfit is one of them, with the hosts of which it is true.
type NetworkMisfit struct {
	Misfit  Misfit
	Network string // of UnlikeMTU: public or cluster
	Links   []MisfitLink
	// Limit is what these networks allow writes, and Share how much of it they reached; of
	// what was measured, the greatest share. nil where it is unknown.
	Limit *TierLimit
	Share float64
}

// MisfitLink is what a host has. Of UnlikeMTU, Other is nothing.
type MisfitLink struct {
	Host       string
	NIC, Other assay.NICFacts // what the copies use, and what would suit them better
}

// Binds reports whether writes came near what the networks allow.
func (m NetworkMisfit) Binds() bool { return m.Share >= bindsFrom }

// misfits returns what of the networks under replicated storage does not suit it, of all hosts
// that use it or hold its data; what hosts have alike, once.
func (b *builder) misfits(binds []TierBind) []NetworkMisfit {
	var hosts []assay.Facts
	for _, name := range slices.Sorted(maps.Keys(b.run.Inventory.Facts)) {
		if f := b.run.Inventory.Facts[name]; f.Stack != nil && f.Stack.Kind == "ceph" {
			f.Host = name
			hosts = append(hosts, f)
		}
	}
	all := slices.Concat(slowCopies(hosts), unlikeMTU(hosts))
	for i := range all {
		if all[i].Misfit == UnlikeMTU {
			continue
		}
		for _, bind := range binds {
			for _, l := range bind.Limits {
				if strings.Contains(bind.Metric, ".write.") && (l.Name == limits.PoolCopies || l.Name == limits.PoolNetwork) && bind.Value/l.Value > all[i].Share {
					all[i].Limit, all[i].Share = &l, bind.Value/l.Value
				}
			}
		}
	}
	return all
}

// slowCopies are hosts whose copies travel on a slower link than clients use, or on that of the
// clients where a faster one is idle. A client that holds no data carries no copies.
func slowCopies(hosts []assay.Facts) []NetworkMisfit {
	slower, share := NetworkMisfit{Misfit: CopiesSlower}, NetworkMisfit{Misfit: CopiesShare}
	for _, f := range hosts {
		public, cluster := nicOf(f, f.Stack.PublicNIC), nicOf(f, f.Stack.ClusterNIC)
		switch {
		case f.Stack.Outside || public.Speed == 0 || cluster.Speed == 0:
		case public.Name != cluster.Name && cluster.Speed < public.Speed:
			slower.Links = append(slower.Links, MisfitLink{f.Host, cluster, public})
		case public.Name == cluster.Name:
			if idle := fasterThan(public, f.NICs); idle.Speed > 0 {
				share.Links = append(share.Links, MisfitLink{f.Host, public, idle})
			}
		}
	}
	return slices.DeleteFunc([]NetworkMisfit{slower, share}, func(m NetworkMisfit) bool { return len(m.Links) == 0 })
}

// fasterThan is the fastest interface with a link of its own that is up and faster than another;
// none where there is none.
func fasterThan(than assay.NICFacts, all []assay.NICFacts) (fastest assay.NICFacts) {
	for _, n := range all {
		if n.State == "up" && (!n.Virtual || n.Members > 0) && n.Speed > max(than.Speed, fastest.Speed) {
			fastest = n
		}
	}
	return fastest
}

// unlikeMTU are the networks on which the MTU is not the same everywhere.
func unlikeMTU(hosts []assay.Facts) []NetworkMisfit {
	var all []NetworkMisfit
	for _, network := range []struct {
		name string
		of   func(assay.StackFacts) string
	}{
		{"public", func(s assay.StackFacts) string { return s.PublicNIC }},
		{"cluster", func(s assay.StackFacts) string { return s.ClusterNIC }},
	} {
		m := NetworkMisfit{Misfit: UnlikeMTU, Network: network.name}
		for _, f := range hosts {
			if n := nicOf(f, network.of(*f.Stack)); n.MTU > 0 {
				m.Links = append(m.Links, MisfitLink{Host: f.Host, NIC: n})
			}
		}
		mtu := func(l, m MisfitLink) int { return cmp.Compare(l.NIC.MTU, m.NIC.MTU) }
		if len(m.Links) > 0 && mtu(slices.MinFunc(m.Links, mtu), slices.MaxFunc(m.Links, mtu)) != 0 {
			all = append(all, m)
		}
	}
	if len(all) == 2 && slices.Equal(all[0].Links, all[1].Links) {
		return all[:1] // one interface is on both networks
	}
	return all
}

func nicOf(f assay.Facts, name string) assay.NICFacts {
	i := slices.IndexFunc(f.NICs, func(n assay.NICFacts) bool { return n.Name == name })
	if name == "" || i < 0 {
		return assay.NICFacts{}
	}
	return f.NICs[i]
}

// misfitPoints are what is wrong with networks, what limits, and what may be mended though nothing
// waits for it now.
func (f Found) misfitPoints() (wrong, limits, rest []Point) {
	for _, m := range f.Tiers.Misfits {
		switch {
		case m.Misfit == UnlikeMTU:
			wrong = append(wrong, Point{Bad, m})
		case m.Binds():
			limits = append(limits, Point{Limit, m})
		default:
			rest = append(rest, Point{Note, m})
		}
	}
	return wrong, limits, rest
}
