package audit

import (
	"fmt"

	"assay"
	"assay/limits"
	"assay/stats"
)

var retransmits = Rule{
	ID: "retransmits", Number: 10, Applies: "iperf3, iperf2", Severities: "W",
	Title:   "TCP retransmits",
	Formula: "retransmitted segments after the first 2 s / segments sent in that time (bytes / segment size) > 1e-4, and at least 3 of them; if only a total was printed, what one window of slow start can lose is subtracted first, and at most 5 % of the segments",
	Source:  "RFC 5681: slow start ends with a loss; M. Mathis et al., The Macroscopic Behavior of the TCP Congestion Avoidance Algorithm (1997)",
	Example: "1,600 of 6,470,994 segments after the first 2 s: 0.0247 %",
	Check:   checkRetransmits,
}

func checkRetransmits(e Evidence) []assay.Finding {
	const id = "retransmits"
	var found []assay.Finding
	for _, f := range e.network() {
		total, ok := f.median("net.tcp.retransmits")
		if f.protocol != "tcp" || !ok || total < resentLeast {
			continue
		}
		c := f.resent()
		if c.bytes <= 0 || c.count < resentLeast {
			continue
		}
		small, large := f.segments()
		// Larger segments mean fewer of them: the share lies between these two.
		least, most := (c.count-c.excused(small))*small/c.bytes, c.count*large/c.bytes
		switch {
		case !stats.Finite(least) || most <= resentShare:
		case least > resentShare && c.count-c.excused(small) >= resentLeast:
			found = append(found, f.finding(id, assay.Warns, []string{"net.tcp.retransmits", f.metric},
				fmt.Sprintf("%s of %s segments %s: %.3g %%", grouped(c.count, 0), grouped(c.bytes/small, 0), c.when, 100*c.count*small/c.bytes),
				"segments are lost all the time, not only during slow start: suspect a cable, a port, a full queue, or a receiver that cannot keep up",
				"check the counters at both ends (ethtool -S IFACE | grep -Ei 'err|drop|crc|pause'), then measure once more: "+f.command()))
		case c.whole:
			found = append(found, f.unchecked(id, []string{"net.tcp.retransmits"}, "retransmits per second", "iperf3 prints them at the sender: "+f.command("-i 1")))
		default:
			found = append(found, f.unchecked(id, []string{"net.tcp.retransmits"}, "segment size", "iperf3 prints it as tcp_mss_default: "+f.command()))
		}
	}
	return found
}

// resentCount is the number of retransmitted segments and the bytes sent in the
// same time.
type resentCount struct {
	count, bytes float64
	when         string
	whole        bool    // from the start, slow start included
	window       float64 // B, of all streams
}

// excused returns how many segments slow start may lose: one window.
func (c resentCount) excused(mss float64) float64 {
	if !c.whole {
		return 0
	}
	return min(c.count, c.window/mss, slowStartLoss*c.bytes/mss)
}

// resent counts retransmits after slow start if there are per-interval figures,
// else all of them.
func (f flow) resent() resentCount {
	c := resentCount{whole: true, when: "in all"}
	skip := slowStart
	if omitted, ok := f.omitted(); ok {
		skip = max(0, slowStart-omitted)
	}
	for _, r := range f.reps {
		count, bytes, ok := afterSlowStart(r, f.metric, skip)
		if ok {
			c.count, c.bytes, c.whole = c.count+count, c.bytes+bytes, false
		}
	}
	if !c.whole {
		c.when = "after the first " + plain(skip) + " s"
		if skip == 0 {
			c.when = "after what was omitted"
		}
		return c
	}
	c.count, _ = f.median("net.tcp.retransmits")
	c.bytes, _ = f.median("net.tcp.bytes")
	if c.window, _ = f.median("net.tcp.cwnd"); !(c.window > 0) {
		c.window = sendBuffer
	}
	c.window *= float64(max(1, f.streams()))
	return c
}

// omitted returns how many seconds the tool left out at the start.
func (f flow) omitted() (float64, bool) {
	var seconds float64
	_, err := fmt.Sscan(f.of("omit"), &seconds)
	return seconds, err == nil && seconds > 0 && stats.Finite(seconds)
}

// afterSlowStart sums the intervals of a repeat that began after slow start; ok
// is false if there are none.
func afterSlowStart(r assay.Repeat, throughput string, skip float64) (count, bytes float64, ok bool) {
	resent, sent := r.Measurement("net.tcp.retransmits"), r.Measurement(throughput)
	if resent == nil || sent == nil || len(sent.Samples) < 2 {
		return 0, 0, false
	}
	// The clocks of the two ends differ by some ms.
	const near = .05
	from := 0.0
	for _, s := range sent.Samples {
		if from >= skip-near && s.At > from && s.Value > 0 {
			bytes += s.Value * (s.At - from)
		}
		from = s.At
	}
	from = 0
	for _, s := range resent.Samples {
		if from >= skip-near {
			count, ok = count+s.Value, true
		}
		from = s.At
	}
	return count, bytes, ok && bytes > 0 && stats.Finite(count) && stats.Finite(bytes)
}

// segments returns the segment size in B: the exact one if known, else the
// smallest and largest possible.
func (f flow) segments() (small, large float64) {
	if mss, ok := f.median("net.tcp.mss"); ok && mss > 0 {
		return mss, mss
	}
	if l, missing := f.nic(); missing == "" && l.MTU >= limits.SmallestMTU && l.MTU <= largestSegment {
		mss := limits.TCPPacket(l.MTU, false, false).Payload()
		return mss, mss
	}
	return limits.TCPPacket(usualMTU, false, false).Payload(), limits.TCPPacket(limits.LargestMTU, false, false).Payload()
}
