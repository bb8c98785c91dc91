package analysis

import (
	"math"
	"slices"
	"strings"

	"assay"
	"assay/analysis/hypotheses"
	"assay/internal/order"
)

// Outlier is a host, or a way between two, that clearly differs from the
// others.
type Outlier struct {
	Standout
	Worst   Apart  // where it is farthest off
	Heat    *Apart // how far it heats up, if it is also slow; nil if it is one or the other
	Ways    Ways   // of its networks
	Effects []Effect
	Signs   []Sign            // symptoms on its paths, beside Effects or alone
	Why     *hypotheses.Cause // nil if it is better, or has no diagnosis
	Racks   bool              // Host and Peer are racks or switches: their hosts are slow together
}

// Standout is who stands out, in what, and how far.
type Standout struct {
	Host     string   `json:"host"`               // or the sender
	Peer     string   `json:"peer,omitempty"`     // the receiver, where one way between two is odd
	Section  string   `json:"section"`            // storage, cpu, memory, thermal, network
	Networks []string `json:"networks,omitempty"` // on which it is odd
	Rows     []string `json:"rows"`               // titles of the rows in which it is odd; Least and Greatest are theirs
	Better   bool     `json:"better,omitempty"`   // odd, but nothing to mend
	Likely   bool     `json:"likely,omitempty"`   // by a model of how repeats spread, which hides it
	Least    float64  `json:"least"`              // to the median of the others or its inverse: over the rows, from
	Greatest float64  `json:"greatest"`           // and to
}

// Apart is one figure that lies apart from the others'.
type Apart struct {
	Title    string // of the row; "" on a network
	Metric   string
	Own      float64
	From, To float64 // lowest and highest of the others'
	Once     bool    // some of its figures are single readings
}

// Ways are the ways of a network that stand out.
type Ways string

// They belong to a host, which may send and receive, or lie between two.
const (
	BothOfHost Ways = "to and from host" // to and from every other
	FromHost   Ways = "from host"        // to every other
	ToHost     Ways = "to host"
	BothOfPath Ways = "path"
	OneOfPath  Ways = "one way"
)

// judged are the metrics in which a host can stand out. A drive's wear is not
// among them: it is age, not a fault.
var judged = []string{
	"cpu.events_per_second", "memory.read.bandwidth", "memory.write.bandwidth", "thermal.rise",
	"net.tcp.throughput", "net.udp.throughput", "net.rtt.median",
}

func isJudged(metric string) bool {
	return slices.Contains(judged, metric) || strings.HasPrefix(metric, "storage.")
}

// misfit is what stands out about one host in one section.
type misfit struct {
	Outlier
	hosts   []string
	effects []effect
	rate    float64 // B/s, the throughput on its worst network; 0 elsewhere
}

// outliers finds what stands out, marks the cells, and gives the reason if
// known. A host is named once for each of its faults.
func (b *builder) outliers(s *Side) []Outlier {
	var misfits []*misfit
	for t := range s.Tables {
		for r := range s.Tables[t].Rows {
			misfits = b.oddInRow(misfits, s.Hosts, s.Tables[t].ID, &s.Tables[t].Rows[r])
		}
	}
	for i := range s.Networks {
		if m := &s.Networks[i]; m.isSampled() {
			misfits = b.oddInSample(misfits, m, s.Networks)
		} else if racks := b.slowRacks(m, s.Networks); len(racks) > 0 {
			misfits = b.blameRacks(misfits, m, racks)
		} else {
			misfits = oddInMatrix(misfits, m)
		}
	}
	misfits = b.likelyOutliers(misfits, s)
	out := b.diagnose(misfits, s)
	order.Stable(out, byRatio)
	return out
}

// oddInRow judges one row. Figures that the audit rejects do not count.
func (b *builder) oddInRow(misfits []*misfit, hosts []string, section string, r *SideRow) []*misfit {
	if !isJudged(r.Metric) {
		return misfits
	}
	var samples []sample
	for i, c := range r.Cells {
		if c.Figure != nil && !c.Figure.Rejected {
			s := sampleOf(*c.Figure, hosts[i])
			s.disturbed, s.warmUp = b.disturbed(*c.Figure), b.warmUp(c.Trial, r.Metric)
			samples = append(samples, s)
		}
	}
	for _, o := range standOut(samples, leastDifference[r.Metric], eitherSide) {
		better := isBetter(o, r.Better)
		r.Cells[slices.Index(hosts, o.key)].Odd = oddWord(better)
		g := gather(&misfits, Standout{Host: o.key, Section: section, Better: better}, keysOf(samples))
		g.add(o, *r, r.Title)
		g.about(rowLoad(*r, b.result(r.Cells[slices.Index(hosts, o.key)].Trial).Trial))
	}
	return misfits
}

// warmUp returns the value from the uncounted first repeat of a trial; 0 if there is
// none.
func (b *builder) warmUp(trial, metric string) float64 {
	for _, rep := range b.result(trial).Repeats {
		if m := rep.Measurement(metric); rep.N == 0 && rep.Outcome == assay.Done && m != nil {
			return m.Value
		}
	}
	return 0
}

