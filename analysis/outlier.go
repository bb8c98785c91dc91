package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// Outlier is a host, or a way between two, that is clearly not like the others.
type Outlier struct {
	Host     string   `json:"host"`               // or the sender
	Peer     string   `json:"peer,omitempty"`     // the receiver, where one way between two is odd
	Section  string   `json:"section"`            // storage, cpu, memory, thermal, network
	Networks []string `json:"networks,omitempty"` // on which it is odd
	Rows     []string `json:"rows"`               // titles of the rows in which it is odd
	Better   bool     `json:"better,omitempty"`   // odd, but nothing to mend
	Least    float64  `json:"least"`              // to the median of the others or its inverse: over the rows, from
	Greatest float64  `json:"greatest"`           // and to
	Cause    string   `json:"cause,omitempty"`    // likely, by facts and labels; "" where they explain nothing
	Text     string   `json:"text"`               // a sentence
	Next     string   `json:"next,omitempty"`     // what to do, with what that rests on
}

// judged are the metrics in which a host can stand out. How worn a drive is, is
// its age and no fault.
var judged = []string{
	"cpu.events_per_second", "memory.read.bandwidth", "memory.write.bandwidth", "thermal.rise",
	"net.tcp.throughput", "net.udp.throughput", "net.rtt.median",
}

func isJudged(metric string) bool {
	return slices.Contains(judged, metric) || strings.HasPrefix(metric, "storage.")
}

// misfit is what is said of one host in one section.
type misfit struct {
	Outlier
	first odd     // farthest off
	row   SideRow // in which it is so
	hosts []string
	rate  float64 // B/s, the throughput on its worst network; 0 elsewhere
	pair  bool    // a way between two, not a host
	ways  string  // "to every host", "from", or ""
}

// outliers finds who stands out, marks the cells, and says why as far as that
// is known. A host is named once in a section, and once for all networks.
func (b *builder) outliers(s *Side) []Outlier {
	var misfits []*misfit
	for t := range s.Tables {
		for r := range s.Tables[t].Rows {
			misfits = b.oddInRow(misfits, s.Hosts, s.Tables[t].ID, &s.Tables[t].Rows[r])
		}
	}
	for i := range s.Networks {
		misfits = oddInMatrix(misfits, &s.Networks[i])
	}
	var out []Outlier
	for _, g := range misfits {
		if !g.Better {
			g.Cause, g.Next = b.cause(g)
		}
		g.Text = g.sentence()
		out = append(out, g.Outlier)
	}
	slices.SortStableFunc(out, byRatio)
	return out
}

// oddInRow judges one row. What the audit rejects is no figure to judge by.
func (b *builder) oddInRow(misfits []*misfit, hosts []string, section string, r *SideRow) []*misfit {
	if !isJudged(r.Metric) {
		return misfits
	}
	var samples []sample
	for i, c := range r.Cells {
		if c.Figure != nil && !c.Figure.Rejected {
			s := sampleOf(*c.Figure, hosts[i])
			s.disturbed = b.disturbed(*c.Figure)
			samples = append(samples, s)
		}
	}
	for _, o := range standOut(samples, leastDifference[r.Metric], eitherSide) {
		better := isBetter(o, r.Better)
		r.Cells[slices.Index(hosts, o.key)].Odd = oddWord(better)
		g := gather(&misfits, Outlier{Host: o.key, Section: section, Better: better}, keysOf(samples))
		g.add(o, *r, r.Title)
	}
	return misfits
}

// gather finds what is said already of a host in a section, or begins it.
func gather(misfits *[]*misfit, o Outlier, hosts []string) *misfit {
	for _, g := range *misfits {
		if g.Host == o.Host && g.Peer == o.Peer && g.Section == o.Section && g.Better == o.Better {
			return g
		}
	}
	o.Least = math.Inf(1)
	g := &misfit{Outlier: o, hosts: hosts}
	*misfits = append(*misfits, g)
	return g
}

func (g *misfit) add(o odd, r SideRow, title string) {
	if o.ratio > g.Greatest {
		g.first, g.row, g.Greatest = o, r, o.ratio
	}
	g.Least = min(g.Least, o.ratio)
	if !slices.Contains(g.Rows, title) {
		g.Rows = append(g.Rows, title)
	}
}

// views are the ways in which a network can have an odd one out, the widest
// first: a host both ways, a sender, a receiver, a cable, one way of a cable.
var views = []struct {
	pair bool
	ways string
	keys func(from, to string) []string
}{
	{false, "to and from every host", func(from, to string) []string { return []string{from, to} }},
	{false, "to every host", func(from, _ string) []string { return []string{from} }},
	{false, "from every host", func(_, to string) []string { return []string{to} }},
	{true, "both ways", func(from, to string) []string { return []string{min(from, to) + "\x00" + max(from, to)} }},
	{true, "", func(from, to string) []string { return []string{from + "\x00" + to} }},
}

