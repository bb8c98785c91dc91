package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/analysis/hypotheses"
	"assay/analysis/sampled"
	"assay/plan/sampling"
	"assay/stats"
)

// isSampled reports whether a matrix has only some of its links: then the parts that
// links share are judged, not each link by its one figure.
func (m *Matrix) isSampled() bool {
	n, have := len(m.Hosts), 0
	if n <= sampling.Most {
		return false
	}
	m.each(func(_, _ int, c *SideCell) {
		if c.Figure != nil {
			have++
		}
	})
	return 2*have < n*(n-1)
}

// rateMetric is the metric that judges a sample.
const rateMetric = "net.tcp.throughput"

// sampledWays returns the ways of a sampled matrix, with the retransmits from its
// network's other matrix.
func (b *builder) sampledWays(m *Matrix, all []Matrix) []sampled.Way {
	again := map[[2]string]float64{}
	for i := range all {
		if o := &all[i]; o.Network == m.Network && o.Title == m.Title && o.Metric == resentMetric {
			o.each(func(from, to int, c *SideCell) {
				if c.Figure != nil {
					again[[2]string{o.Hosts[from], o.Hosts[to]}] = c.Figure.Value
				}
			})
		}
	}
	racks := map[string]string{}
	for _, h := range b.run.Inventory.Hosts {
		racks[h.Name] = cmp.Or(h.Labels["rack"], h.Labels["switch"])
	}
	var ways []sampled.Way
	m.each(func(from, to int, c *SideCell) {
		if c.Figure == nil || c.Via != "" || c.Figure.Rejected && !c.Figure.Scattered {
			return
		}
		w := sampled.Way{From: m.Hosts[from], To: m.Hosts[to], Rate: c.Figure.Value, Retransmits: again[[2]string{m.Hosts[from], m.Hosts[to]}]}
		w.FromRack, w.ToRack = racks[w.From], racks[w.To]
		ways = append(ways, w)
	})
	for _, r := range b.deciders { // of followed-up suspects
		s, rates, lost := r.Trial.Subject, r.Values(rateMetric), r.Values(resentMetric)
		if r.Trial.Case != hypotheses.TestFlow || s.Network != m.Network || len(rates) == 0 {
			continue
		}
		w := sampled.Way{From: s.Host, To: s.Peer, FromRack: racks[s.Host], ToRack: racks[s.Peer], Rate: stats.Median(rates)}
		if len(lost) > 0 {
			w.Retransmits = stats.Median(lost)
		}
		ways = append(ways, w)
	}
	return ways
}

// waysOf maps each part to its ways of a network.
var waysOf = map[sampled.Part]Ways{
	sampled.Sender: FromHost, sampled.Receiver: ToHost, sampled.Host: BothOfHost,
	sampled.Uplink: FromHost, sampled.UplinkTo: ToHost, sampled.Rack: BothOfHost,
}

// oddInSample blames the part that a sample's slow links share.
func (b *builder) oddInSample(misfits []*misfit, m *Matrix, all []Matrix) []*misfit {
	if m.Metric != rateMetric {
		return misfits
	}
	ways := b.sampledWays(m, all)
	for _, f := range sampled.Blame(ways) {
		if f.Symptom != sampled.Slow {
			continue
		}
		usual := f.Usual
		name := f.Name
		if f.OfRack() {
			name = "rack " + name
		}
		g := gather(&misfits, Standout{Host: name, Section: "network"}, m.measured())
		g.Ways, g.rate, g.Racks = waysOf[f.Part], f.Share*usual, f.OfRack()
		g.add(odd{key: name, below: true, ratio: 1 / f.Share, mid: f.Share * usual, typical: usual, from: usual, to: usual}, SideRow{Metric: m.Metric, Better: m.Better}, m.Network+": "+m.Title)
		if !slices.Contains(g.Networks, m.Network) {
			g.Networks = append(g.Networks, m.Network)
		}
		m.each(func(from, to int, c *SideCell) {
			if c.Figure != nil && f.Has(b.sampledWay(m, from, to)) {
				c.Odd = oddWord(false)
			}
		})
	}
	return misfits
}

// sampledSigns returns the parts of sampled networks that lose packets although their
// links are as fast as the others.
func (b *builder) sampledSigns(all []Matrix) []Sign {
	var out []Sign
	for i := range all {
		m := &all[i]
		if m.Metric != rateMetric || !m.isSampled() {
			continue
		}
		ways := b.sampledWays(m, all)
		for _, f := range sampled.Blame(ways) {
			if f.Symptom != sampled.Lossy || f.OfRack() {
				continue
			}
			s := Sign{Network: m.Network, Metric: resentMetric, Host: f.Name, Ways: waysOf[f.Part], Paths: f.Of, Least: math.Inf(1)}
			for _, w := range ways {
				if f.Has(w) {
					s.Least, s.Greatest = min(s.Least, w.Retransmits), max(s.Greatest, w.Retransmits)
				} else {
					s.Others = max(s.Others, w.Retransmits)
				}
			}
			out = append(out, s)
		}
	}
	return out
}

func (b *builder) sampledWay(m *Matrix, from, to int) sampled.Way {
	return sampled.Way{From: m.Hosts[from], To: m.Hosts[to], FromRack: b.rackOf(m.Hosts[from]), ToRack: b.rackOf(m.Hosts[to])}
}
