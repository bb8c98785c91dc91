package analysis

import (
	"math"
	"slices"
	"testing"

	"assay"
)

// published returns one column of the appendix of Proxmox's Ceph benchmark of 2020/09:
// rados bench by that many clients on a mesh of three nodes with four drives each and three
// copies.
func published(op string, clients int, mib, mean, least float64) (*builder, assay.Result) {
	facts := assay.Facts{
		Host: "pve1", NICs: []assay.NICFacts{{Name: "ens1", Speed: 100e9, MTU: 9000, State: "up"}},
		Stack: &assay.StackFacts{Kind: "ceph", Nodes: 3, Drives: 12, Copies: 3, Mesh: true, Write: 3100e6, Read: 3500e6},
	}
	stem := "pool." + op + "."
	labels := map[string]string{"tool": "rados", "threads": "16", "bs": "4194304", "object_size": "4194304"}
	r := assay.Result{Trial: assay.Trial{ID: op, Probe: "rados", Case: op, Subject: assay.Subject{ID: "pve1/pool/vms", Kind: assay.KindPool, Host: "pve1", Tier: "vms"}}}
	for i := range clients - 1 {
		r.Trial.Others = append(r.Trial.Others, assay.Subject{Kind: assay.KindPool, Host: []string{"pve2", "pve3"}[i], Tier: "vms"})
	}
	repeat := assay.Repeat{N: 1, Outcome: assay.Done}
	for name, v := range map[string]float64{"bandwidth": mib * (1 << 20), "latency.mean": mean, "latency.min": least} {
		repeat.Measurements = append(repeat.Measurements, assay.Measurement{Metric: stem + name, Value: v, Labels: labels})
	}
	r.Repeats = []assay.Repeat{repeat}
	b := &builder{run: assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{"pve1": facts}}, Results: []assay.Result{r}}, results: map[string]*assay.Result{op: &r}}
	return b, r
}

// The published table shows what binds three clients: neither the drives (12.4 GB/s) nor
// the mesh (27.8 GB/s) limits writes, and 48 x 4 MiB / 5.0 ms (40.3 GB/s) is the lowest
// ceiling for reads.
func TestWhatBindsAsPublished(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) <= .005*want }
	for _, c := range []struct {
		op             string
		mib            float64
		mean, least    float64
		ceilings       map[string]float64
		predicted      float64
		says           Binding
		share, nearest float64
	}{
		{"write", 6078.49, .0316, .0074, map[string]float64{"the drives": 12.4e9, "the mesh": 27.845e9, "its queue depth": 27.2e9}, 6.371e9, BelowLimit, .514, 12.4e9},
		{"read", 9167.38, .0205, .0050, map[string]float64{"the drives": 42e9, "the mesh": 111.4e9, "its queue depth": 40.265e9}, 9.821e9, FarBelow, .229, 42e9},
	} {
		b, r := published(c.op, 3, c.mib, c.mean, c.least)
		metric := "pool." + c.op + ".bandwidth"
		got := b.bind(TierColumn{Name: "vms, 3 hosts at once", Tier: "vms", Host: "pve1"}, r, Figure{Metric: metric, Value: c.mib * (1 << 20)})
		if !got.Pool || got.InFlight != 48 || !near(got.Predicted, c.predicted) || got.Says != c.says || !near(got.Share, c.share) || got.Nearest == nil || !near(got.Nearest.Value, c.nearest) || len(got.Missing) > 0 {
			t.Errorf("%s: %+v, nearest %+v", c.op, got, got.Nearest)
		}
		for name, want := range c.ceilings {
			i := slices.IndexFunc(got.Limits, func(l TierLimit) bool { return l.Name == name })
			if i < 0 || !near(got.Limits[i].Value, want) {
				t.Errorf("%s: of %s want %g: %+v", c.op, name, want, got.Limits)
			}
		}
	}
}

// A drive's write speed is what this run measured on that drive, and on no other.
func TestDrivesAsMeasured(t *testing.T) {
	result := func(host, device string, bs string, v float64) assay.Result {
		s := assay.Subject{ID: host + "/directory/srv", Kind: assay.KindDirectory, Host: host, Name: "/srv", On: []string{host + "/drive/" + device}}
		return assay.Result{Trial: assay.Trial{ID: "fio/write@" + host + device + bs, Subject: s}, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
			{Metric: "storage.write.bandwidth", Value: v, Labels: map[string]string{"bs": bs, "pattern": "write", "iodepth": "8"}}}}}}
	}
	b := &builder{run: assay.Run{Results: []assay.Result{
		result("pve1", "nvme0n1", "1m", 3000e6), result("pve1", "nvme0n1", "4k", 9000e6), result("pve2", "nvme0n1", "1m", 1000e6),
		result("pve3", "sda", "1m", 99e6), // the system's
	}}}
	s := assay.StackFacts{Disks: []assay.StackDisk{
		{Name: "osd.0", Host: "pve1", Devices: []string{"nvme0n1"}}, {Name: "osd.1", Host: "pve2", Devices: []string{"nvme0n1"}}, {Name: "osd.2", Host: "pve3", Devices: []string{"nvme0n1"}}}}
	if got := b.withDrives(s); got.Write != 2000e6 || got.Read != 0 {
		t.Errorf("%+v", got)
	}
	s.Write = 5
	if got := b.withDrives(s); got.Write != 5 {
		t.Errorf("what was known is %v", got.Write)
	}
}

// The copies use the network that has the OSDs' addresses, at the speed of the best link
// of the slowest node.
func TestCopiesLink(t *testing.T) {
	link := func(from, to, network string, v float64) assay.Result {
		s := assay.Subject{ID: from + "/link/" + network + ":" + to, Kind: assay.KindLink, Host: from, Peer: to, Network: network}
		return assay.Result{Trial: assay.Trial{ID: "iperf3/tcp-1@" + s.ID, Subject: s}, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
			{Metric: "net.tcp.throughput", Value: v, Unit: assay.BytesPerSecond}}}}}
	}
	s := assay.StackFacts{Kind: "ceph", Nodes: 3, Copies: 3, Apart: true, Disks: []assay.StackDisk{
		{Host: "a", Copies: "10.0.1.1"}, {Host: "b", Copies: "10.0.1.2"}, {Host: "c", Copies: "10.0.1.3"}}}
	b := &builder{run: assay.Run{
		Inventory: assay.Inventory{Networks: []assay.Network{
			{Name: "public", Addresses: map[string]string{"a": "10.0.0.1", "b": "10.0.0.2", "c": "10.0.0.3"}},
			{Name: "storage", Addresses: map[string]string{"a": "10.0.1.1", "b": "10.0.1.2", "c": "10.0.1.3"}}}},
		Results: []assay.Result{link("a", "b", "storage", 1100e6), link("a", "c", "storage", 1000e6), link("b", "c", "public", 9000e6)},
	}}
	if got := b.copiesLink(s); got.Value != 1000e6 {
		t.Errorf("%+v", got)
	}
	s.Disks[2].Copies = "10.0.9.9"
	if got := b.copiesLink(s); got.Known() {
		t.Errorf("of a network that nobody measured: %+v", got)
	}
}
