package analysis

import (
	"testing"

	"assay"
)

// On a ring, the cable to a slow host is as slow at its other end: only the fastest
// interface of each host tells.
func TestTheFastestInterfaceOfARingCounts(t *testing.T) {
	run := assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{
		"a": {NICs: []assay.NICFacts{{Name: "left", Speed: 10e9}, {Name: "right", Speed: 1e9}}},
		"b": {NICs: []assay.NICFacts{{Name: "left", Speed: 1e9}, {Name: "right", Speed: 1e9}}},
		"c": {NICs: []assay.NICFacts{{Name: "left", Speed: 1e9}, {Name: "right", Speed: 10e9}}},
	}}}
	for _, way := range [][4]string{{"c", "a", "right", "left"}, {"a", "b", "right", "left"}, {"b", "c", "right", "left"}} {
		run.Results = append(run.Results, assay.Result{
			Trial: assay.Trial{Subject: assay.Subject{Kind: assay.KindLink, Host: way[0], Peer: way[1], Network: "ring"}},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				{Metric: "net.tcp.throughput", Labels: map[string]string{"interface": way[2], "peer_interface": way[3]}},
			}}},
		})
	}
	got := (&builder{run: run}).interfaces([]string{"ring"})
	if got["a"] != "left" || got["c"] != "right" || got["b"] == "" {
		t.Errorf("%v", got)
	}
}
