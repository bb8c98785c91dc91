package audit

import (
	"fmt"
	"math"

	"assay"
	"assay/limits"
	"assay/stats"
)

var s3Floor = Rule{
	ID: "s3-floor", Number: 45, Applies: "s3", Severities: "E W",
	Title:   "Faster than the network to the server, or one request at a time",
	Formula: "mean (else minimum) latency < 90 % of round-trip time + object size / line rate, or first byte < 90 % of a round trip: E, W where no round-trip time was given (the server may be on the same host), not over loopback; throughput x latency / object size, or requests/s x latency, within 2 % of 1 where no concurrency of 1 was printed: W, not for one of several kinds of request running at once",
	Source:  "a request and its answer each cross the network once, and no byte is faster than the line; J. D. C. Little, A Proof for the Queuing Formula L = lambda W, Operations Research 9 (1961)",
	Example: "29.4 MB/s x 340 ms / 10.0 MB = 1.000 in flight",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		all := e.looks()
		single := oneByOne(all)
		for i, l := range all {
			for _, op := range l.ofObjects() {
				found = append(found, l.belowTheWay(op)...)
			}
			if f, ok := single[i]; ok {
				found = append(found, f)
			}
		}
		return found
	},
}

// belowTheWay compares a latency with the round trip plus the transfer time.
func (l look) belowTheWay(op string) []assay.Finding {
	const id = "s3-floor"
	metric, latency := l.typicalLatency(op)
	if metric == "" || l.onThisHost() {
		return nil
	}
	rtt, line, size := l.facts.RTT, limits.Uplink(*l.facts).Value, l.objectSize(op)
	if !(rtt > 0) || math.IsInf(rtt, 0) {
		rtt = 0
	}
	floor, sum := rtt, "a round trip of "+seconds(rtt)
	switch onLine := size > 0 && line > 0; {
	case onLine && rtt > 0:
		floor += size / line
		sum = fmt.Sprintf("round trip %s + %s / %s = %s", seconds(rtt), volume(size), rate(line), seconds(floor))
	case onLine:
		floor = size / line
		sum = fmt.Sprintf("%s / %s = %s", volume(size), rate(line), seconds(floor))
	}
	first, known := l.median("object." + op + ".first_byte.mean")
	switch {
	case latency+halfStep(latency, 1e-3) < requestSlack*floor:
		severity, message := assay.Rejects, "faster than the network in between: these requests did not go to that server and back"
		if rtt == 0 { // nobody says that there is a network in between
			severity, message = assay.Warns, "faster than the network port: either the server is on this host, or these requests did not go to it and back"
		}
		return []assay.Finding{l.finding(id, severity, []string{metric},
			fmt.Sprintf("%s against %s: %s", seconds(latency), sum, times(latency/floor)),
			message,
			"check where the requests went and the facts given: ping -c 100 HOST, ethtool NIC; then "+l.warpCommand(op, max(l.clients(), 1), 0))}
	case known && first+halfStep(first, 1e-3) < requestSlack*rtt:
		return []assay.Finding{l.finding(id, assay.Rejects, []string{"object." + op + ".first_byte.mean"},
			fmt.Sprintf("first byte after %s against a round trip of %s: %s", seconds(first), seconds(rtt), times(first/rtt)),
			"an answer cannot begin before the request has arrived",
			"check where the requests went and the round-trip time given: ping -c 100 HOST")}
	case rtt == 0 && line == 0 && size > 0:
		return []assay.Finding{l.unchecked(id, []string{metric}, "round-trip time and line rate to the server", "ping -c 100 HOST, and ethtool NIC")}
	case rtt == 0:
		return []assay.Finding{l.unchecked(id, []string{metric}, "round-trip time to the server", "ping -c 100 HOST")}
	case line == 0 && size > 0:
		return []assay.Finding{l.unchecked(id, []string{metric}, "line rate to the server", "ethtool NIC")}
	}
	return nil
}

