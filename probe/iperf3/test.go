package iperf3

import (
	"fmt"
	"maps"
	"strconv"

	"assay"
	"assay/internal/jsondoc"
)

// test is one test as printed. Values that were not printed are zero; a figure
// was printed if its line is not 0.
type test struct {
	version     string
	protocol    string // TCP or UDP
	role        string // client or server; "" where the head is lost
	client      string // addresses or names
	server      string
	streams     int // in each direction
	omit        float64
	target      float64 // bit/s per stream, 0 for none
	block       float64 // B
	congestion  string
	bidir       bool
	reversed    bool    // the data of a one-way test goes to the client
	interrupted bool    // it ended early
	asked       float64 // requested, in s; 0 unknown
	length      float64 // s of its command; 0 unknown, or not a time
	begun       bool    // it has its first lines, but neither last rows nor a summary
	trouble     string  // iperf3's own words
	troubleLine int
	cpu, mss    figure
	flows       [2]flow      // forward, reverse
	sockets     jsondoc.Node // the streams of the last interval
}

// figure is a number and the line it was on, from 1; line 0: not printed.
type figure struct {
	value float64
	line  int
}

// flow is the data in one direction, all streams together.
type flow struct {
	sent, got summary
	intervals []interval
	rtt       figure // s
	least     float64
	most      float64
	cwnd      figure // B, of one stream
	pmtu      float64
	// slowest and fastest are the rates of single streams, in B/s; 0 unknown.
	slowest, fastest float64
}

// summary is the line covering a whole test.
type summary struct {
	start, end  float64 // s
	bytes, rate float64 // B and B/s
	line        int
	resent      figure
	jitter      figure // s
	lost, total figure
	sides       bool // it names its side
}

// interval is a part of the test.
type interval struct {
	start, end  float64
	bytes, rate float64
	resent      figure
	jitter      figure // s
	lost, total figure // datagrams
	line        int
}

// fill adds what only the command line tells.
func (t *test) fill(c command) {
	if !c.known {
		return
	}
	if t.target == 0 {
		t.target = c.target
	}
	if t.omit == 0 {
		t.omit = c.omit
	}
	if t.server == "" {
		t.server = c.client
	}
	if t.role == "" && c.client != "" {
		t.role = client
	}
	if t.block == 0 {
		t.block = c.block
	}
	if c.client != "" && !c.amount {
		t.length = c.length
	}
}

// measurements returns the figures of each direction that has any.
func (t *test) measurements() ([]assay.Measurement, error) {
	if t.protocol != "TCP" && t.protocol != "UDP" {
		return nil, foreignProtocol(t.protocol)
	}
	var all []assay.Measurement
	var first error
	for i, direction := range []string{forward, reverse} {
		if !t.bidir && t.reversed != (direction == reverse) {
			continue
		}
		found, err := t.direction(&t.flows[i], direction)
		if err != nil && first == nil {
			first = err
		}
		all = append(all, found...)
	}
	if len(all) > 0 {
		return all, nil
	}
	if t.trouble != "" {
		return nil, failure(t.troubleLine, t.trouble)
	}
	return nil, first
}

