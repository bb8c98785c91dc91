package analysis

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/analysis/hypotheses"
	"assay/internal/order"
	"assay/stats"
)

// rowLoad returns the load that a table row tests, or "" if no hypothesis is about
// it.
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
	case strings.HasPrefix(r.Metric, "storage.write") && (isSync(t) || strings.Contains(strings.ReplaceAll(title, "asynchronous", ""), "sync")):
		return hypotheses.SyncWrites
	case strings.HasPrefix(r.Metric, "storage.write") && large:
		return hypotheses.LargeWrites
	case strings.HasPrefix(r.Metric, "storage.write"):
		return hypotheses.RandomWrites
	}
	return ""
}

func isSync(t assay.Trial) bool { return t.Settings["sync"] == "1" || t.Settings["fsync"] == "1" }

// loadsOf returns the loads that a metric tests on these ways of a network.
func loadsOf(metric string, w Ways) []hypotheses.Load {
	pair := map[string][2]hypotheses.Load{
		"net.tcp.throughput": {hypotheses.Sends, hypotheses.Receives},
		"net.udp.throughput": {hypotheses.Sends, hypotheses.Receives},
		resentMetric:         {hypotheses.LosesSent, hypotheses.LosesReceived},
		"net.udp.loss":       {hypotheses.LosesSent, hypotheses.LosesReceived},
		"net.path_mtu":       {hypotheses.NarrowSent, hypotheses.NarrowReceived},
		segmentMetric:        {hypotheses.ShortSent, hypotheses.ShortReceived},
		"net.rtt.median":     {hypotheses.RoundTrips, hypotheses.RoundTrips},
		spreadMetric:         {hypotheses.Unsteady, hypotheses.Unsteady},
		"net.rtt.loss":       {hypotheses.EchoesLost, hypotheses.EchoesLost},
		"net.rtt.duplicates": {hypotheses.EchoesTwice, hypotheses.EchoesTwice},
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

// alikeWithin is how far from the others' median a figure may lie and still count as
// like them, and thus against a fault that should have slowed it. Anything between this
// and an outlier says nothing.
const alikeWithin = 1.15

// sights returns what is seen of a suspect: what stands out, and what is like the
// others'.
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
				alike(rowLoad(r, b.result(trial).Trial))
			}
		}
	}
}

// isAlike reports whether a figure is near the others' median: by alikeWithin, or by a
// difference of less than least.
func isAlike(own float64, others []float64, least float64) bool {
	return isNear(own, stats.Median(others), least)
}

// isNear reports whether a figure is like a typical one.
func isNear(own, typical, least float64) bool {
	return own > typical/alikeWithin && own < typical*alikeWithin || own > typical-least && own < typical+least
}

// alike reports whether the figures of a host as sender or receiver, or of one path,
// are like those of the paths it has no part in.
func (b *builder) alike(m *Matrix, host, peer string, w Ways) bool {
	of, at, end := b.ranked(m), slices.Index(m.Hosts, host), slices.Index(m.Hosts, peer)
	own, typical, others := of.medians(at, end, w)
	if math.IsNaN(own) || others < 2 || peer != "" && end < 0 {
		return false
	}
	for _, symptom := range symptoms {
		if symptom.metric != m.Metric {
			continue
		}
		if m.Better == "higher" {
			return own >= typical
		}
		return own <= 10*typical || !symptom.bad(path{value: own, segments: m.Cells[at][other(at)].Segments}, typical, own)
	}
	return isJudged(m.Metric) && isNear(own, typical, leastDifference[m.Metric])
}

// other returns another index, for a matrix of two or more.
func other(at int) int { return max(1-at, 0) }

// byValue holds the believable figures of a matrix by value, with their ends as indices
// of its hosts.
type byValue []placedValue

// placedValue is the value from one host index to another.
type placedValue struct {
	from, to int32
	value    float64
}

// medians returns the median of a host's figures as sender or receiver, only to or from
// end unless that is negative; and the median and number of all figures that do not end
// at the host.
func (all byValue) medians(host, end int, w Ways) (own, others float64, n int) {
	isOwn := func(i int) (own, other bool) {
		f, t := int(all[i].from), int(all[i].to)
		if w == ToHost {
			f, t = t, f
		}
		own = f == host && (end < 0 || t == end)
		return own, !own && t != host
	}
	mine := 0
	for i := range all {
		is, other := isOwn(i)
		if is {
			mine++
		}
		if other {
			n++
		}
	}
	own, others = math.NaN(), math.NaN()
	if mine == 0 || n == 0 {
		return own, others, n
	}
	own, others = 0, 0
	i, j := 0, 0
	for at := range all {
		is, other := isOwn(at)
		if is {
			own += halfOfMedian(i, mine) * all[at].value
			i++
		}
		if other {
			others += halfOfMedian(j, n) * all[at].value
			j++
		}
	}
	return own, others, n
}

// halfOfMedian returns the weight of the i-th of n sorted values in their
// median.
func halfOfMedian(i, n int) float64 {
	switch {
	case n%2 == 1 && i == n/2:
		return 1
	case n%2 == 0 && (i == n/2 || i == n/2-1):
		return .5
	}
	return 0
}

// ranked returns the figures of a matrix, sorted once rather than for each
// host.
func (b *builder) ranked(m *Matrix) byValue {
	if all, known := b.ranks[m]; known {
		return all
	}
	all := make(byValue, 0, len(m.Hosts)*len(m.Hosts))
	m.each(func(from, to int, c *SideCell) {
		if c.Figure != nil && c.Via == "" && !c.Figure.Rejected {
			all = append(all, placedValue{int32(from), int32(to), c.Figure.Value}) // #nosec G115 -- places in a list of hosts
		}
	})
	order.Stable(all, func(a, b placedValue) int { return cmp.Compare(a.value, b.value) })
	if b.ranks == nil {
		b.ranks = map[*Matrix]byValue{}
	}
	b.ranks[m] = all
	return all
}

// everywhere records whether a host is slow on each of several networks, or fine on
// some.
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
