package analysis

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/analysis/hypotheses"
	"assay/plan/suite"
)

// answered returns a run with measurements that answer its questions: one value for
// the suspect, another for the others.
func answered(run assay.Run, own, theirs map[string]float64) assay.Run {
	for _, q := range Of(run).Questions() {
		for _, test := range q.Tests {
			for _, id := range test.Subjects {
				i := slices.IndexFunc(run.Results, func(r assay.Result) bool { return r.Trial.Subject.ID == id })
				s := run.Results[i].Trial.Subject
				value := theirs[test.Case]
				set := maps.Clone(test.Set)
				if run.Results[i].Trial.Subject.Kind == assay.KindDirectory {
					set = run.Results[i].Trial.Settings
				}
				if touches(s, q.Host, q.Peer) {
					value = own[test.Case]
				}
				if test.Case == hypotheses.TestFlows {
					value *= oneFlowOf(run.Results, s)
				}
				run.Results = append(run.Results, assay.Result{
					Trial: assay.Trial{ID: test.Case + "@" + id, Case: test.Case, Title: test.Case, Subject: s, Peer: s.Peer, Decides: q.Who(), Settings: set, Repeats: 1},
					Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
						{Metric: metricsOfTests[test.Case], Value: value},
					}}},
				})
			}
		}
	}
	return run
}

// lossy makes all paths into a host lose packets.
func lossy(run assay.Run) assay.Run {
	for _, r := range run.Results {
		if r.Trial.Peer == "pve3" && r.Trial.Subject.Network == "storage" {
			for _, rep := range r.Repeats {
				rep.Measurements[1].Value = 4000
			}
		}
	}
	return run
}

func plain(run assay.Run) assay.Run { return run }

// A measurement decides between the faults that a run leaves open; without it the fault
// is at most possible. Nobody else is accused.
func TestAMeasurementDecides(t *testing.T) {
	const by = 6.3
	links := func(sent, received bool) func(string, string, string, string, string) float64 {
		return func(host, peer, metric, _, network string) float64 {
			if metric == "net.tcp.throughput" && network == "storage" && (sent && host == "pve3" || received && peer == "pve3") {
				return by
			}
			return 1
		}
	}
	disk := func(host, _, metric, _, _ string) float64 {
		if host == "pve3" && strings.HasPrefix(metric, "storage.") {
			return 17
		}
		return 1
	}
	none := map[string]float64{hypotheses.TestReads: 90e-6, hypotheses.TestWrites: 40e-6}
	for name, c := range map[string]struct {
		slow func(host, peer, metric, title, network string) float64
		more func(assay.Run) assay.Run
		own  map[string]float64
		is   []string // one of these
		says string
	}{
		"a line":           {links(true, true), plain, map[string]float64{hypotheses.TestFlows: 1.02}, []string{"link-limited"}, "four flows together carry no more than one"},
		"a line, one way":  {links(true, false), plain, map[string]float64{hypotheses.TestFlows: 1.02}, []string{"link-sends-slowly"}, "four flows together carry no more than one"},
		"a send buffer":    {links(true, false), plain, map[string]float64{hypotheses.TestFlows: 3.9}, []string{"tcp-window-out"}, "four flows carry 3.9 times as much as one"},
		"a receive buffer": {links(false, true), plain, map[string]float64{hypotheses.TestFlows: 3.9}, []string{"tcp-window-in"}, "four flows carry 3.9 times as much as one"},
		"a cable":          {links(false, true), lossy, map[string]float64{hypotheses.TestUDP: .04, hypotheses.TestFlows: 3}, []string{"link-lossy-in"}, "even UDP at 30 Mb/s loses 4.0 %"},
		"a policer":        {links(false, true), lossy, map[string]float64{hypotheses.TestUDP: 0, hypotheses.TestFlows: 1.1}, []string{"link-policed-in"}, "UDP at 30 Mb/s arrives whole"},
		"a limit": {disk, plain, map[string]float64{hypotheses.TestReads: 95e-6, hypotheses.TestWrites: 41e-6}, []string{"disk-throttled"},
			"at 20 per second, its reads take 95.0 µs (p10), which is enough for 10.5k"},
		"a slow drive": {disk, plain, map[string]float64{hypotheses.TestReads: 2e-3, hypotheses.TestWrites: 1e-3}, []string{"drive-failing", "disk-busy", "drive-other", "storage-unexplained"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{dice: rand.New(rand.NewPCG(5, 6)), scatter: .03, hosts: .03, slow: c.slow}
			run := c.more(w.run())
			before := whyOf(t, run, "pve3")
			if before.Known() && (before.Certainty == hypotheses.Certain || before.Certainty == hypotheses.VeryLikely) {
				t.Errorf("%s is %s without a test", before.ID, before.Certainty)
			}
			after := whyOf(t, answered(run, c.own, none), "pve3")
			if !slices.Contains(c.is, after.ID) {
				t.Errorf("%s, %.2f, before %s, %.2f, rivals %v", after.ID, after.Probability, before.ID, before.Probability, rivalsOf(after))
			}
			if says := strings.Join(after.Evidence, "; "); !strings.Contains(says, c.says) {
				t.Errorf("it says %q", says)
			}
			if after.Known() && after.ID == before.ID && after.Probability <= before.Probability {
				t.Errorf("no surer than before: %.3f after %.3f", after.Probability, before.Probability)
			}
		})
	}
}

