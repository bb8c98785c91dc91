package analysis

import (
	"math"
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/stats"
)

// Matrix is one figure of one network, from each host to each other.
type Matrix struct {
	Network string       `json:"network"`
	Title   string       `json:"title"` // of the trials
	Label   string       `json:"label"` // heading of the figure: throughput
	Metric  string       `json:"metric"`
	Unit    assay.Unit   `json:"unit"`
	Better  string       `json:"better"` // higher or lower
	Hosts   []string     `json:"hosts"`
	Cells   [][]SideCell `json:"cells"`            // by sender, then by receiver, in the order of Hosts
	Meshed  bool         `json:"meshed,omitempty"` // hosts are meant to pass on what others send: a ring
}

// matrixColumns are the figures of a link that get a matrix.
var matrixColumns = []column{
	{"net.tcp.throughput", "throughput"}, {"net.udp.throughput", "throughput"},
	{resentMetric, "retransmits"}, {"net.udp.loss", "packet loss"},
	{"net.rtt.median", "round-trip time"}, {"net.rtt.loss", "ping loss"}, {"net.rtt.duplicates", "duplicate replies"}, {"net.path_mtu", "path MTU"},
	{segmentMetric, "TCP segment size"}, {spreadMetric, "spread of round trips"},
}

// ReadSingly is the most link rows that are still read one by one.
const ReadSingly = 12

const resentMetric = "net.tcp.retransmits"

// segmentMetric is the payload of a TCP segment. It follows from the MTU and is worth a
// matrix only if paths differ.
const segmentMetric = "net.tcp.mss"

// spreadMetric is how much the round trips of a path vary. Its matrix is shown if
// something stands out in it.
const spreadMetric = "net.rtt.stddev"

// onlyWhereLost are figures whose matrix is shown only if one of them is not 0.
var onlyWhereLost = []string{"net.udp.loss", "net.rtt.loss", "net.rtt.duplicates"}

// matrices returns the figures of all links, network by network.
func (b *builder) matrices(hosts []string) []Matrix {
	var out []Matrix
	links := b.links()
	for _, c := range matrixColumns {
		for _, l := range links {
			if l.absent != nil || slices.Contains(l.has, c.metric) {
				out = b.enter(out, l, c, hosts)
			}
		}
	}
	out = slices.DeleteFunc(out, func(m Matrix) bool {
		return !slices.ContainsFunc(m.Cells, func(row []SideCell) bool {
			return slices.ContainsFunc(row, func(c SideCell) bool {
				return c.Figure != nil && (c.Figure.Value > 0 || !slices.Contains(onlyWhereLost, m.Metric))
			})
		})
	})
	out = slices.DeleteFunc(out, func(m Matrix) bool { return m.Metric == segmentMetric && !m.differs() })
	for i := range out {
		if at := b.networkRank(out[i].Network); at >= 0 {
			out[i].Meshed = b.run.Inventory.Networks[at].Direct
		}
		b.lackHosts(&out[i])
		out[i].trim()
	}
	order.Stable(out, func(x, y Matrix) int {
		return b.networkRank(x.Network) - b.networkRank(y.Network)
	})
	return out
}

// shortSegment is the share of a usual segment below which one is short: TCP options
// take a few bytes of some.
const shortSegment = .9

// differs reports whether some paths have much lower values than others.
func (m *Matrix) differs() bool {
	least, most := math.Inf(1), 0.
	m.each(func(_, _ int, c *SideCell) {
		if c.Figure != nil {
			least, most = min(least, c.Figure.Value), max(most, c.Figure.Value)
		}
	})
	return least < shortSegment*most
}

func (b *builder) networkRank(name string) int {
	return slices.IndexFunc(b.run.Inventory.Networks, func(n assay.Network) bool { return n.Name == name })
}

// ofLink is the result of a link, or why it has none.
type ofLink struct {
	*assay.Result
	absent *assay.Absence
	has    []string // metrics with a counted value
	ways   []bool   // directions with figures: false is there, true is back
}

// links returns the results of links, collected once rather than for each
// figure.
func (b *builder) links() []ofLink {
	var all []ofLink
	for i := range b.run.Results {
		r := &b.run.Results[i]
		if r.Trial.Subject.Kind != assay.KindLink {
			continue
		}
		l := ofLink{Result: r, absent: b.absence(*r)}
		for k := range r.Repeats {
			if r.Repeats[k].Counted() {
				for at := range r.Repeats[k].Measurements {
					l.has = appendOnce(l.has, r.Repeats[k].Measurements[at].Metric)
				}
			}
		}
		for _, back := range []bool{false, true} {
			if hasWay(r, back) {
				l.ways = append(l.ways, back)
			}
		}
		all = append(all, l)
	}
	return all
}

