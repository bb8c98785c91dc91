package report

import (
	"strings"
	"testing"

	"assay/analysis"
	"assay/analysis/hypotheses"
)

// No part is to be replaced before the cause is known.
func TestUndecidedIsFoundOutFirst(t *testing.T) {
	drive := &hypotheses.Hypothesis{ID: "drive-other", Name: "a drive of another model", Decides: "try its drive in another host", Remedy: "Give {host} a drive like the others'"}
	for certainty, want := range map[hypotheses.Certainty]string{
		hypotheses.Undecided: "Find out why pve3 is slow before you replace anything: try its drive in another host.",
		hypotheses.Certain:   "Give pve3 a drive like the others'.",
	} {
		o := analysis.Outlier{Why: &hypotheses.Cause{Hypothesis: drive, Certainty: certainty}}
		o.Host = "pve3"
		if got := advice(o); !strings.EqualFold(got, want) {
			t.Errorf("%s: %q, want %q", certainty, got, want)
		}
	}
}

// What many hosts share is blamed, not one of them.
func TestRacksInWords(t *testing.T) {
	for _, c := range []struct {
		host, peer string
		ways       analysis.Ways
		want, next string
	}{
		{"rack a", "", analysis.FromHost, "rack a is 4.0 × slower from its hosts to other racks on lan (2.00 Gbit/s vs 8.00 Gbit/s). Its hosts are slow as a group, not individually: suspect the uplink that they share.", "Check the switch of rack a and its uplink on lan: ports, cables, load"},
		{"rack a", "rack b", analysis.BothOfPath, "The path between rack a and rack b is 4.0 × slower on lan (2.00 Gbit/s vs 8.00 Gbit/s). Its hosts are slow as a group, not individually: suspect the uplink that they share.", "Check the ports, cables and load of the uplink between rack a and rack b on lan"},
	} {
		o := analysis.Outlier{Racks: true, Ways: c.ways, Worst: analysis.Apart{Metric: "net.tcp.throughput", Own: 250e6, From: 1e9, To: 1e9}, Effects: []analysis.Effect{{}}}
		o.Host, o.Peer, o.Section, o.Networks, o.Least, o.Greatest = c.host, c.peer, "network", []string{"lan"}, 4, 4
		if got := sentence(o); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if got := advice(o); !strings.HasPrefix(got, c.next) {
			t.Errorf("%q, want %q", got, c.next)
		}
	}
}