func rivalsOf(c *hypotheses.Cause) (all []string) {
	for _, r := range c.Rivals {
		all = append(all, r.ID)
	}
	return all
}

// whyOf returns the likeliest cause for a host, which must be the only one
// accused.
func whyOf(t *testing.T, run assay.Run, host string) *hypotheses.Cause {
	t.Helper()
	var why *hypotheses.Cause
	for _, o := range Of(run).Outliers {
		switch {
		case o.Better:
		case o.Host != host:
			t.Errorf("%s %s is accused", o.Host, o.Peer)
		case why == nil:
			why = o.Why
		}
	}
	if why == nil {
		t.Fatalf("%s is not accused", host)
	}
	return why
}

// If nothing is wrong, no question is asked; a measurement made for another reason
// accuses nobody, and an answered question is not asked again.
func TestQuestionsEnd(t *testing.T) {
	alike := func(_, _, _, _, _ string) float64 { return 1 }
	w := world{dice: rand.New(rand.NewPCG(7, 8)), scatter: .03, hosts: .03, slow: alike}
	run := w.run()
	if q := Of(run).Questions(); len(q) > 0 {
		t.Errorf("%+v", q)
	}
	for _, r := range slices.Clone(run.Results) {
		if metric := metricsOfTests[hypotheses.TestUDP]; r.Trial.Peer != "" {
			r.Trial.ID, r.Trial.Case, r.Trial.Decides = "udp@"+r.Trial.ID, hypotheses.TestUDP, r.Trial.Subject.Host
			r.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: metric, Value: .3}}}}
			run.Results = append(run.Results, r)
		}
	}
	if worse := Of(run).Outliers; len(worse) > 0 {
		t.Errorf("accused by a test alone: %+v", worse[0].Standout)
	}
	w.slow = func(host, peer, metric, _, network string) float64 {
		if metric == "net.tcp.throughput" && network == "storage" && (host == "pve3" || peer == "pve3") {
			return 6.3
		}
		return 1
	}
	run = answered(w.run(), map[string]float64{hypotheses.TestFlows: 1.7}, nil)
	if q := Of(run).Questions(); len(q) > 0 {
		t.Errorf("asked again: %+v", q)
	}
}

// Each test named by a clue is a case that can be measured.
func TestEachTestIsACase(t *testing.T) {
	cases := suite.Deciders().Cases
	for _, h := range hypotheses.All {
		for _, c := range h.Clues {
			if c.Test != "" && (metricsOfTests[c.Test] == "" || !slices.ContainsFunc(cases, func(one assay.Case) bool { return one.Name == c.Test })) {
				t.Errorf("%s: nothing measures %q", h.ID, c.Test)
			}
		}
	}
}
