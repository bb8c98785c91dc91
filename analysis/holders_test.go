package analysis

import (
	"math"
	"testing"

	"assay"
)

// held returns a six-second trial by host a alone, while a and b with their OSDs were
// watched: half of a's processors and most of b's were busy, and both idled while the
// written data was removed.
func held() (*builder, assay.Result) {
	look := func(at, busy, whole, drive float64, bytes int64) assay.Tick {
		return assay.Tick{At: at, CPU: assay.CPUTime{User: busy, Idle: whole - busy}, Devices: map[string]assay.DeviceCounts{"sda": {Busy: drive, WriteBytes: bytes}}}
	}
	watch := func(busy, drive float64, bytes, sent int64) *assay.Watch {
		return &assay.Watch{
			Before: assay.Snapshot{NICs: map[string]assay.NICCounts{"public": {}, "storage": {}, "lo": {}}},
			Ticks: []assay.Tick{look(0, 0, 0, 0, 0), look(3, 3*busy, 6, 3*drive, 3*bytes), look(6, 6*busy, 12, 6*drive, 6*bytes),
				look(12, 6*busy, 24, 6*drive, 6*bytes)},
			After: assay.Snapshot{NICs: map[string]assay.NICCounts{
				"public":  {RxBytes: 6*100e6 + 6*1e5*packetHeaders, RxPackets: 6 * 1e5, TxBytes: 1e6},
				"storage": {TxBytes: 6 * sent}, "lo": {RxBytes: 1e15}}},
		}
	}
	r := assay.Result{
		Trial: assay.Trial{ID: "write", Subject: assay.Subject{Kind: assay.KindPool, Host: "a"}},
		Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "tool.duration", Value: 6}},
			Watch: watch(1, .4, 50e6, 300e6), Watches: map[string]*assay.Watch{"b": watch(1.9, .97, 40e6, 1000e6), "client": watch(2, 1, 1e9, 9e9)}}},
	}
	hdd := true
	facts := func(host string) assay.Facts {
		return assay.Facts{Host: host, NICs: []assay.NICFacts{{Name: "public", Speed: 1e9, MTU: 1500}, {Name: "storage", Speed: 10e9, MTU: 1500}},
			Block: []assay.BlockDevice{{Name: "sda", Rotational: &hdd}}}
	}
	return &builder{run: assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{"a": facts("a"), "b": facts("b")}}, Results: []assay.Result{r}}}, r
}

var heldDisks = []assay.StackDisk{{Host: "a", Devices: []string{"sda"}}, {Host: "b", Devices: []string{"sda"}}, {Host: "c", Devices: []string{"sda"}}}

func TestBusiestHosts(t *testing.T) {
	b, r := held()
	want := []HolderLoad{
		{Host: "b", Resource: HolderCPU, Share: .95, Full: cpuBinds},
		{Host: "b", Resource: HolderNIC, Name: "storage", Share: .85, Rate: 1000e6, Of: "10 GbE", Full: bindsFrom},
		{Host: "b", Resource: HolderDrive, Name: "sda", Share: .97, Rate: 40e6, Full: driveBinds},
	}
	got := b.holders(r, heldDisks)
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		g := got[i]
		if math.Abs(g.Share-w.Share) > .01 || math.Abs(g.Rate-w.Rate) > 1 {
			t.Errorf("%+v, want %+v", g, w)
		}
		if g.Share, g.Rate = w.Share, w.Rate; g != w {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
	if binding := bindingOf(got); binding == nil || binding.Resource != HolderCPU {
		t.Errorf("%+v binds", binding)
	}
	r.Trial.Others = []assay.Subject{{Host: "b"}}
	if got := b.holders(r, heldDisks); !got[0].Client {
		t.Errorf("b is a client, and that is not told: %+v", got[0])
	}
	if got := b.holders(r, nil); got != nil {
		t.Errorf("without OSDs: %+v", got)
	}
}

// An interface's share is relative to the best throughput measured through it, or else to
// its link speed; an interface with a made-up speed gets no share.
func TestBusiestInterface(t *testing.T) {
	b, r := held()
	s := assay.Subject{ID: "a/link/storage:b", Kind: assay.KindLink, Host: "a", Peer: "b", Network: "storage"}
	b.run.Results = append(b.run.Results, assay.Result{Trial: assay.Trial{ID: "iperf3/tcp-1@" + s.ID, Subject: s}, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
		{Metric: "net.tcp.throughput", Value: 1020e6, Unit: assay.BytesPerSecond, Labels: map[string]string{"from": "a", "to": "b", "interface": "storage", "peer_interface": "storage"}}}}}})
	if nic := b.holders(r, heldDisks)[1]; !nic.Binds() || math.Abs(nic.Share-1000./1020) > .001 || nic.Of != "8.16 Gbit/s measured" {
		t.Errorf("%+v", nic)
	}
	b, r = held()
	for _, f := range b.run.Inventory.Facts {
		for i := range f.NICs {
			f.NICs[i].Virtual = true
		}
	}
	if nic := b.holders(r, heldDisks)[1]; nic.Host != "b" || nic.Name != "storage" || nic.Share != 0 || nic.Binds() || nic.Of != "" {
		t.Errorf("%+v", nic)
	}
}

// A drive that handles many operations at once is not saturated just because one is
// always in flight.
func TestABusyFlashDriveHasRoom(t *testing.T) {
	b, r := held()
	flash := false
	for _, f := range b.run.Inventory.Facts {
		f.Block[0].Rotational = &flash
	}
	if d := b.holders(r, heldDisks)[2]; d.Binds() || d.Share < .96 {
		t.Errorf("%+v", d)
	}
}
