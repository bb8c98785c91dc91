package analysis

import (
	"slices"
	"strings"

	"assay"
	"assay/analysis/hypotheses"
	"assay/internal/quantity"
	"assay/stats"
)

// metricsOfTests are the metrics read from the deciding measurements.
var metricsOfTests = map[string]string{
	hypotheses.TestFlows: "net.tcp.throughput", hypotheses.TestUDP: "net.udp.loss",
	hypotheses.TestReads: "storage.read.latency.p10", hypotheses.TestWrites: "storage.write.latency.p10",
	hypotheses.TestBurst: "cpu.events_per_second",
}

// decidersApart separates the deciding results from the planned ones: each was measured
// for one suspect, under a load that no other figure has, and is compared with nothing
// else.
func decidersApart(all []assay.Result) (planned, deciders []assay.Result) {
	if !slices.ContainsFunc(all, isDecider) {
		return all, nil
	}
	for _, r := range all {
		if isDecider(r) {
			deciders = append(deciders, r)
		} else {
			planned = append(planned, r)
		}
	}
	return planned, deciders
}

func isDecider(r assay.Result) bool { return r.Trial.Decides != "" }

// suspectName returns how a trial names the host or path whose fault it is to
// find.
func suspectName(host, peer string) string {
	if peer == "" {
		return host
	}
	return host + " → " + peer
}

// tested returns what was measured to decide about a suspect.
func (b *builder) tested(host, peer string) map[string]hypotheses.Tested {
	out := map[string]hypotheses.Tested{}
	who := suspectName(host, peer)
	for _, r := range b.deciders {
		t := r.Trial
		metric := metricsOfTests[t.Case]
		values := r.Values(metric)
		if len(values) == 0 {
			continue
		}
		v := stats.Median(values)
		if t.Case == hypotheses.TestFlows {
			one := b.oneFlow(t.Subject)
			if one <= 0 {
				continue
			}
			v /= one
		}
		got := out[t.Case]
		switch {
		case t.Decides == who && touches(t.Subject, host, peer):
			got.Own = append(got.Own, v)
			got.At, got.Many, got.Synced = atRate(t.Settings["rate"]), b.most(t, false), b.most(t, true)
		case !touches(t.Subject, host, "") && !touchesAny(t.Subject, t.Decides):
			got.Theirs = append(got.Theirs, v)
		default:
			continue
		}
		out[t.Case] = got
	}
	for test, got := range out {
		if len(got.Own) == 0 {
			delete(out, test)
		}
	}
	return out
}

// touches reports whether a subject involves a host or, with a peer, is the
// path between both.
func touches(s assay.Subject, host, peer string) bool {
	if peer == "" {
		return s.Host == host || s.Peer == host
	}
	return s.Host == host && s.Peer == peer || s.Host == peer && s.Peer == host
}

func touchesAny(s assay.Subject, suspect string) bool {
	host, peer, _ := strings.Cut(suspect, " → ")
	return touches(s, host, "") || peer != "" && touches(s, peer, "")
}

// oneFlow returns what one TCP flow carried on a link, in B/s; 0 if not measured.
func (b *builder) oneFlow(s assay.Subject) float64 { return oneFlowOf(b.run.Results, s) }

func oneFlowOf(results []assay.Result, s assay.Subject) float64 {
	for _, r := range results {
		if r.Trial.Subject.ID != s.ID || r.Trial.Decides != "" || r.Trial.Settings["streams"] != "" {
			continue
		}
		if v := r.Values("net.tcp.throughput"); len(v) > 0 {
			return stats.Median(v)
		}
	}
	return 0
}

// most returns the measured operations per second of the same kind, synchronous or not, on
// the subject of a storage test; 0 if there are none.
func (b *builder) most(test assay.Trial, synced bool) float64 {
	metric, paced := strings.CutSuffix(metricsOfTests[test.Case], "latency.p10")
	if !paced {
		return 0
	}
	for _, r := range b.run.Results {
		t := r.Trial
		if t.Subject.ID == test.Subject.ID && t.Settings["rw"] == test.Settings["rw"] && t.Settings["bs"] == test.Settings["bs"] && isSync(t) == synced {
			if v := r.Values(metric + "iops"); len(v) > 0 {
				return stats.Median(v)
			}
		}
	}
	return 0
}

// atRate formats the rate of a load for people.
func atRate(bits string) string {
	if n, ok := parseBits(bits); ok {
		return quantity.Rate(n)
	}
	return bits
}

// openTo reports whether a cause is uncertain enough to be worth more
// measurements.
func openTo(c *hypotheses.Cause) bool {
	return c != nil && (!c.Known() || slices.Contains([]hypotheses.Certainty{hypotheses.Possible, hypotheses.Undecided}, c.Certainty))
}
