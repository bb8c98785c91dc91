package iperf3

import (
	"fmt"

	"assay/internal/jsondoc"
)

// readSum reads the sum of all streams over one interval.
func (f *flow) readSum(n jsondoc.Node) error {
	if omitted, _ := n.At("omitted").Bool(); omitted {
		return nil
	}
	s, err := readSummary(n, false)
	if err != nil {
		return err
	}
	f.intervals = append(f.intervals, interval{start: s.start, end: s.end, bytes: s.bytes, rate: s.rate, resent: s.resent, line: s.line})
	return nil
}

// readEnd reads the summary of the whole test. It contains each sum twice if
// data went both ways.
func (t *test) readEnd(n jsondoc.Node) error {
	seen := map[string]int{}
	var streams, cpu jsondoc.Node
	var failed error
	n.Fields(func(key string, value jsondoc.Node) {
		name := key
		switch key {
		case "streams":
			streams = value
			return
		case "cpu_utilization_percent":
			cpu = value
			return
		case "sender_tcp_congestion":
			t.congestion = value.Text()
			return
		case "sum", "sum_sent", "sum_received":
		case "sum_bidir_reverse", "sum_sent_bidir_reverse", "sum_received_bidir_reverse":
			name = key[:len(key)-len("_bidir_reverse")]
			seen[name] = max(seen[name], 1)
		default:
			return
		}
		at := seen[name]
		seen[name]++
		if at > 1 || failed != nil {
			return
		}
		t.bidir = t.bidir || at == 1
		if !t.bidir && t.reversed {
			at = 1
		}
		failed = t.flows[at].readEndSum(name, value, t.protocol)
	})
	if failed == nil {
		failed = t.readStreams(streams)
	}
	if failed == nil {
		failed = t.readCPU(cpu)
	}
	return failed
}

// readEndSum keeps one sum. Only UDP has "sum": the sender's bytes with the
// receiver's losses.
func (f *flow) readEndSum(name string, n jsondoc.Node, protocol string) error {
	s, err := readSummary(n, true)
	if err != nil {
		return err
	}
	switch {
	case name == "sum_received":
		s.sides, f.got = true, s
	case name == "sum_sent" && protocol == "UDP" && f.sent.line != 0:
		f.sent.bytes, f.sent.rate = s.bytes, s.rate
	case name == "sum_sent":
		s.sides, f.sent = true, s
	case protocol == "UDP":
		f.sent = s
	}
	return nil
}

// readSummary reads a sum, of the whole test or of one interval. A late datagram is
// subtracted from the losses of the interval in which it arrives.
func readSummary(n jsondoc.Node, whole bool) (summary, error) {
	s := summary{line: n.Line()}
	var bits, begin, end, moved figure
	var failed error
	n.Fields(func(name string, value jsondoc.Node) {
		unit := 1.0
		var to *figure
		switch name {
		case "start":
			to = &begin
		case "end":
			to = &end
		case "bytes":
			to = &moved
		case "bits_per_second":
			to = &bits
		case "retransmits":
			to = &s.resent
		case "jitter_ms":
			to, unit = &s.jitter, 1e-3
		case "lost_packets":
			to = &s.lost
		case "packets":
			to = &s.total
		default:
			return
		}
		if v, _ := value.Number(); name == "lost_packets" && !whole && v < 0 && v >= -greatest {
			*to = figure{v, value.Line()}
			return
		}
		v, ok, err := value.NotNegative(name, unit)
		switch {
		case err == nil && v > greatest:
			err = fmt.Errorf("line %d: %s is %g, which is impossible", value.Line(), name, v)
		case ok:
			*to = figure{v, value.Line()}
		}
		if err != nil && failed == nil {
			failed = fmt.Errorf("iperf3's %w", err)
		}
	})
	s.start, s.end, s.bytes, s.rate = begin.value, end.value, moved.value, bits.value/8
	switch {
	case failed != nil:
		return s, failed
	case s.end < s.start:
		return s, fmt.Errorf("iperf3's line %d: the interval ends at %g s, before it starts", s.line, s.end)
	case s.lost.value > s.total.value && s.total.line != 0:
		return s, fmt.Errorf("iperf3's line %d: %g of %g datagrams lost, which is impossible", s.lost.line, s.lost.value, s.total.value)
	}
	return s, nil
}

// readStreams reads the round-trip times, which the kernel counts in µs, and
// averages them over the streams.
func (t *test) readStreams(n jsondoc.Node) error {
	var count [2]float64
	var total [2]float64
	for _, s := range n.List() {
		sender := s.At("sender")
		at := t.sends(sender)
		f := &t.flows[at]
		for _, field := range []struct {
			name string
			to   func(v float64)
		}{
			{"mean_rtt", func(v float64) {
				total[at], count[at] = total[at]+v, count[at]+1
				f.rtt = figure{total[at] / count[at], sender.At("mean_rtt").Line()}
			}},
			{"min_rtt", func(v float64) {
				if f.least == 0 || v < f.least {
					f.least = v
				}
			}},
			{"max_rtt", func(v float64) { f.most = max(f.most, v) }},
		} {
			v, ok, err := sender.At(field.name).NotNegative(field.name, 1e-6)
			if err != nil {
				return fmt.Errorf("iperf3's %w", err)
			}
			if ok && v > 0 && v <= 3600 {
				field.to(v)
			}
		}
	}
	return nil
}

// readCPU keeps the CPU usage of the busier end.
func (t *test) readCPU(n jsondoc.Node) error {
	for _, key := range []string{"host_total", "remote_total"} {
		v, ok, err := n.At(key).NotNegative(key, .01)
		if err != nil {
			return fmt.Errorf("iperf3's %w", err)
		}
		if ok && v > t.cpu.value && v <= greatest {
			t.cpu = figure{v, n.At(key).Line()}
		}
	}
	return nil
}