// oddInMatrix judges one matrix by the widest view that names somebody. Figures
// of a way through a third host are as much that host's, and judge nobody.
func oddInMatrix(misfits []*misfit, m *Matrix) []*misfit {
	if !isJudged(m.Metric) {
		return misfits
	}
	// No host is faster than what is at the other end: where one seems to be, it
	// is a cable between the others that is slow.
	slow := belowOnly
	if m.Better == "lower" {
		slow = aboveOnly
	}
	for _, v := range views {
		var samples []sample
		m.each(func(from, to int, c *SideCell) {
			if c.Figure != nil && !c.Figure.Rejected && c.Via == "" {
				samples = append(samples, sampleOf(*c.Figure, v.keys(m.Hosts[from], m.Hosts[to])...))
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
			g := gather(&misfits, Outlier{Host: host, Peer: peer, Section: "network"}, m.measured())
			g.pair, g.ways = v.pair, v.ways
			if m.Metric == "net.tcp.throughput" || m.Metric == "net.udp.throughput" {
				g.rate = max(g.rate, o.mid)
			}
			g.add(o, SideRow{Metric: m.Metric, Better: m.Better}, m.Network+": "+m.Title)
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

// measured are the hosts of a matrix that have a figure, as either end.
func (m *Matrix) measured() []string {
	have := map[string]bool{}
	m.each(func(from, to int, c *SideCell) {
		if c.Figure != nil {
			have[m.Hosts[from]], have[m.Hosts[to]] = true, true
		}
	})
	return slices.DeleteFunc(slices.Clone(m.Hosts), func(h string) bool { return !have[h] })
}

// disturbed says that the audit saw something else run beside a figure.
func (b *builder) disturbed(f Figure) bool {
	return slices.ContainsFunc(b.footnotes, func(n Footnote) bool {
		return n.Rule == BusyRule && slices.Contains(f.Footnotes, n.Number)
	})
}

// each visits the cells beside the diagonal.
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

// sentence says who is odd, by how much, and why.
func (g *misfit) sentence() string {
	why := "nothing in its hardware facts explains it"
	if g.Cause != "" {
		why = g.Cause
	}
	o, metric := g.first, g.row.Metric
	if metric == "thermal.rise" {
		rise := quantity.Of(metric, o.mid) + " under load, the others by " + span(metric, o.from, o.to) + o.once()
		if g.Better {
			return fmt.Sprintf("%s heats up by %s.", g.Host, rise)
		}
		return fmt.Sprintf("%s heats up by %s: %s.", g.Host, rise, why)
	}
	if g.Better {
		return fmt.Sprintf("%s is %s × faster %s.", g.name(), g.times(), g.where())
	}
	return fmt.Sprintf("%s is %s × slower %s: %s.", g.name(), g.times(), g.where(), why)
}

// ReadOnce says that figures are single readings.
const ReadOnce = ", one reading each"

// once says of figures that are single readings that they are.
func (o odd) once() string {
	if o.single {
		return ReadOnce
	}
	return ""
}

// span prints from where to where the others lie, as one value where that is
// all the same.
func span(metric string, from, to float64) string {
	a, b := quantity.Of(metric, from), quantity.Of(metric, to)
	if a == b {
		return a
	}
	number, unit, _ := strings.Cut(a, " ")
	if strings.HasSuffix(b, " "+unit) {
		a = number // the unit is said once
	}
	return a + " to " + b
}

func (g *misfit) name() string {
	switch {
	case g.Peer == "":
		return g.Host
	case g.ways == "":
		return "The path from " + g.Host + " to " + g.Peer
	}
	return "The path between " + g.Host + " and " + g.Peer
}

func (g *misfit) times() string {
	a, b := quantity.Two(g.Least), quantity.Two(g.Greatest)
	if a == b {
		return a
	}
	return a + " to " + b
}

// where says in what it is so, with the figures of the worst.
func (g *misfit) where() string {
	o, metric := g.first, g.row.Metric
	figures := fmt.Sprintf("%s vs %s%s", quantity.Of(metric, o.mid), span(metric, o.from, o.to), o.once())
	if g.Section == "network" {
		return strings.Join(noEmpty(g.waysIfHost(), "on "+prose.And(g.Networks), "("+figures+")"), " ")
	}
	at := g.row.Title
	if n := len(g.Rows); n > 1 {
		return fmt.Sprintf("in %d rows, most in %s (%s)", n, at, figures)
	}
	return fmt.Sprintf("in %s (%s)", at, figures)
}

func (g *misfit) waysIfHost() string {
	if g.pair {
		return ""
	}
	return g.ways
}

func noEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// others are the hosts that a group's host is compared with.
func (g *misfit) others() []string {
	return slices.DeleteFunc(slices.Clone(g.hosts), func(h string) bool { return h == g.Host || h == g.Peer })
}

// labelsOf gives the labels of a host.
func (b *builder) labelsOf(host string) map[string]string {
	i := slices.IndexFunc(b.run.Inventory.Hosts, func(h assay.Host) bool { return h.Name == host })
	if i < 0 {
		return nil
	}
	return b.run.Inventory.Hosts[i].Labels
}
