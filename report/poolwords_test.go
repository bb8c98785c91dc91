package report

import (
	"testing"

	"assay/analysis"
)

// The sentences about the pool in Proxmox's Ceph benchmark of 2020/09, with three
// clients.
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

// The load of the hosts with the OSDs is given as a share of their capacity, where that is
// known.
func TestBusiestHostsOfAPool(t *testing.T) {
	cpu := analysis.HolderLoad{Host: "pve2", Resource: analysis.HolderCPU, Share: .47}
	nic := analysis.HolderLoad{Host: "pve1", Resource: analysis.HolderNIC, Name: "ens1", Share: .345, Rate: 406e6, Of: "10 GbE"}
	drive := analysis.HolderLoad{Host: "pve3", Resource: analysis.HolderDrive, Name: "sdb", Share: .61, Rate: 120e6}
	b := analysis.TierBind{
		Column: "vms", Metric: "pool.write.bandwidth", Value: 1e9, Pool: true, InFlight: 16, Predicted: 1e9, Saturated: 2,
		Limits: []analysis.TierLimit{{Name: "the drives", Value: 4e9}}, Says: analysis.BelowLimit, Holders: []analysis.HolderLoad{cpu, nic, drive},
	}
	words := func(name, got, want string) {
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	words("room is left", holdersWords(b), "Busiest on the storage hosts during the sequential writes: the CPU of pve2 (47 % busy), the interface ens1 of pve1 (406 MB/s, 34 % of 10 GbE) and the drive sdb of pve3 (busy 61 % of the time, 120 MB/s); none was near its limit")
	words("the CPU is known", bindWords(b), "vms: sequential writes at 25 % of the drives' ceiling (4.00 GB/s): not bound by it; latency at 16 in flight predicts 1.00 GB/s, and more than 2 clients add nothing")
	b.Holders[1].Share, b.Holders[1].Of = 0, ""
	words("an unknown speed", holdersWords(b), "Busiest on the storage hosts during the sequential writes: the CPU of pve2 (47 % busy), the interface ens1 of pve1 (406 MB/s; its speed is unknown) and the drive sdb of pve3 (busy 61 % of the time, 120 MB/s)")
	b.Holders[0].Share, b.Holders[0].Full, b.Says = .96, .9, analysis.HolderBinds
	words("the CPU is busy", bindWords(b), "vms: sequential writes are limited by the CPU of pve2 (96 % busy)")
	b.Holders[0].Client = true
	words("a client runs there too", bindWords(b), "vms: sequential writes are limited by the CPU of pve2 (96 % busy, its client included)")
	b.Holders = nil
	words("nobody was watched", holdersWords(b), "")
}
