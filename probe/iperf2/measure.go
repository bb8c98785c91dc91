package iperf2

import (
	"maps"
	"strconv"
	"strings"

	"assay"
)

// flow is the data in one direction of one test.
type flow struct {
	direction string
	from, to  string
	sends     bool // the local end sends it
	known     bool // the roles are known
	summed    bool // only iperf's own sum is left
	streams   [][]row
	arrived   []row
	sums      []row
}

// total is a flow's figure.
type total struct {
	row
	without bool // no final row: made of whole intervals
	arrived bool // it is the receiver's
}

func (l *log) measurements(target float64) []assay.Measurement {
	var all []assay.Measurement
	flows, starts := l.flows()
	for i, f := range flows {
		t, ok := f.total()
		if !ok {
			continue
		}
		labels := l.labels(f, t, target)
		if job := jobOf(flows, starts, i); job != "" {
			labels["job"] = job
		}
		all = append(all, l.figures(f, t, labels)...)
	}
	return all
}

// flows returns the flows of all tests, and which of them begin a test.
func (l *log) flows() (all []*flow, starts []bool) {
	for _, t := range l.tests {
		found := map[string]*flow{}
		begin := len(all)
		for _, c := range t.connections {
			for _, back := range []bool{false, true} {
				rows := c.rows
				if back {
					rows = c.back
				}
				if len(rows) == 0 && (back || c.arrived.line == 0) {
					continue
				}
				way := l.direction(c, back)
				f := found[way]
				if f == nil {
					f = &flow{direction: way, sends: l.sends(c, back), known: l.placed(c)}
					f.from, f.to = c.remote, c.local
					if f.sends {
						f.from, f.to = f.to, f.from
					}
					found[way] = f
					all, starts = append(all, f), append(starts, len(all) == begin)
				}
				f.streams = append(f.streams, rows)
				if !back && c.arrived.line != 0 {
					f.arrived = append(f.arrived, c.arrived)
				}
			}
		}
		switch {
		case len(all) == begin && len(t.sums) > 0:
			all = append(all, &flow{direction: forward, summed: true, streams: [][]row{t.sums}})
			starts = append(starts, true)
		case len(all) == begin+1: // iperf's own sum adds up both directions
			all[begin].sums = t.sums
		}
	}
	return all, starts
}

// jobOf names a flow if there are several.
func jobOf(flows []*flow, starts []bool, i int) string {
	if len(flows) == 1 {
		return ""
	}
	tests, mine := 0, 0
	for j := range flows {
		if starts[j] {
			tests++
		}
		if j == i {
			mine = tests
		}
	}
	if tests == 1 {
		return flows[i].direction
	}
	both := !starts[i] || i+1 < len(starts) && !starts[i+1]
	if both {
		return strconv.Itoa(mine) + " " + flows[i].direction
	}
	return strconv.Itoa(mine)
}

// total uses what arrived if the server reported on every stream, else iperf's
// own sum, else the sum of the streams' last lines.
func (f *flow) total() (total, bool) {
	if len(f.arrived) > 0 && len(f.arrived) == len(f.streams) {
		return total{row: added(f.arrived), arrived: true}, added(f.arrived).rate > 0
	}
	t := total{arrived: !f.sends}
	if n := len(f.sums); n > 0 && len(f.streams) > 1 && f.sums[n-1].start == 0 {
		t.row = f.sums[n-1]
		if finals, _ := f.finals(); len(finals) == len(f.streams) {
			t.fill(added(finals))
		}
		return t, t.rate > 0
	}
	finals, whole := f.finals()
	if len(finals) == 0 {
		return t, false
	}
	t.row, t.without = added(finals), !whole
	return t, t.rate > 0
}

// fill takes what a sum lacks from the streams.
func (t *total) fill(of row) {
	t.resent, t.cwnd, t.rtt, t.jitter = of.resent, of.cwnd, of.rtt, of.jitter
	if t.total.line == 0 {
		t.lost, t.total = of.lost, of.total
	}
}

// finals returns the line covering the whole of each stream; whole is false if
// one of them has none, and its intervals are used instead.
func (f *flow) finals() (finals []row, whole bool) {
	whole = true
	for _, rows := range f.streams {
		if len(rows) == 0 {
			continue
		}
		last := rows[len(rows)-1]
		if last.start == 0 {
			finals = append(finals, last)
			continue
		}
		whole = false
		finals = append(finals, mean(rows))
	}
	return finals, whole
}

// mean returns the figures over consecutive intervals.
func mean(rows []row) row {
	all := rows[len(rows)-1]
	all.start, all.bytes, all.rate = rows[0].start, 0, 0
	seconds := 0.0
	for _, r := range rows {
		seconds += r.end - r.start
		all.bytes += r.bytes
		all.rate += r.rate * (r.end - r.start)
		if r.line != all.line {
			all.resent = plus(r.resent, all.resent)
			all.lost, all.total = plus(r.lost, all.lost), plus(r.total, all.total)
		}
	}
	if !(seconds > 0) {
		return row{}
	}
	all.rate /= seconds
	return all
}

