package analysis

import (
	"cmp"
	"slices"

	"assay/analysis/sampled"
)

// If all links were measured and the file names racks or switches, what hosts share is
// blamed before any single host.

// leastInRack is how many hosts each of two racks needs for a rack to be told from its
// hosts.
const leastInRack = 3

// slowRacks returns the racks with slow incoming, outgoing or overall traffic on a
// network; of two racks, whose uplinks cannot be told apart, the way between them.
func (b *builder) slowRacks(m *Matrix, all []Matrix) []rackFault {
	if m.Metric != rateMetric || !slices.ContainsFunc(m.Hosts, func(h string) bool { return b.rackOf(h) != "" }) {
		return nil
	}
	ways := b.sampledWays(m, all)
	hosts := map[string][]string{}
	for _, w := range ways {
		if w.FromRack == "" || w.ToRack == "" {
			return nil
		}
		hosts[w.FromRack], hosts[w.ToRack] = appendOnce(hosts[w.FromRack], w.From), appendOnce(hosts[w.ToRack], w.To)
	}
	if len(hosts) == 2 {
		return betweenTwo(ways, hosts)
	}
	var out []rackFault
	for _, f := range sampled.Blame(ways) {
		if f.OfRack() && f.Symptom == sampled.Slow && len(hosts[f.Name]) >= 2 {
			out = append(out, rackFault{from: f.Name, ways: waysOf[f.Part], own: f.Share * f.Usual, usual: f.Usual, has: f.Has})
		}
	}
	return out
}

// rackFault is a slow rack, or the slow way between two, and the ways that
// belong to it.
type rackFault struct {
	from, to   string
	ways       Ways
	own, usual float64
	has        func(sampled.Way) bool
}

// betweenTwo finds the way between two racks on which all pairs of hosts are slow while
// none within the racks is.
func betweenTwo(ways []sampled.Way, hosts map[string][]string) []rackFault {
	names := []string{}
	for name, of := range hosts {
		if len(of) < leastInRack {
			return nil
		}
		names = append(names, name)
	}
	slices.Sort(names)
	var within []float64
	across := map[string][]float64{} // by sending rack
	for _, w := range ways {
		if w.FromRack == w.ToRack {
			within = append(within, w.Rate)
		} else {
			across[w.FromRack] = append(across[w.FromRack], w.Rate)
		}
	}
	slices.Sort(within)
	var slow []string
	for _, name := range names {
		if len(across[name]) > 0 && slices.Max(across[name])*oddRatioSingle < within[0] {
			slow = append(slow, name)
		}
	}
	if len(slow) == 0 {
		return nil
	}
	f := rackFault{from: slow[0], to: names[0], ways: OneOfPath, usual: within[len(within)/2]}
	if f.to == f.from {
		f.to = names[1]
	}
	rates := across[slow[0]]
	if len(slow) == 2 {
		f.ways = BothOfPath
		rates = append(slices.Clone(rates), across[slow[1]]...)
	}
	slices.Sort(rates)
	f.own = rates[len(rates)/2]
	f.has = func(w sampled.Way) bool {
		return w.FromRack == f.from && w.ToRack == f.to || f.ways == BothOfPath && w.FromRack == f.to && w.ToRack == f.from
	}
	return []rackFault{f}
}

// blameRacks attributes slow links to what their hosts share.
func (b *builder) blameRacks(misfits []*misfit, m *Matrix, racks []rackFault) []*misfit {
	for _, f := range racks {
		o := Standout{Host: "rack " + f.from, Section: "network"}
		if f.to != "" {
			o.Peer = "rack " + f.to
		}
		g := gather(&misfits, o, m.measured())
		g.Ways, g.rate, g.Racks = f.ways, f.own, true
		g.add(odd{key: o.Host, below: true, ratio: f.usual / f.own, mid: f.own, typical: f.usual, from: f.usual, to: f.usual, least: f.usual / f.own, most: f.usual / f.own},
			SideRow{Metric: m.Metric, Better: m.Better}, m.Network+": "+m.Title)
		last := &g.effects[len(g.effects)-1]
		last.Title, last.Network, last.Ways = m.Title, m.Network, f.ways
		g.Networks = appendOnce(g.Networks, m.Network)
		m.each(func(from, to int, c *SideCell) {
			if c.Figure != nil && f.has(b.sampledWay(m, from, to)) {
				c.Odd = oddWord(false)
			}
		})
	}
	return misfits
}

// rackOf returns the rack of a host, or its switch; "" if the file names none.
func (b *builder) rackOf(host string) string {
	l := b.labelsOf(host)
	return cmp.Or(l["rack"], l["switch"])
}