// direction returns the figures of one flow.
func (t *test) direction(f *flow, direction string) ([]assay.Measurement, error) {
	best, err := t.choose(f, direction)
	if err != nil {
		return nil, err
	}
	labels := t.labels(direction)
	labels["side"] = best.side
	if best.without != "" {
		labels["summary"] = best.without
	}
	if t.interrupted && t.trouble != "" {
		labels["interrupted"] = t.trouble
	}
	if ran := best.end - best.start; t.asked > 0 && ran > 0 && ran < wholeTest*t.asked {
		labels["asked"] = number(t.asked)
		if labels["interrupted"] == "" {
			labels["interrupted"] = "the output ends early"
		}
	}
	if best.without == noSummary && t.begun && labels["interrupted"] == "" {
		labels["interrupted"] = "the output ends before its summary"
		if t.length > 0 {
			labels["asked"] = number(t.length)
		}
	}
	if f.slowest > 0 {
		labels["least_share"], labels["most_share"] = number(f.slowest), number(f.fastest)
	}
	if best.derived {
		labels["derived"] = "sent less lost"
	}
	if f.pmtu > 0 {
		labels["pmtu"] = number(f.pmtu)
	}
	var all []assay.Measurement
	add := func(metric string, of figure, unit assay.Unit) *assay.Measurement {
		all = append(all, assay.Measurement{Metric: metric, Value: of.value, Unit: unit, Labels: maps.Clone(labels), Line: of.line})
		return &all[len(all)-1]
	}
	name := "net.tcp."
	if t.protocol == "UDP" {
		name = "net.udp."
	}
	line := best.line
	add(name+"throughput", figure{best.rate, line}, assay.BytesPerSecond).Samples = f.samples()
	if name == "net.udp." {
		f.datagrams(best, add)
	} else {
		t.segments(f, best, add)
	}
	if t.cpu.line != 0 {
		add("net.cpu", t.cpu, assay.One)
	}
	if seconds := best.end - best.start; seconds > 0 {
		add("tool.duration", figure{seconds, line}, assay.Seconds)
	}
	return all, nil
}

// wholeTest is the share of its time that a test runs at least, unless ended
// early: the two ends of iperf3 stop their clocks one after the other.
const wholeTest = .9

type adder func(metric string, of figure, unit assay.Unit) *assay.Measurement

// segments adds the TCP figures.
func (t *test) segments(f *flow, best choice, add adder) {
	if resent := f.resent(best); resent.line != 0 {
		add("net.tcp.retransmits", resent, assay.One).Samples = f.resentSamples()
	}
	bytes := figure{f.sent.bytes, f.sent.line}
	if !(bytes.value > 0) || best.without == noSummary {
		bytes = figure{best.bytes, best.line}
	}
	if bytes.value > 0 {
		add("net.tcp.bytes", bytes, assay.Bytes)
	}
	if f.rtt.value > 0 {
		m := add("net.tcp.rtt", f.rtt, assay.Seconds)
		if f.least > 0 && f.most > 0 {
			m.Labels["min"], m.Labels["max"] = number(f.least), number(f.most)
		}
	}
	if f.cwnd.value > 0 {
		add("net.tcp.cwnd", f.cwnd, assay.Bytes)
	}
	if t.mss.value > 0 {
		add("net.tcp.mss", t.mss, assay.Bytes)
	}
}

// datagrams adds the UDP figures.
func (f *flow) datagrams(best choice, add adder) {
	s := f.arrival()
	if best.without == noSummary {
		s = best.summary
	}
	if s.line == 0 || !(s.total.value > 0) || s.lost.value < 0 {
		return
	}
	if s.jitter.line != 0 {
		add("net.udp.jitter", s.jitter, assay.Seconds)
	}
	if s.lost.line == 0 {
		return
	}
	add("net.udp.loss", figure{s.lost.value / s.total.value, s.lost.line}, assay.One)
}

// labels describes what happened; only the direction differs between
// directions.
func (t *test) labels(direction string) map[string]string {
	labels := map[string]string{"tool": tool}
	put := func(key, value string) {
		if value != "" && value != "0" {
			labels[key] = value
		}
	}
	protocol := "tcp"
	if t.protocol == "UDP" {
		protocol = "udp"
	}
	put("protocol", protocol)
	put("version", t.version)
	put("role", t.role)
	put("streams", strconv.Itoa(t.streams))
	put("omit", number(t.omit))
	put("target_bitrate", number(t.target))
	put("block", number(t.block))
	put("congestion", t.congestion)
	if t.role != "" || t.bidir {
		put("direction", direction)
	}
	from, to := t.client, t.server
	if direction == reverse {
		from, to = to, from
	}
	put("from", from)
	put("to", to)
	if t.bidir {
		put("job", direction)
		put("bidir", "1")
	}
	return labels
}

// number formats a number as briefly as possible.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// missing returns the error for output without figures.
func missing(why string) error { return fmt.Errorf("iperf3: %w: %s", assay.ErrNoOutput, why) }
