package audit

import (
	"fmt"
	"math"
	"strconv"

	"assay"
)

var bdpWindow = Rule{
	ID: "bdp-window", Number: 9, Applies: "iperf3, iperf2", Severities: "W",
	Title:   "The TCP window is the bottleneck, not the line",
	Formula: "payload within 10 % of streams x congestion window / round-trip time, and below 95 % of the ceiling of rule nic-ceiling; not where the round-trip time grew by more than a quarter over its minimum, for then a queue builds up and the window is not the limit",
	Source:  "a sender can have one window in flight per round trip (RFC 5681); the bandwidth-delay product",
	Example: "1.02 Gb/s against 1 x 1.28 MB / 10.0 ms = 1.02 Gb/s, of a ceiling of 9.41 Gb/s",
	Check:   checkBDPWindow,
}

func checkBDPWindow(e Evidence) []assay.Finding {
	const id = "bdp-window"
	var found []assay.Finding
	for _, f := range e.network() {
		window, ok := f.median("net.tcp.cwnd")
		if f.protocol != "tcp" || !ok || !(window > 0) || f.held() || f.streams() == 0 {
			continue
		}
		l, missing := f.line()
		if missing == "" && f.bits() >= lineUnderuse*l.ceiling {
			continue
		}
		rtt, queued := f.roundTrip()
		if queued {
			continue
		}
		if !(rtt > 0) {
			if missing == "" { // else nic-ceiling reports what is missing first
				found = append(found, f.unchecked(id, []string{f.metric}, "round-trip time",
					"ping the other end, or let iperf3 print it: "+f.command()))
			}
			continue
		}
		most := 8 * float64(f.streams()) * window / rtt
		if math.Abs(f.bits()/most-1) > windowMatch {
			continue
		}
		if missing != "" {
			found = append(found, f.uncheckedNIC(id, missing))
			continue
		}
		found = append(found, f.finding(id, assay.Warns, []string{f.metric, "net.tcp.cwnd"},
			fmt.Sprintf("%s against %d x %s / %s = %s, of a ceiling of %s",
				bitRate(f.bits()), f.streams(), volume(window), seconds(rtt), bitRate(most), bitRate(l.ceiling)),
			"the TCP window and the round-trip time limit this, not the line",
			"allow larger windows at both ends (sysctl -w net.ipv4.tcp_wmem='4096 65536 67108864' net.ipv4.tcp_rmem='4096 131072 67108864'), or use more streams: "+
				f.command("-P", fmt.Sprint(min(128, 1+int(float64(f.streams())*l.ceiling/f.bits()))))))
	}
	return found
}

// roundTrip returns the round-trip time in s: that of an idle line if the facts
// have it, else what the tool saw while sending; queued reports whether that
// had grown.
func (f flow) roundTrip() (rtt float64, queued bool) {
	if f.facts.RTT > 0 {
		return f.facts.RTT, false
	}
	rtt, ok := f.median("net.tcp.rtt")
	if !ok {
		return 0, false
	}
	for _, r := range f.reps {
		if m := r.Measurement("net.tcp.rtt"); m != nil {
			least, err := strconv.ParseFloat(m.Labels["min"], 64)
			queued = queued || err == nil && least > 0 && m.Value > queueGrowth*least
		}
	}
	return rtt, queued
}
