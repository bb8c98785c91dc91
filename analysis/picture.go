package analysis

import "slices"

// Picture is a network as hosts and the ways between them: the share of the expected
// rate that each way carries, and who is worse than the others.
type Picture struct {
	Network  string
	Metric   string
	Expected float64 // what the faster quarter of the ways reaches
	Hosts    []PictureHost
	Ways     []PictureWay // sender by sender
}

// PictureHost is a host of a picture.
type PictureHost struct {
	Name     string
	Sends    bool     // everything it sends is worse than the others'
	Receives bool     // everything it receives is
	Shows    []string // metrics in which all its ways are worse: net.tcp.retransmits
}

// PictureWay is the way from one host to another.
type PictureWay struct {
	From, To string
	Value    float64
	Share    float64  // of Expected; 0 if it has no figure
	Odd      bool     // worse than the others
	Shows    []string // other metrics in which it is worse
	Via      string   // a third host or gateway on the way, where none should be
	Lacks    string   // the word for why it has no figure; "" where it was never to be measured
	Measured bool
}

// MostPictured is the maximum number of hosts in a picture: more lines show
// nothing.
const MostPictured = 40

// Pictures returns the pictures of the networks with a throughput.
func (s *Side) Pictures() []Picture {
	var all []Picture
	for i := range s.Networks {
		m := &s.Networks[i]
		drawn := slices.ContainsFunc(all, func(p Picture) bool { return p.Network == m.Network })
		if m.Metric != "net.tcp.throughput" || drawn || len(m.Hosts) < 2 || len(m.Hosts) > MostPictured {
			continue
		}
		if p, ok := s.picture(m); ok {
			all = append(all, p)
		}
	}
	return all
}

func (s *Side) picture(m *Matrix) (Picture, bool) {
	p := Picture{Network: m.Network, Metric: m.Metric}
	var rates []float64
	m.each(func(from, to int, c *SideCell) {
		if c.Figure != nil && c.Via == "" && (!c.Figure.Rejected || c.Figure.Scattered) {
			rates = append(rates, c.Figure.Value)
		}
	})
	if len(rates) < 2 {
		return Picture{}, false
	}
	// Of three hosts with one slow both ways, a third of the ways is not slow.
	slices.Sort(rates)
	p.Expected = rates[len(rates)-1-len(rates)/4]
	m.each(func(from, to int, c *SideCell) {
		if c.Via != "" && m.Meshed {
			return // not a line of its own, but two via the host between
		}
		w := PictureWay{From: m.Hosts[from], To: m.Hosts[to], Via: c.Via, Odd: c.Odd == oddWord(false), Shows: s.shown(m, from, to)}
		switch {
		case c.Figure != nil && c.Figure.Rejected && !c.Figure.Scattered:
			w.Lacks = "rejected"
		case c.Figure != nil:
			w.Value, w.Measured = c.Figure.Value, true
			if p.Expected > 0 {
				w.Share = w.Value / p.Expected
			}
		case c.Absent != nil:
			w.Lacks = string(c.Absent.Word)
		}
		p.Ways = append(p.Ways, w)
	})
	for _, name := range m.Hosts {
		p.Hosts = append(p.Hosts, p.host(name))
	}
	return p, true
}

// shown returns the other metrics of a network in which a way is worse than the
// others.
func (s *Side) shown(of *Matrix, from, to int) []string {
	var all []string
	for _, m := range s.Networks {
		i, j := slices.Index(m.Hosts, of.Hosts[from]), slices.Index(m.Hosts, of.Hosts[to])
		if m.Network != of.Network || m.Metric == of.Metric || i < 0 || j < 0 || m.Cells[i][j].Odd != oddWord(false) {
			continue
		}
		if !slices.Contains(all, m.Metric) {
			all = append(all, m.Metric)
		}
	}
	return all
}

// host returns what is true of all ways of a host. It needs two of them: one says as
// much about its other end.
func (p *Picture) host(name string) PictureHost {
	h := PictureHost{Name: name}
	var sent, received []PictureWay
	for _, w := range p.Ways {
		switch {
		case !w.Measured, w.Via != "":
		case w.From == name:
			sent = append(sent, w)
		case w.To == name:
			received = append(received, w)
		}
	}
	isOdd := func(w PictureWay) bool { return w.Odd }
	h.Sends, h.Receives = allOf(sent, isOdd), allOf(received, isOdd)
	for _, ways := range [][]PictureWay{sent, received} {
		if len(ways) == 0 {
			continue
		}
		for _, metric := range ways[0].Shows {
			shows := func(w PictureWay) bool { return slices.Contains(w.Shows, metric) }
			if allOf(ways, shows) && !slices.Contains(h.Shows, metric) {
				h.Shows = append(h.Shows, metric)
			}
		}
	}
	return h
}

// Marked reports whether the host is worse than the others in anything.
func (h PictureHost) Marked() bool { return h.Sends || h.Receives || len(h.Shows) > 0 }

// Explains reports whether a slow way is blamed on the host.
func (h PictureHost) Explains(w PictureWay) bool {
	return h.Sends && w.From == h.Name || h.Receives && w.To == h.Name
}

func allOf(ways []PictureWay, is func(PictureWay) bool) bool {
	return len(ways) > 1 && !slices.ContainsFunc(ways, func(w PictureWay) bool { return !is(w) })
}
