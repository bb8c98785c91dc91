package promised

import (
	"strings"
	"testing"

	"assay"
	"assay/analysis"
)

// run returns one of a pool whose writes the links limit.
func run(writes, link float64) assay.Run {
	pool := assay.Subject{ID: "pve1/pool/vms", Kind: assay.KindPool, Host: "pve1", Name: "vms", Tier: "vms"}
	r := assay.Result{Trial: assay.Trial{ID: "w", Probe: "rados", Subject: pool, Settings: map[string]string{"op": "write", "bs": "1m"}}}
	for n := 1; n <= 3; n++ {
		r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "pool.write.bandwidth", Value: writes, Labels: map[string]string{"bs": "1m", "iodepth": "8"}}}})
	}
	return assay.Run{Results: []assay.Result{r}, Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "pve1"}}, Subjects: []assay.Subject{pool},
		Facts: map[string]assay.Facts{"pve1": {Host: "pve1", Stack: &assay.StackFacts{Kind: "ceph", Copies: 2, Nodes: 2, Drives: 2, Write: 5e9, Read: 5e9},
			NICs: []assay.NICFacts{{Name: "eth0", State: "up", Speed: link, MTU: 1500}}}}}}
}

func TestAPromiseIsHeldAgainstARun(t *testing.T) {
	c, err := analysis.ParseChange("pve1.nic=2G")
	if err != nil {
		t.Fatal(err)
	}
	figure := func(analysis.Prediction) string { return "writes" }
	same := func(p, m analysis.Prediction) bool { return p.Trial == m.Trial }
	all := Hold(c, run(110e6, 1e9), run(220e6, 2e9), figure, same)
	if len(all) != 1 || all[0].Error() < -.02 || all[0].Error() > .02 || !all[0].Inside || all[0].Before != 110e6 {
		t.Fatalf("%+v", all)
	}
	all = append(all, Hold(c, run(110e6, 1e9), run(110e6, 2e9), figure, same)...)
	text := Table(all)
	for _, want := range []string{"2 predictions: the median error is 50 %, and 1 were within", "| `pve1.nic=2G` | writes | 110 MB/s | 220 MB/s | 110 MB/s | +100 % |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if none := Hold(c, run(110e6, 1e9), assay.Run{}, figure, same); len(none) != 0 {
		t.Errorf("%+v", none)
	}
}
