package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/limits"
)

// Misfit is a way in which the hosts' networks do not suit the replicated storage on
// them.
type Misfit string

// The ways.
const (
	CopiesSlower Misfit = "copies have the slower link"
	CopiesShare  Misfit = "copies share the link of the clients, and a faster one is idle"
	UnlikeMTU    Misfit = "the MTU differs"
	// ReplicasSlower means that replicas are written to addresses of the slower network.
	ReplicasSlower Misfit = "replicas are written over the slower of two networks"
)

// NetworkMisfit is a misfit and the hosts that have it.
type NetworkMisfit struct {
	Misfit  Misfit
	Network string // for UnlikeMTU: public or cluster
	Links   []MisfitLink
	// Storage, Used and Better are set for ReplicasSlower.
	Storage      string
	Used, Better NetworkWay
	// Limit is what these networks allow for writes, and Share the greatest measured share
	// of it. Limit is nil if unknown.
	Limit *TierLimit
	Share float64
}

// NetworkWay is a network between the hosts of replicas; 0 means unknown.
type NetworkWay struct {
	Name string
	Rate float64 // bit/s: measured, from the worst of the hosts, else as given
	RTT  float64 // s, the longest median
	MTU  int
}

// MisfitLink is a host's part of a misfit. UnlikeMTU leaves Other empty.
type MisfitLink struct {
	Host       string
	NIC, Other assay.NICFacts // the one copies use, and a better one
}

// Binds reports whether writes came near what the networks allow.
func (m NetworkMisfit) Binds() bool { return m.Share >= bindsFrom }

// misfits returns the network misfits of replicated storage on all hosts that use it or hold
// its data; a misfit that hosts share is listed once.
func (b *builder) misfits(binds []TierBind) []NetworkMisfit {
	var hosts []assay.Facts
	for _, name := range slices.Sorted(maps.Keys(b.run.Inventory.Facts)) {
		if f := b.run.Inventory.Facts[name]; f.Stack != nil && f.Stack.Kind == "ceph" {
			f.Host = name
			hosts = append(hosts, f)
		}
	}
	all := slices.Concat(slowCopies(hosts), unlikeMTU(hosts), b.slowReplicas())
	for i := range all {
		if all[i].Misfit == UnlikeMTU || all[i].Misfit == ReplicasSlower {
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

// slowCopies returns hosts whose copies travel over a slower link than clients use, or over
// the clients' link while a faster one is idle. A client without data carries no copies.
func slowCopies(hosts []assay.Facts) []NetworkMisfit {
	slower, share := NetworkMisfit{Misfit: CopiesSlower}, NetworkMisfit{Misfit: CopiesShare}
	for _, f := range hosts {
		public, cluster := nicOf(f, f.Stack.PublicNIC), nicOf(f, f.Stack.ClusterNIC)
		switch {
		case f.Stack.Outside || public.Speed == 0 || cluster.Speed == 0:
		case public.Name != cluster.Name && cluster.Rate() < public.Rate():
			slower.Links = append(slower.Links, MisfitLink{f.Host, cluster, public})
		case public.Name == cluster.Name:
			if idle := fasterThan(public, f.NICs); idle.Speed > 0 {
				share.Links = append(share.Links, MisfitLink{f.Host, public, idle})
			}
		}
	}
	return slices.DeleteFunc([]NetworkMisfit{slower, share}, func(m NetworkMisfit) bool { return len(m.Links) == 0 })
}

// slowReplicas returns storage whose replicas are written over one network while all of their
// hosts are also on a better one.
func (b *builder) slowReplicas() []NetworkMisfit {
	var all []NetworkMisfit
	for _, s := range b.run.Inventory.Subjects {
		between := b.betweenReplicas(s)
		if len(between) == 0 {
			continue
		}
		disks := b.stackOf(s).Disks
		m := NetworkMisfit{Misfit: ReplicasSlower, Storage: cmp.Or(s.Tier, s.Name)}
		for _, n := range b.run.Inventory.Networks {
			if n.Name == between[0] {
				m.Used = b.wayOver(n, disks)
			}
		}
		for _, n := range b.run.Inventory.Networks {
			joins := !slices.ContainsFunc(disks, func(d assay.StackDisk) bool { return n.Addresses[b.hostWith(d)] == "" })
			if way := b.wayOver(n, disks); joins && !slices.Contains(between, n.Name) && way.better(m.Used) && (m.Better.Name == "" || way.better(m.Better)) {
				m.Better = way
			}
		}
		if m.Better.Name != "" && !slices.ContainsFunc(all, func(o NetworkMisfit) bool { return o.Storage == m.Storage && o.Used == m.Used }) {
			all = append(all, m)
		}
	}
	return all
}

// wayOver returns a network as seen by the hosts of replicas.
func (b *builder) wayOver(n assay.Network, disks []assay.StackDisk) NetworkWay {
	way := NetworkWay{Name: n.Name, MTU: n.MTU}
	var hosts []string
	for _, d := range disks {
		hosts = append(hosts, b.hostWith(d))
	}
	for i, host := range hosts {
		if rate := 8 * b.linkRate(host, n.Name); i == 0 || rate < way.Rate {
			way.Rate = rate
		}
	}
	way.Rate = cmp.Or(way.Rate, n.Rate)
	for _, r := range b.run.Results {
		if s := r.Trial.Subject; s.Kind == assay.KindLink && s.Network == n.Name && slices.Contains(hosts, s.Host) && slices.Contains(hosts, s.Peer) {
			way.RTT = max(way.RTT, middle(r, "net.rtt.median"))
		}
	}
	return way
}

// better reports whether a network is clearly faster than another: half again the rate, or at
// most half the round trip at no lower rate.
func (w NetworkWay) better(than NetworkWay) bool {
	known := w.Rate > 0 && than.Rate > 0
	return known && w.Rate >= 1.5*than.Rate || w.RTT > 0 && w.RTT <= .5*than.RTT && !(known && w.Rate < .9*than.Rate)
}

// fasterThan returns the fastest interface that is up, has its own link and is faster than
// another; empty if there is none.
func fasterThan(than assay.NICFacts, all []assay.NICFacts) (fastest assay.NICFacts) {
	for _, n := range all {
		if n.State == "up" && (!n.Virtual || n.Members > 0) && n.Rate() > max(than.Rate(), fastest.Rate()) {
			fastest = n
		}
	}
	return fastest
}

// unlikeMTU returns the networks whose MTU differs between hosts.
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
		return all[:1] // one interface serves both networks
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

// misfitPoints returns what is wrong with the networks, what limits, and what could be
// improved although nothing waits for it now.
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
