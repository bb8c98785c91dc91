package analysis

import (
	"cmp"
	"slices"
	"strings"

	"assay"
	"assay/analysis/hypotheses"
	"assay/stats"
)

// rowLoad says what a row of a table puts to the test; "" for what no hypothesis is
// about.
func rowLoad(r SideRow, t assay.Trial) hypotheses.Load {
	title := strings.ToLower(r.Title)
	large := strings.HasSuffix(r.Metric, ".bandwidth")
	switch {
	case r.Metric == "cpu.events_per_second" && strings.Contains(title, "all"):
		return hypotheses.AllThreads
	case r.Metric == "cpu.events_per_second":
		return hypotheses.OneThread
	case r.Metric == "thermal.rise":
		return hypotheses.Warmth
	case strings.HasPrefix(r.Metric, "memory.read"):
		return hypotheses.MemoryReads
	case strings.HasPrefix(r.Metric, "memory."):
		return hypotheses.MemoryWrites
	case strings.HasPrefix(r.Metric, "storage.read") && t.Subject.Kind == assay.KindDevice:
		return hypotheses.DeviceReads
	case strings.HasPrefix(r.Metric, "storage.read") && large:
		return hypotheses.LargeReads
	case strings.HasPrefix(r.Metric, "storage.read"):
		return hypotheses.RandomReads
	case strings.HasPrefix(r.Metric, "storage.write") && (isSync(t) || strings.Contains(title, "sync")):
		return hypotheses.SyncWrites
	case strings.HasPrefix(r.Metric, "storage.write") && large:
		return hypotheses.LargeWrites
	case strings.HasPrefix(r.Metric, "storage.write"):
		return hypotheses.RandomWrites
	}
	return ""
}

func isSync(t assay.Trial) bool { return t.Settings["sync"] == "1" || t.Settings["fsync"] == "1" }

// loadsOf says what is put to the test by a figure of these ways of a network.
func loadsOf(metric string, w Ways) []hypotheses.Load {
	pair := map[string][2]hypotheses.Load{
		"net.tcp.throughput":  {hypotheses.Sends, hypotheses.Receives},
		"net.udp.throughput":  {hypotheses.Sends, hypotheses.Receives},
		"net.tcp.retransmits": {hypotheses.LosesSent, hypotheses.LosesReceived},
		"net.udp.loss":        {hypotheses.LosesSent, hypotheses.LosesReceived},
		"net.path_mtu":        {hypotheses.NarrowSent, hypotheses.NarrowReceived},
		segmentMetric:         {hypotheses.ShortSent, hypotheses.ShortReceived},
		"net.rtt.median":      {hypotheses.RoundTrips, hypotheses.RoundTrips},
		"net.rtt.loss":        {hypotheses.EchoesLost, hypotheses.EchoesLost},
	}
	of, known := pair[metric]
	switch {
	case !known:
		return nil
	case of[0] == of[1]:
		return of[:1]
	case w == FromHost || w == OneOfPath:
		return of[:1]
	case w == ToHost:
		return of[1:]
	}
	return of[:]
}

// alikeWithin is how far from the others' median a figure may lie and still be said to
// be like them: it speaks against a fault that should have slowed it. What lies between
// this and an outlier says nothing.
const alikeWithin = 1.15

// sights says what is seen of a suspect: what stands out, and what is like the others'.
func (b *builder) sights(s *Side, host, peer string, effects []effect, signs []Sign) map[hypotheses.Load]hypotheses.Sight {
	seen := map[hypotheses.Load]hypotheses.Sight{}
	for _, e := range effects {
		for _, l := range e.loads {
			seen[l] = hypotheses.Sight{Odd: true, Ratio: max(e.Ratio, seen[l].Ratio)}
		}
	}
	for _, sign := range signs {
		for _, l := range loadsOf(sign.Metric, sign.Ways) {
			if !seen[l].Odd {
				seen[l] = hypotheses.Sight{Odd: true}
			}
		}
	}
	alike := func(l hypotheses.Load) {
		if _, is := seen[l]; l != "" && !is {
			seen[l] = hypotheses.Sight{}
		}
	}
	if peer == "" {
		b.alikeInTables(s, host, alike)
	}
	for i := range s.Networks {
		m := &s.Networks[i]
		for _, w := range []Ways{FromHost, ToHost} {
			if b.alike(m, host, peer, w) {
				for _, l := range loadsOf(m.Metric, w) {
					alike(l)
				}
			}
		}
	}
	if peer == "" {
		b.everywhere(s, host, effects, seen)
	}
	return seen
}