// typicalLatency returns the mean latency, else the median, else the minimum.
func (l look) typicalLatency(op string) (metric string, latency float64) {
	for _, name := range []string{"latency.mean", "latency.p50", "latency.min"} {
		if v, ok := l.median("object." + op + "." + name); ok && v > 0 {
			return "object." + op + "." + name, v
		}
	}
	return "", 0
}

// abreast is how many requests of one operation were in flight, by its own
// figures.
type abreast struct {
	of      int // the result
	op      string
	n       float64
	sum     string
	metrics []string
	rounded bool // too much to show anything alone
	exact   bool // within oneAtATime of 1, unadjusted
}

// oneByOne finds the results, by index, that had one request in flight though
// nothing said so. A quotient off by a decimal-to-binary unit step, or heavily
// rounded, counts only if another of the same test needs no such allowance.
func oneByOne(all []look) map[int]assay.Finding {
	type test struct{ probe, host, comparison, from string }
	tests := map[test][]abreast{}
	for i, l := range all {
		if l.clients() == 1 || l.label("", "mixed") != "" {
			continue // it says so, or shared its clients with others
		}
		for _, op := range l.ofObjects() {
			if f, ok := l.underWay(op); ok {
				f.of = i
				key := test{l.label("", "tool"), l.Trial.Subject.Host, l.Trial.Comparison, ""}
				if key.comparison == "" {
					key.from = l.Trial.ID
				}
				tests[key] = append(tests[key], f)
			}
		}
	}
	found := map[int]assay.Finding{}
	for _, flights := range tests {
		sure := false
		for _, f := range flights {
			sure = sure || f.exact && !f.rounded
		}
		if !sure {
			continue
		}
		for _, f := range flights {
			if first, again := found[f.of]; again {
				first.Arithmetic, first.Metrics = first.Arithmetic+"; "+f.sum, append(first.Metrics, f.metrics...)
				found[f.of] = first
				continue
			}
			l := all[f.of]
			found[f.of] = l.finding("s3-floor", assay.Warns, f.metrics, f.sum,
				"concurrency 1: the throughput only restates the latency, and is not what the server can do",
				"measure it with several clients: "+l.warpCommand(f.op, 16, 0))
		}
	}
	return found
}

// underWay computes how many requests were in flight; ok is false if that is not
// one, or unknown.
func (l look) underWay(op string) (f abreast, ok bool) {
	p := "object." + op + "."
	latency, ok := l.median(p + "latency.mean")
	if !ok || !(latency > 0) {
		return f, false
	}
	rounding := halfStep(latency, 1e-3) / latency
	f = abreast{op: op, metrics: []string{p + "throughput", p + "latency.mean"}}
	if n, known := l.median(p + "ops"); known && n > 0 {
		f.metrics[0] = p + "ops"
		f.n, f.sum = n*latency, fmt.Sprintf("%s requests/s x %s", figure(n), seconds(latency))
		rounding += halfStep(n, .1) / n // tools print at least tenths
	} else if v, known := l.median(p + "throughput"); known && v > 0 && l.objectSize(op) > 0 {
		size := l.objectSize(op)
		f.n, f.sum = v*latency/size, fmt.Sprintf("%s x %s / %s", rate(v), seconds(latency), volume(size))
		rounding += max(halfStep(v, 1e6), halfStep(v, 1<<20)) / v
	} else {
		return f, false
	}
	if !stats.Finite(f.n) {
		return f, false
	}
	f.sum += fmt.Sprintf(" = %.3f in flight", f.n)
	f.rounded = rounding > tooRounded
	f.exact = math.Abs(f.n-1) <= oneAtATime
	near := oneAtATime + rounding
	return f, math.Abs(f.n-1) <= near || math.Abs(f.n*unitStep-1) <= near || math.Abs(f.n/unitStep-1) <= near
}
