package alerts

import (
	"fmt"
	"time"

	"assay"
	"assay/internal/quantity"
	"assay/plan"
	"assay/plan/canary"
	"assay/report/exposition"
	"assay/stats"
)

// How much worse than in the baseline run the figures of assay watch may be.
const (
	slowerWatch   = 5.   // times the latency
	leastLatency  = .005 // s: less does not matter
	leastRTT      = .001 // s
	slowerNetwork = .5   // of the throughput
)

// After how many intervals a watch has stopped, a figure is no outlier, and a change is
// no news: one is found four rounds late or more.
const (
	stoppedRounds, stoppedLeast = 2.2, 7200. // s
	outlierRounds               = 1.5
	newsRounds, newsLeast       = 12., 86400. // s
)

// intervals returns an expression for that many intervals of the running watch, at least
// the given seconds. It has no labels, and a value even if the interval is unknown.
func intervals(rounds, least float64) string {
	return fmt.Sprintf("on () group_left () (clamp_min(%g * max(assay_watch_interval_seconds), %g) or vector(%[2]g))", rounds, least)
}

// every returns the default interval of a watch that measures what the baseline did.
func (c Cluster) every() time.Duration {
	var p plan.Plan
	for _, r := range c.Run.Results {
		p.Trials = append(p.Trials, r.Trial)
	}
	return canary.Of(p).Every()
}

// watch returns the rules on what assay watch measures. They need a run of the suite watch
// as their baseline.
func (c Cluster) watch() (all []Rule) {
	if c.Run == nil || c.Run.Suite != "watch" {
		return nil
	}
	stopped := `assay_run_start_time_seconds{instance="pve1:9798",run="r1",suite="watch"}`
	another := `assay_run_start_time_seconds{instance="pve2:9798",run="r2",suite="watch"}`
	failed := `assay_trial_failed{case="fio/watch-syncwrite-4k",host="pve1",subject="/srv",suite="watch"}`
	const interval = "assay_watch_interval_seconds"
	changed := `assay_change_time_seconds{host="pve1",metric="storage.write.latency.p99",subject="/srv",verdict="worse"}`
	all = append(all, Rule{
		Alert: "AssayWatchStopped", Expr: `time() - max by (instance, suite) (assay_run_start_time_seconds{suite="watch"}) > ` + intervals(stoppedRounds, stoppedLeast) + ` or absent(assay_run_start_time_seconds{suite="watch"})`, For: "5m", Severity: "warning",
		Summary: "assay watch missed two rounds, or no longer runs", Reason: "the newest round is more than 2.2 intervals and two hours old, or there are no metrics, as when the watch has ended", Next: "systemctl status assay-watch",
		Fires:  []Series{constant(stopped, "-14400"), constant(another, "3000"), constant(interval, "3600")},
		Labels: map[string]string{"instance": "pve1:9798", "suite": "watch"},
		Quiet:  []Series{constant(stopped, "-14400"), constant(another, "3000"), constant(interval, "21600")},
	}, Rule{
		Alert: "AssayTrialFailed", Expr: `assay_trial_failed{suite="watch"} > 0`, For: "0m", Severity: "warning",
		Summary: "{{ $labels.case }} of {{ $labels.subject }} on {{ $labels.host }} can't be measured any more",
		Reason:  "assay watch got no figure in its newest round: the device returns errors, it is full, the host is away or a tool is missing; no other rule sees a figure that is gone",
		Next:    "journalctl -u assay-watch",
		Fires:   []Series{constant(failed, "1")},
		Labels:  map[string]string{"host": "pve1", "case": "fio/watch-syncwrite-4k", "subject": "/srv", "suite": "watch"},
		Quiet:   []Series{constant(failed, "0")},
	}, Rule{
		Alert: "AssayFigureWorse", Expr: `time() - assay_change_time_seconds{verdict="worse"} < ` + intervals(newsRounds, newsLeast), For: "0m", Severity: "warning",
		Summary: "{{ $labels.metric }} of {{ $labels.subject }} on {{ $labels.host }} has got worse and stayed worse",
		Reason:  "assay watch found a change point: the level since differs from the one before with a chance of error of 1 %",
		Next:    "assay trend METRIC",
		Fires:   []Series{constant(changed, "3000"), constant(interval, "3600")},
		Labels:  map[string]string{"host": "pve1", "metric": "storage.write.latency.p99", "subject": "/srv", "verdict": "worse"},
		Quiet:   []Series{constant(changed, "-300000"), constant(interval, "21600")},
	})
	for _, f := range exposition.FiguresOf(*c.Run) {
		if r, is := c.ofFigure(f); is && !f.Rejected {
			all = append(all, r)
		}
	}
	return from("assay watch", all)
}

// limitOf returns the maximum of a figure of a watch, or its minimum if below is true; was
// is its baseline.
func limitOf(metric string, was float64) (limit float64, below, known bool) {
	switch metric {
	case "storage.write.latency.p99", "storage.read.latency.p99":
		return max(leastLatency, slowerWatch*was), false, true
	case "net.rtt.median":
		return max(leastRTT, slowerWatch*was), false, true
	case "net.tcp.throughput":
		return slowerNetwork * was, true, true
	}
	return 0, false, false
}

// ofFigure returns the rule on one figure, if it is one that indicates trouble.
func (c Cluster) ofFigure(f exposition.Figure) (Rule, bool) {
	was := stats.Median(f.Values)
	limit, below, known := limitOf(f.Metric, was)
	if !known {
		return Rule{}, false
	}
	alert, what := "AssayStorageSlow", "1 % of the operations of {{ $labels.case }} in {{ $labels.subject }} on {{ $labels.host }} take more than "
	switch f.Metric {
	case "net.rtt.median":
		alert, what = "AssayRoundTripSlow", "a round trip from {{ $labels.host }} to {{ $labels.peer }} takes more than "
	case "net.tcp.throughput":
		alert, what = "AssayLinkSlow", "the link between {{ $labels.host }} and {{ $labels.peer }} carries less than "
	}
	m, _ := assay.Describe(f.Metric)
	words := quantity.Amount(limit, m.Unit)
	n, _ := exposition.NameOf(f.Metric)
	labels := f.Identity("watch")
	if n.Quantile != "" {
		labels["quantile"] = n.Quantile
	}
	series := exposition.Series(n.Metric, labels)
	op, bad, good := ">", 2*limit, limit/2
	why := fmt.Sprintf("%g times the %s of run %s", slowerWatch, quantity.Amount(was, m.Unit), c.Run.ID)
	if below {
		op, bad, good = "<", limit/2, 1.5*limit
		why = fmt.Sprintf("half of the %s of run %s", quantity.Amount(was, m.Unit), c.Run.ID)
	}
	held := int(outlierRounds * c.every().Minutes())
	constant := fmt.Sprintf("+0x%d", 2*held)
	return Rule{
		Alert: alert, Expr: series + " " + op + " " + number(limit), For: fmt.Sprintf("%dm", held), Severity: "warning",
		Summary: what + words, Reason: fmt.Sprintf("%s; %d minutes span two rounds of the default interval, so one outlier raises no alert", why, held), Next: "assay diagnose",
		Fires: []Series{{series, number(bad) + constant}}, Labels: labels, Quiet: []Series{{series, number(good) + constant}},
	}, true
}
