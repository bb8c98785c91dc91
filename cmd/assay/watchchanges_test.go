package main

import (
	"testing"
	"time"

	"assay/report/exposition"
)

// A change point that is significant in one round, not in the next, and again in the
// one after is reported once; a later one, or one of another host, is reported as well.
func TestAChangeThatComesAndGoesIsToldOnce(t *testing.T) {
	of := func(host string, minute int) exposition.Change {
		return exposition.Change{Host: host, Case: "iperf3/watch-tcp", Metric: "net.tcp.throughput", Verdict: "worse", At: time.Unix(int64(60*minute), 0)}
	}
	told := tellings{}
	for _, c := range []struct {
		of     exposition.Change
		change trendChange
		first  bool
	}{
		{of("host2", 1), trendChange{Verdict: "worse", Earliest: "r07", Latest: "r08"}, true},
		{of("host2", 2), trendChange{Verdict: "worse", Earliest: "r08", Latest: "r09"}, false},
		{of("host3", 1), trendChange{Verdict: "worse", Earliest: "r07", Latest: "r08"}, true},
		{of("host2", 9), trendChange{Verdict: "worse", Earliest: "r15", Latest: "r16"}, true},
	} {
		if got := told.first(c.of, c.change); got != c.first {
			t.Errorf("%s, %s to %s: first is %t, want %t", c.of.Host, c.change.Earliest, c.change.Latest, got, c.first)
		}
	}
}
