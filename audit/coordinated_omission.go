package audit

import (
	"fmt"
	"math"
	"strings"

	"assay"
)

var coordinatedOmission = Rule{
	ID: "coordinated-omission", Number: 46, Applies: "s3", Severities: "I W",
	Title:   "Latency without the time spent queueing (coordinated omission)",
	Formula: "latencies from a closed loop: I, or W if they include the 99th percentile or above, unless the slowest request took less than twice the mean; not for an open loop, nor where a fixed rate was set and 99 % of it reached",
	Source:  "G. Tene, How NOT to Measure Latency (2013): a client that waits for its answer sends nothing while the server stalls, and those requests are missing from the latencies",
	Example: "p99 = 309 ms of 20 clients that wait for each answer; the slowest took 833 ms, during which each left out 833 ms / 217 ms - 1 = 2.84 requests",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.closedLoop() {
				continue
			}
			for _, op := range l.ofObjects() {
				if f := l.omits(op); f != nil {
					found = append(found, *f)
				}
			}
		}
		return found
	},
}

// closedTools are known to send each request only after the last is answered.
var closedTools = map[string]bool{"warp": true, "s3bench": true, "s3-benchmark": true, "boto3": true}

// closedLoop reports whether clients waited for answers, because the output says so
// or the tool is known to.
func (l look) closedLoop() bool {
	switch l.label("", "loop") {
	case "open":
		return false
	case "closed":
		return true
	}
	return closedTools[strings.ToLower(l.label("", "tool"))]
}

// omits reports what one operation's latencies leave out; nil if it has none, or
// reached the rate it was limited to.
func (l look) omits(op string) *assay.Finding {
	const id = "coordinated-omission"
	p := "object." + op + "."
	ops, hasOps := l.median(p + "ops")
	if limit, ok := parseRate(l.label("", "rate")); ok && hasOps && ops >= rateKept*limit {
		return nil
	}
	latencies, tail := l.latenciesOf(p)
	if len(latencies) == 0 {
		return nil
	}
	sum := "a closed loop"
	if n := l.clients(); n == 1 {
		sum = "one client that waits for each answer"
	} else if n > 1 {
		sum = fmt.Sprintf("%d clients that wait for each answer", n)
	}
	severity, message := assay.Informs, "these are request times, not what users wait: users who arrive during a stall wait until it ends, and are not counted"
	if len(tail) > 0 {
		severity, latencies = assay.Warns, tail
		worst := tail[len(tail)-1]
		v, _ := l.median(worst)
		percentile, _ := assay.Percentile(worst)
		sum = fmt.Sprintf("p%s = %s of %s", strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", percentile), "0"), "."), seconds(v), sum)
		message = "users see a worse tail than this: those who arrive during a stall wait until it ends, and are not counted"
	}
	mean, hasMean := l.median(p + "latency.mean")
	most, hasMost := l.median(p + "latency.max")
	if hasMean && hasMost && mean > 0 && most >= mean {
		left := most/mean - 1
		sum += fmt.Sprintf("; the slowest took %s, during which each left out %s / %s - 1 = %s requests", seconds(most), seconds(most), seconds(mean), figure(left))
		if left < 1 {
			severity, message = assay.Informs, "these are request times, not what users wait; here there is little difference, since no stall lasted as long as a request"
		}
	}
	f := l.finding(id, severity, latencies, sum, message, "send requests on a fixed schedule, at a lower rate than was reached here: "+l.openLoop(op, ops))
	return &f
}

// latenciesOf returns the printed latencies, and those of the tail by
// percentile.
func (l look) latenciesOf(stem string) (all, tail []string) {
	seen := map[string]bool{}
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			if !strings.HasPrefix(m.Metric, stem+"latency.") || seen[m.Metric] {
				continue
			}
			if _, ok := l.median(m.Metric); !ok {
				continue
			}
			seen[m.Metric] = true
			all = append(all, m.Metric)
			if p, ok := assay.Percentile(m.Metric); ok && p >= tailFrom && p < 100 {
				tail = append(tail, m.Metric)
			}
		}
	}
	return all, sortedByPercentile(tail)
}

func sortedByPercentile(metrics []string) []string {
	for i := range metrics {
		for j := i; j > 0; j-- {
			a, _ := assay.Percentile(metrics[j-1])
			b, _ := assay.Percentile(metrics[j])
			if a <= b {
				break
			}
			metrics[j-1], metrics[j] = metrics[j], metrics[j-1]
		}
	}
	return metrics
}

// openLoop returns a command that starts requests at a rate below the one
// reached: oha corrects for what a stall holds back; warp at least delays no
// request for which a client is free.
func (l look) openLoop(op string, reached float64) string {
	rps := 100.0
	if reached > 0 && reached < 1e9 {
		rps = max(math.Floor(openShare*reached), 1)
	}
	clients := max(l.clients(), 64)
	if op == "get" {
		return fmt.Sprintf(`oha -z 5m -q %.0f -c %d --latency-correction --no-tui "$(aws s3 presign s3://BUCKET/OBJECT --endpoint-url http://HOST)"`, rps, clients)
	}
	return l.warpCommand(op, clients, rps)
}

// parseRate parses requests a second.
func parseRate(s string) (float64, bool) {
	n, ok := parseAmount(s)
	return n, ok && strings.Trim(s, "0123456789.") == ""
}
