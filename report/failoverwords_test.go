package report

import (
	"maps"
	"testing"

	"assay"
	"assay/analysis"
	"assay/stacks/failover"
)

// A failover is one sentence of the verdict: who took over, how long nobody answered, how
// many requests were lost, and when redundancy was whole.
func TestFailoverInASentence(t *testing.T) {
	e := failover.Entry{Name: "vip", Host: "a", Service: "keepalived", Address: "10.0.0.9", Observers: []string{"c", "d"}}
	interval := "0.01"
	sentence := func(values map[string]float64, labels map[string]string) string {
		rep := assay.Repeat{N: 1, Outcome: assay.Done}
		for metric, v := range values {
			m, _ := assay.Describe(metric)
			labelled := map[string]string{"interval": interval}
			maps.Copy(labelled, labels)
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric, Value: v, Unit: m.Unit, Labels: labelled})
		}
		trial := assay.Trial{
			ID: "failover/failover@a/failover/vip", Probe: "failover", Case: "failover", Title: "failover of vip", Repeats: 1,
			Subject: assay.Subject{ID: "a/failover/vip", Kind: assay.KindFailover, Host: "a", Name: "vip", Params: e.Params()},
		}
		found := analysis.Of(assay.Run{
			ID: "r1", Status: assay.RunDone, Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "a"}, {Name: "c"}, {Name: "d"}}},
			Results: []assay.Result{{Trial: trial, Repeats: []assay.Repeat{rep}}},
		})
		for _, p := range found.Verdict {
			if _, is := p.Says.(analysis.FailedOver); is {
				return pointWords(p, found.Run)
			}
		}
		return ""
	}
	seen := map[string]float64{"failover.time": 3.05, "failover.time.least": 3.042, "failover.lost": 302, "failover.requests": 1104}
	want := "Failover vip (keepalived stopped on a): 10.0.0.9 moved from a to b and was without an answer for 3.05 s (two observers agree within 8.00 ms); 302 of 1,104 requests were lost"
	if got := sentence(seen, map[string]string{"from": "a", "to": "b"}); got != want+"." {
		t.Errorf("got  %s\nwant %s.", got, want)
	}
	whole := maps.Clone(seen)
	whole["failover.whole"] = 6.1
	want = "Failover vip (keepalived stopped on a): 10.0.0.9 was without an answer for 3.05 s (two observers agree within 8.00 ms); 302 of 1,104 requests were lost; redundancy was whole again 6.10 s after "
	for from, end := range map[string]string{"start": "it was put back.", "stop": "the stop."} {
		if got := sentence(whole, map[string]string{"from": from}); got != want+end {
			t.Errorf("got  %s\nwant %s", got, want+end)
		}
	}
	loaded := maps.Clone(seen)
	maps.Copy(loaded, map[string]float64{"failover.load.before": 812, "failover.load.stopped": 31, "failover.load.after": 800})
	want = "Failover vip (keepalived stopped on a): 10.0.0.9 was without an answer for 3.05 s (two observers agree within 8.00 ms); 302 of 1,104 requests were lost; the load on d did 812 /s before, 31.0 /s while it was stopped and 800 /s after."
	if got := sentence(loaded, map[string]string{"host": "d"}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = "Failover vip (keepalived stopped on a): 10.0.0.9 was without an answer for 20.0 ms (answers come every 10.0 ms, and nothing shorter is seen)."
	if got := sentence(map[string]float64{"failover.time": .02}, nil); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	e.Address, e.Command, interval = "", "ceph -s", "0.32"
	want = "Failover vip (keepalived stopped on a): no answer to `ceph -s` for 3.05 s (two observers agree within 8.00 ms; answers come every 320 ms, and nothing shorter is seen); 302 of 1,104 requests were lost."
	if got := sentence(seen, nil); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