// enter puts one result into its matrix. Data that flows both ways at once
// takes two cells.
func (b *builder) enter(all []Matrix, l ofLink, c column, hosts []string) []Matrix {
	r, absent := *l.Result, l.absent
	s := r.Trial.Subject
	title, where := linkTitle(r.Trial)
	from, to := slices.Index(hosts, s.Host), slices.Index(hosts, s.Peer)
	if from < 0 || to < 0 || from == to {
		return all
	}
	if absent != nil {
		// The trial does not tell which figures it would have had: its absence
		// goes beside those that others of its kind have.
		for i := range all {
			if m := &all[i]; m.Network == s.Network && m.Title == title && m.Metric == c.metric {
				m.lack(from, to, where, SideCell{Trial: r.Trial.ID, Absent: absent})
				return all
			}
		}
		m := newMatrix(s.Network, title, c, hosts)
		m.lack(from, to, where, SideCell{Trial: r.Trial.ID, Absent: absent})
		return append(all, m)
	}
	for _, back := range l.ways {
		if back && c.metric == segmentMetric { // it is the client's MSS
			continue
		}
		cell := b.linkCell(l, c, back)
		if cell.Figure == nil {
			continue
		}
		i := slices.IndexFunc(all, func(m Matrix) bool {
			return m.Network == s.Network && m.Title == title && m.Metric == c.metric
		})
		if i < 0 {
			all, i = append(all, newMatrix(s.Network, title, c, hosts)), len(all)
		}
		if back {
			all[i].Cells[to][from] = cell
		} else {
			all[i].Cells[from][to] = cell
		}
	}
	return all
}

// lack puts an absence into the cell of its direction, and into that of the way
// back if the trial covered both.
func (m *Matrix) lack(from, to int, where string, c SideCell) {
	m.Cells[from][to] = c
	if strings.Contains(where, " ↔ ") {
		m.Cells[to][from] = c
	}
}

func newMatrix(network, title string, c column, hosts []string) Matrix {
	d, _ := assay.Describe(c.metric)
	m := Matrix{Network: network, Title: title, Label: c.label, Metric: c.metric, Unit: d.Unit, Better: betterWord(d.Better), Hosts: hosts}
	if c.metric == segmentMetric {
		m.Better = betterWord(assay.Higher)
	}
	for range hosts {
		m.Cells = append(m.Cells, make([]SideCell, len(hosts)))
	}
	return m
}

// linkCell sums up one direction of a link over the counted repeats.
func (b *builder) linkCell(l ofLink, c column, back bool) SideCell {
	r := *l.Result
	cell := SideCell{Trial: r.Trial.ID}
	var values []float64
	for _, rep := range r.Repeats {
		if !rep.Counted() {
			continue
		}
		for i := range rep.Measurements {
			m := &rep.Measurements[i]
			if m.Metric != c.metric || isBack(m) != back {
				continue
			}
			values = append(values, m.Value)
			for _, label := range []string{"route_back", "route"} {
				if via, is := strings.CutPrefix(m.Labels[label], "through "); is {
					cell.Via = via
				}
			}
			break
		}
	}
	if len(values) == 0 {
		return cell
	}
	if len(l.ways) > 1 {
		r = oneWay(r, back)
	}
	figures := []Figure{figure(c.metric, c.label, values, measured(r))}
	if c.metric == "net.tcp.throughput" {
		figures[0].Ceiling = lineCeiling(figures[0], r, b.run.Inventory)
	}
	b.mark(r.Trial.ID, figures)
	cell.Figure = &figures[0]
	if c.metric == resentMetric {
		cell.Segments = segmentsOf(r, back)
	}
	return cell
}

// segmentsOf returns the median number of TCP segments that a repeat sent one way; 0 if any
// repeat does not say.
func segmentsOf(r assay.Result, back bool) float64 {
	var all []float64
	for _, rep := range r.Counted() {
		mss, sent := rep.Measurement(segmentMetric), 0.
		for _, m := range rep.Measurements {
			if m.Metric == "net.tcp.bytes" && isBack(&m) == back {
				sent = m.Value
			}
		}
		if mss == nil || !(mss.Value > 0) || !(sent > 0) {
			return 0
		}
		all = append(all, sent/mss.Value)
	}
	if len(all) == 0 {
		return 0
	}
	return stats.Median(all)
}

// lackHosts fills in why hosts on the network that could not be queried have
// nothing there.
func (b *builder) lackHosts(m *Matrix) {
	i := slices.IndexFunc(b.run.Inventory.Networks, func(n assay.Network) bool { return n.Name == m.Network })
	if i < 0 {
		return
	}
	on := b.run.Inventory.Networks[i].Addresses
	for at, host := range m.Hosts {
		cell, is := b.unasked(host)
		if !is || on[host] == "" {
			continue
		}
		for other, name := range m.Hosts {
			if other != at && on[name] != "" {
				m.Cells[at][other], m.Cells[other][at] = cell, cell
			}
		}
	}
}

// trim removes the hosts that are not on the network.
func (m *Matrix) trim() {
	var on []int
	for i := range m.Hosts {
		if slices.ContainsFunc(m.Cells[i], there) || slices.ContainsFunc(m.Cells, func(row []SideCell) bool { return there(row[i]) }) {
			on = append(on, i)
		}
	}
	hosts, cells := []string{}, [][]SideCell{}
	for _, i := range on {
		hosts = append(hosts, m.Hosts[i])
		row := []SideCell{}
		for _, j := range on {
			row = append(row, m.Cells[i][j])
		}
		cells = append(cells, row)
	}
	m.Hosts, m.Cells = hosts, cells
}

func there(c SideCell) bool { return c.Figure != nil || c.Absent != nil }

func betterWord(b assay.Better) string {
	return map[assay.Better]string{assay.Higher: "higher", assay.Lower: "lower"}[b]
}
