package report

import (
	"testing"

	"assay/analysis"
)

// The sentences about the pool of Proxmox's Ceph benchmark of 2020/09, by three clients.
func TestWhatBindsAPool(t *testing.T) {
	drives, mesh := analysis.TierLimit{Name: "the drives", Value: 12.4e9}, analysis.TierLimit{Name: "the mesh", Value: 27.845e9}
	depth := analysis.TierLimit{Name: "its queue depth", Value: 27.2e9, Load: true}
	writes := analysis.TierBind{
		Column: "vms, 3 hosts at once", Metric: "pool.write.bandwidth", Value: 6.374e9, Pool: true, InFlight: 48, Predicted: 6.371e9,
		Limits: []analysis.TierLimit{drives, depth, mesh}, Nearest: &drives, Share: .514, Says: analysis.BelowLimit,
	}
	for _, c := range []struct {
		name   string
		change func(*analysis.TierBind)
		want   string
	}{
		{"as published", func(*analysis.TierBind) {}, "vms, 3 hosts at once: sequential writes at 51 % of the drives' ceiling (12.4 GB/s) and 23 % of the mesh's (27.8 GB/s): bound by neither; latency at 48 in flight predicts 6.37 GB/s: add clients"},
		{"drives unknown", func(b *analysis.TierBind) {
			b.Limits, b.Missing = []analysis.TierLimit{mesh}, []string{"write rate of one drive"}
		}, "vms, 3 hosts at once: sequential writes at 23 % of the mesh's ceiling (27.8 GB/s); unknown: write rate of one drive; latency at 48 in flight predicts 6.37 GB/s: add clients"},
		{"more clients did not help", func(b *analysis.TierBind) { b.Saturated = 2 }, "vms, 3 hosts at once: sequential writes at 51 % of the drives' ceiling (12.4 GB/s) and 23 % of the mesh's (27.8 GB/s): bound by neither; latency at 48 in flight predicts 6.37 GB/s, and more than 2 clients add nothing: check the CPU of the OSDs"},
		{"idle clients", func(b *analysis.TierBind) { b.Predicted = 12e9 }, "vms, 3 hosts at once: sequential writes at 51 % of the drives' ceiling (12.4 GB/s) and 23 % of the mesh's (27.8 GB/s): bound by neither; latency at 48 in flight predicts 12.0 GB/s: the clients kept fewer in flight; check their CPU"},
		{"at a limit", func(b *analysis.TierBind) { b.Says, b.Share = analysis.LimitBinds, .94 }, "vms, 3 hosts at once: sequential writes at 94 % of the drives (12.4 GB/s)"},
	} {
		b := writes
		c.change(&b)
		if got := bindWords(b); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