// added returns the sum of concurrent streams; windows and times are those of
// the last one, and jitter is the largest.
func added(rows []row) row {
	all := rows[0]
	for _, r := range rows[1:] {
		all.rate += r.rate
		all.bytes += r.bytes
		all.end = max(all.end, r.end)
		all.line = max(all.line, r.line)
		all.resent = plus(all.resent, r.resent)
		all.lost, all.total = plus(all.lost, r.lost), plus(all.total, r.total)
		all.cwnd, all.rtt = r.cwnd, r.rtt
		if r.jitter.value > all.jitter.value {
			all.jitter = r.jitter
		}
	}
	return all
}

// plus adds figures; if either was not printed, the sum is unknown.
func plus(a, b figure) figure {
	if a.line == 0 || b.line == 0 {
		return figure{}
	}
	return figure{a.value + b.value, b.line}
}

// intervals returns the parts of the test: of the only stream, or of the sums.
func (f *flow) intervals() []row {
	rows := f.sums
	if len(f.streams) == 1 {
		rows = f.streams[0]
	}
	if n := len(rows); n > 1 && rows[n-1].start == 0 {
		rows = rows[:n-1]
	} else if n == 1 {
		return nil
	}
	return rows
}

func (l *log) labels(f *flow, t total, target float64) map[string]string {
	labels := map[string]string{
		"tool": tool, "protocol": l.protocolOf(t), "streams": strconv.Itoa(len(f.streams)), "side": "sender",
	}
	if t.arrived {
		labels["side"] = "receiver"
	}
	if t.without {
		labels["summary"] = "none"
	}
	if target > 0 {
		labels["target_bitrate"] = strconv.FormatFloat(target, 'f', -1, 64)
	}
	if f.summed {
		delete(labels, "streams")
	}
	if !f.known {
		delete(labels, "side")
		return labels
	}
	labels["direction"], labels["from"], labels["to"] = f.direction, f.from, f.to
	if l.comma {
		delete(labels, "side")
		return labels
	}
	labels["role"] = "server"
	if f.sends == (f.direction == forward) {
		labels["role"] = "client"
	}
	return labels
}

func (l *log) protocolOf(t total) string {
	if l.protocol == "" && t.total.line != 0 {
		return "udp"
	}
	if l.protocol == "" {
		return "tcp"
	}
	return l.protocol
}

func (l *log) figures(f *flow, t total, labels map[string]string) []assay.Measurement {
	var all []assay.Measurement
	add := func(metric string, of figure, unit assay.Unit) *assay.Measurement {
		all = append(all, assay.Measurement{Metric: metric, Value: of.value, Unit: unit, Labels: maps.Clone(labels), Line: of.line})
		return &all[len(all)-1]
	}
	protocol := labels["protocol"]
	add("net."+protocol+".throughput", figure{t.rate, t.line}, assay.BytesPerSecond).Samples =
		samples(f.intervals(), func(r row) figure { return figure{r.rate, r.line} })
	if protocol == "udp" {
		if t.jitter.line != 0 {
			add("net.udp.jitter", t.jitter, assay.Seconds)
		}
		if t.total.value > 0 {
			add("net.udp.loss", figure{t.lost.value / t.total.value, t.total.line}, assay.One).Samples = samples(f.intervals(), row.loss)
		}
	} else {
		if t.resent.line != 0 {
			add("net.tcp.retransmits", t.resent, assay.One).Samples = samples(f.intervals(), func(r row) figure { return r.resent })
		}
		add("net.tcp.bytes", figure{t.bytes, t.line}, assay.Bytes)
		for _, known := range []struct {
			metric string
			of     figure
			unit   assay.Unit
		}{{"net.tcp.rtt", t.rtt, assay.Seconds}, {"net.tcp.cwnd", t.cwnd, assay.Bytes}, {"net.tcp.mss", l.mss, assay.Bytes}} {
			if known.of.value > 0 {
				add(known.metric, known.of, known.unit)
			}
		}
	}
	if seconds := t.end - t.start; seconds > 0 {
		add("tool.duration", figure{seconds, t.line}, assay.Seconds)
	}
	return all
}

// targetOf returns the rate requested on a command line, in bit/s per stream; 0
// if there is none. UDP has a rate even if none is requested.
func targetOf(argv []string, protocol string) float64 {
	if len(argv) == 1 {
		argv = strings.Fields(argv[0])
	}
	for i, word := range argv {
		value, given := strings.CutPrefix(word, "-b")
		if !given {
			value, given = strings.CutPrefix(word, "--bandwidth")
		}
		if !given {
			continue
		}
		value = strings.TrimPrefix(value, "=")
		if value == "" && i+1 < len(argv) {
			value = argv[i+1]
		}
		value, _, _ = strings.Cut(value, ",")
		digits := strings.TrimRight(value, "kmgKMG")
		scale := map[string]float64{"": 1, "K": 1e3, "M": 1e6, "G": 1e9}[strings.ToUpper(value[len(digits):])]
		if v, err := strconv.ParseFloat(digits, 64); err == nil && v > 0 && v*scale < 1e15 {
			return v * scale
		}
		return 0
	}
	if len(argv) > 0 && protocol == "udp" {
		return 1 << 20
	}
	return 0
}