// gather returns the misfit of a host in a section, and creates it if needed.
func gather(misfits *[]*misfit, o Standout, hosts []string) *misfit {
	for _, g := range *misfits {
		if g.Host == o.Host && g.Peer == o.Peer && g.Section == o.Section && g.Better == o.Better {
			return g
		}
	}
	o.Least = math.Inf(1)
	g := &misfit{Outlier: Outlier{Standout: o}, hosts: hosts}
	*misfits = append(*misfits, g)
	return g
}

func (g *misfit) add(o odd, r SideRow, title string) {
	if o.ratio > g.Greatest {
		g.Greatest = o.ratio
		g.Worst = Apart{Title: r.Title, Metric: r.Metric, Own: o.mid, From: o.from, To: o.to, Once: o.single}
	}
	g.Least = min(g.Least, o.ratio)
	g.effects = append(g.effects, effect{repeats: o.repeats, Effect: Effect{
		Title: r.Title, Metric: r.Metric, Own: o.mid, From: o.from, To: o.to,
		Ratio: o.ratio, Low: o.least, High: o.most, Once: o.single,
	}})
	if !slices.Contains(g.Rows, title) {
		g.Rows = append(g.Rows, title)
	}
}

// about sets the loads that the last effect tests.
func (g *misfit) about(loads ...hypotheses.Load) { g.effects[len(g.effects)-1].loads = loads }

// view groups paths by a key: a host, or two with a zero byte between.
type view struct {
	ways Ways
	keys func(from, to string) []string
}

// views are the ways in which something can stand out on a network, widest
// first: a host both ways, a sender, a receiver, a cable, one way of a cable.
var views = []view{
	{BothOfHost, func(from, to string) []string { return []string{from, to} }},
	{FromHost, func(from, _ string) []string { return []string{from} }},
	{ToHost, func(_, to string) []string { return []string{to} }},
	{BothOfPath, func(from, to string) []string { return []string{min(from, to) + "\x00" + max(from, to)} }},
	{OneOfPath, func(from, to string) []string { return []string{from + "\x00" + to} }},
}

// oddInMatrix judges one matrix by the widest view that finds an outlier.
// Figures of a path through a third host depend on that host too, and judge
// nobody.
func oddInMatrix(misfits []*misfit, m *Matrix) []*misfit {
	if !isJudged(m.Metric) {
		return misfits
	}
	// No host is faster than the other end: if one seems to be, a cable between
	// the others is slow.
	slow := belowOnly
	if m.Better == "lower" {
		slow = aboveOnly
	}
	for _, v := range views {
		samples := make([]sample, 0, len(m.Hosts)*len(m.Hosts))
		m.each(func(from, to int, c *SideCell) {
			if c.Figure != nil && !c.Figure.Rejected && c.Via == "" {
				s := sampleOf(*c.Figure, v.keys(m.Hosts[from], m.Hosts[to])...)
				s.disturbed = v.ways == OneOfPath // one reading of one way: nothing confirms it
				samples = append(samples, s)
			}
		})
		found := standOut(samples, leastDifference[m.Metric], slow)
		for _, o := range found {
			m.each(func(from, to int, c *SideCell) {
				if c.Figure != nil && c.Via == "" && slices.Contains(v.keys(m.Hosts[from], m.Hosts[to]), o.key) {
					c.Odd = oddWord(false)
				}
			})
			host, peer, _ := strings.Cut(o.key, "\x00")
			g := gather(&misfits, Standout{Host: host, Peer: peer, Section: "network"}, m.measured())
			g.Ways = v.ways
			if m.Metric == "net.tcp.throughput" || m.Metric == "net.udp.throughput" {
				g.rate = max(g.rate, o.mid)
			}
			g.add(o, SideRow{Metric: m.Metric, Better: m.Better}, m.Network+": "+m.Title)
			g.about(loadsOf(m.Metric, v.ways)...)
			last := &g.effects[len(g.effects)-1]
			last.Title, last.Network, last.Ways = m.Title, m.Network, v.ways
			if !slices.Contains(g.Networks, m.Network) {
				g.Networks = append(g.Networks, m.Network)
			}
		}
		if len(found) > 0 {
			return misfits
		}
	}
	return misfits
}

// measured returns the hosts of a matrix that have a figure, at either end.
func (m *Matrix) measured() []string {
	have := map[string]bool{}
	m.each(func(from, to int, c *SideCell) {
		if c.Figure != nil {
			have[m.Hosts[from]], have[m.Hosts[to]] = true, true
		}
	})
	return slices.DeleteFunc(slices.Clone(m.Hosts), func(h string) bool { return !have[h] })
}

// disturbed reports whether the audit saw other work run during a figure.
func (b *builder) disturbed(f Figure) bool {
	return b.cites(f, func(n Footnote) bool { return n.Rule == BusyRule })
}

// each visits the cells off the diagonal.
func (m *Matrix) each(visit func(from, to int, c *SideCell)) {
	for from := range m.Cells {
		for to := range m.Cells[from] {
			if from != to {
				visit(from, to, &m.Cells[from][to])
			}
		}
	}
}

func isBetter(o odd, better string) bool { return o.below == (better == "lower") }

func oddWord(better bool) string {
	if better {
		return "better"
	}
	return "worse"
}

// labelsOf returns the labels of a host.
func (b *builder) labelsOf(host string) map[string]string {
	i := slices.IndexFunc(b.run.Inventory.Hosts, func(h assay.Host) bool { return h.Name == host })
	if i < 0 {
		return nil
	}
	return b.run.Inventory.Hosts[i].Labels
}
