package report

import (
	"testing"

	"assay"
	"assay/analysis"
)

func TestMisfitWords(t *testing.T) {
	nic := func(name string, gbit float64, mtu int) assay.NICFacts {
		return assay.NICFacts{Name: name, Speed: gbit * 1e9, MTU: mtu}
	}
	slow := analysis.MisfitLink{Host: "pve1", NIC: nic("eno1", 1, 1500), Other: nic("eno2", 10, 1500)}
	limit := &analysis.TierLimit{Value: 177e6}
	for _, c := range []struct {
		m    analysis.NetworkMisfit
		want string
	}{
		{analysis.NetworkMisfit{Misfit: analysis.CopiesSlower, Links: []analysis.MisfitLink{slow}, Limit: limit, Share: .96},
			"Ceph's cluster network has a slower link than the public one: pve1 (eno1 has 1 Gb/s, eno2 has 10 Gb/s). A write waits for its copies, and writes reached 96 % of what these links allow (177 MB/s): that limits them; give them the faster link."},
		{analysis.NetworkMisfit{Misfit: analysis.CopiesShare, Links: []analysis.MisfitLink{slow}, Limit: limit, Share: .4},
			"Ceph's copies share the clients' link while a faster one is idle: pve1 (both on eno1 with 1 Gb/s; eno2 has 10 Gb/s). A write waits for its copies, and writes reached 40 % of what these links allow (177 MB/s), so that is not the limit yet; set cluster_network to the faster link's network, or move Ceph there."},
		{analysis.NetworkMisfit{Misfit: analysis.ReplicasSlower, Storage: "vms", Used: analysis.NetworkWay{Name: "office", Rate: 1e9, RTT: 240e-6, MTU: 1500}, Better: analysis.NetworkWay{Name: "storage"}},
			"Replicas of vms are written over network office (1 Gb/s, round trip 240 µs, MTU 1500), while all of their hosts are also on storage, which is faster. A write waits for its replicas: give them their addresses there."},
		{analysis.NetworkMisfit{Misfit: analysis.CopiesSlower, Links: []analysis.MisfitLink{slow}},
			"Ceph's cluster network has a slower link than the public one: pve1 (eno1 has 1 Gb/s, eno2 has 10 Gb/s). A write waits for its copies; give them the faster link."},
		{analysis.NetworkMisfit{Misfit: analysis.UnlikeMTU, Network: "cluster", Links: []analysis.MisfitLink{{Host: "pve1", NIC: nic("eno2", 10, 9000)}, {Host: "pve2", NIC: nic("eno2", 10, 1500)}}},
			"The MTU on Ceph's cluster network differs (9000 on pve1's eno2; 1500 on pve2's eno2): large packets to a host with the smaller one are dropped, and OSDs flap or hang. Set the same on all hosts and the switch."},
	} {
		if got := pointWords(analysis.Point{Says: c.m}, assay.Run{}); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}