// alikeInTables calls alike for each load in which a host is like the others.
func (b *builder) alikeInTables(s *Side, host string, alike func(hypotheses.Load)) {
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			var own *Figure
			var others []float64
			trial := ""
			for i, c := range r.Cells {
				switch {
				case c.Figure == nil || c.Figure.Rejected || c.Odd != "":
				case s.Hosts[i] == host:
					own, trial = c.Figure, c.Trial
				default:
					others = append(others, c.Figure.Value)
				}
			}
			if isJudged(r.Metric) && own != nil && len(others) >= 2 && isAlike(own.Value, others, leastDifference[r.Metric]) {
				alike(rowLoad(r, b.results[trial].Trial))
			}
		}
	}
}

// isAlike reports whether a figure lies with the others'.
func isAlike(own float64, others []float64, least float64) bool {
	typical := stats.Median(others)
	return own > typical/alikeWithin && own < typical*alikeWithin || own > typical-least && own < typical+least
}

// alike reports whether the figures of a host as sender or as receiver, or of one path,
// are like those of the paths that it has no part in.
func (b *builder) alike(m *Matrix, host, peer string, w Ways) bool {
	ranked := b.ranked(m)
	own, others := []float64{}, make([]float64, 0, len(ranked))
	for _, p := range ranked {
		f, t := p.from, p.to
		if w == ToHost {
			f, t = t, f
		}
		switch {
		case f == host && (peer == "" || t == peer):
			own = append(own, p.value)
		case t != host:
			others = append(others, p.value)
		}
	}
	if len(own) == 0 || len(others) < 2 {
		return false
	}
	v := stats.Median(own)
	for _, symptom := range symptoms {
		if symptom.metric != m.Metric {
			continue
		}
		if m.Better == "higher" {
			return v >= stats.Median(others)
		}
		return v <= 10*stats.Median(others) || !symptom.bad(v, stats.Median(others), v)
	}
	return isJudged(m.Metric) && isAlike(v, others, leastDifference[m.Metric])
}

// ranked are the believable figures of a matrix by value: sorted once, and not anew for
// each host.
func (b *builder) ranked(m *Matrix) []path {
	if all, known := b.ranks[m]; known {
		return all
	}
	all := []path{}
	m.each(func(from, to int, c *SideCell) {
		if c.Figure != nil && c.Via == "" && !c.Figure.Rejected {
			all = append(all, path{from: m.Hosts[from], to: m.Hosts[to], value: c.Figure.Value})
		}
	})
	slices.SortFunc(all, func(a, b path) int { return cmp.Compare(a.value, b.value) })
	if b.ranks == nil {
		b.ranks = map[*Matrix][]path{}
	}
	b.ranks[m] = all
	return all
}

// everywhere says whether a host is slow on each of several networks, or well on some.
func (b *builder) everywhere(s *Side, host string, effects []effect, seen map[hypotheses.Load]hypotheses.Sight) {
	slow, well, on := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range effects {
		if e.Network != "" {
			slow[e.Network] = true
		}
	}
	for i := range s.Networks {
		m := &s.Networks[i]
		if m.Metric != "net.tcp.throughput" {
			continue
		}
		on[m.Network] = true
		well[m.Network] = well[m.Network] || b.alike(m, host, "", FromHost) && b.alike(m, host, "", ToHost)
	}
	if len(on) < 2 || len(slow) == 0 {
		return
	}
	if len(slow) == len(on) {
		seen[hypotheses.OnEveryNetwork] = hypotheses.Sight{Odd: true}
		return
	}
	for n := range on {
		if well[n] && !slow[n] {
			seen[hypotheses.OnEveryNetwork] = hypotheses.Sight{}
		}
	}
}
