package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"assay"
)

// stackRun is a run on a storage stack of one host: a drive that is read, a file system on
// it, and a volume with its backing file there, replicated to a second host. Each layer's
// latencies are given, in s.
type stackRun struct {
	run    assay.Run
	random *rand.Rand
}

func newStack(seed uint64) *stackRun {
	s := &stackRun{random: rand.New(rand.NewPCG(seed, seed))}
	s.run.Inventory = assay.Inventory{
		Hosts: []assay.Host{{Name: "pve1"}},
		Facts: map[string]assay.Facts{"pve1": {
			Host: "pve1",
			Block: []assay.BlockDevice{
				{Name: "nvme0n1", Path: "/dev/nvme0n1", Kind: "disk", Bytes: 1 << 40}, {Name: "dm-0", Path: "/dev/dm-0", Kind: "lvm", On: []string{"nvme0n1"}},
				{Name: "loop0", Path: "/dev/loop0", Kind: "loop", Backing: "/srv/images/disk"},
			},
			Dirs: []assay.DirFacts{
				{Path: "/srv", Mount: "/srv", FileSystem: "ext4", Device: "dm-0", Drives: []string{"nvme0n1"}},
				{Path: "/guest", Mount: "/guest", FileSystem: "xfs", Device: "loop0", Drives: []string{"loop0"}},
			},
		}},
	}
	return s
}

func (s *stackRun) measured(subject assay.Subject, rw, sync string, latency float64) {
	stem := "storage." + strings.TrimPrefix(rw, "rand") + "."
	set := map[string]string{"rw": rw, "bs": "4k", "iodepth": "1", "numjobs": "1", "direct": "1", "sync": sync, "engine": "psync"}
	r := assay.Result{Trial: assay.Trial{ID: fmt.Sprintf("fio/%s-%s@%s", rw, sync, subject.ID), Probe: "fio", Case: rw + sync, Title: rw, Subject: subject, Settings: set, Repeats: 10}}
	for n := 1; n <= 10; n++ {
		v := latency * (1 + .03*s.random.NormFloat64())
		rep := assay.Repeat{N: n, Outcome: assay.Done}
		labels := map[string]string{"bs": "4k", "iodepth": "1", "jobs": "1", "pattern": rw, "sync": sync}
		for metric, v := range map[string]float64{stem + "iops": 1 / v, stem + "latency.p50": v, stem + "latency.mean": v, stem + "latency.p99": 2 * v, stem + "latency.p99_9": 3 * v} {
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric, Value: v, Labels: labels})
		}
		r.Repeats = append(r.Repeats, rep)
	}
	s.run.Results = append(s.run.Results, r)
}

var (
	stackDrive = assay.Subject{ID: "pve1/drive/nvme0n1", Kind: assay.KindDrive, Host: "pve1", Name: "nvme0n1"}
	stackFiles = assay.Subject{ID: "pve1/directory//srv", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv", On: []string{stackDrive.ID}}
	stackGuest = assay.Subject{ID: "pve1/directory//guest", Kind: assay.KindDirectory, Host: "pve1", Name: "/guest"}
)

// of builds the stack with the given latencies of the file system's write and flush and
// of the volume.
func (s *stackRun) of(write, flush, volume float64) {
	s.measured(stackDrive, "randread", "0", 100e-6)
	s.measured(stackFiles, "randread", "0", 110e-6)
	s.measured(stackGuest, "randread", "0", 110e-6+volume)
	s.measured(stackFiles, "randwrite", "0", write)
	s.measured(stackGuest, "randwrite", "0", write+volume)
	s.measured(stackFiles, "randwrite", "1", write+flush)
	s.measured(stackGuest, "randwrite", "1", write+flush+volume)
}

func costOf(t *testing.T, w Waterfall, layer string, part StepPart) LayerStep {
	t.Helper()
	for _, s := range w.Steps {
		if strings.Contains(s.Layer, layer) && s.Part == part {
			return s
		}
	}
	t.Fatalf("no step %s %q: %+v", layer, part, w.Steps)
	return LayerStep{}
}

func find(t *testing.T, all []Waterfall, top string, load LayerLoad) Waterfall {
	t.Helper()
	for _, w := range all {
		if strings.Contains(w.Top, top) && w.Load == load {
			return w
		}
	}
	t.Fatalf("no waterfall of %s, %s: %+v", top, load, all)
	return Waterfall{}
}

// Known delays are found in the right layer and within 15 % of their size in at least
// nine of ten runs.
func TestKnownDelaysAreFound(t *testing.T) {
	for _, delay := range []float64{1e-3, 5e-3, 20e-3} {
		for _, where := range []string{"write", "flush", "volume"} {
			right := 0
			for seed := range uint64(10) {
				write, flush, volume := .2e-3, .3e-3, .1e-3
				layer, part := "/srv", PathStep
				switch where {
				case "write":
					write = delay
				case "flush":
					flush, part = delay, FlushStep
				default:
					volume, layer = delay, "/guest"
				}
				s := newStack(seed)
				s.of(write, flush, volume)
				found := find(t, Of(s.run).Waterfalls, "/guest", LayerDurable)
				got := costOf(t, found, layer, part)
				largest := true
				for _, other := range found.Steps {
					largest = largest && other.Cost.Center <= got.Cost.Center
				}
				if largest && math.Abs(got.Cost.Center/delay-1) <= .15 {
					right++
				}
			}
			if right < 9 {
				t.Errorf("%g s in %s: found in %d of 10 runs", delay, where, right)
			}
		}
	}
}

func TestTheStepsAddUp(t *testing.T) {
	s := newStack(3)
	s.of(.2e-3, 2e-3, .5e-3)
	for _, w := range Of(s.run).Waterfalls {
		sum := 0.
		for _, step := range w.Steps {
			sum += step.Cost.Center
			if step.Cost.Level != .95 || step.Pairs != 10 || step.Cost.Low > step.Cost.Center || step.Cost.High < step.Cost.Center {
				t.Errorf("%s, %s: %+v", w.Top, w.Load, step)
			}
		}
		if whole := w.Layers[len(w.Layers)-1].Latency; math.Abs(sum/whole-1) > .05 {
			t.Errorf("%s, %s: the steps are %g s, the whole is %g", w.Top, w.Load, sum, whole)
		}
	}
	reads := find(t, Of(s.run).Waterfalls, "/guest", LayerRead)
	if len(reads.Layers) != 3 || !strings.Contains(reads.Layers[0].Name, "nvme0n1") || !strings.Contains(reads.Layers[1].Name, "/srv") {
		t.Errorf("drive, file system, volume: %+v", reads.Layers)
	}
	if lost := reads.Layers[2].Lost; math.Abs(lost/(1/110e-6-1/610e-6)-1) > .1 {
		t.Errorf("the volume costs %g IOPS", lost)
	}
	durable := find(t, Of(s.run).Waterfalls, "/guest", LayerDurable)
	if len(durable.Left) != 1 || !strings.Contains(durable.Left[0].Why, "only read") {
		t.Errorf("the drive that is not written to: %+v", durable.Left)
	}
}

// Under a rate limit most operations are fast and the rest wait, so the mean is
// used.
func TestAMedianThatHidesTheWaitingIsNotUsed(t *testing.T) {
	s := newStack(2)
	s.of(.2e-3, 2e-3, .5e-3)
	for i := range s.run.Results {
		for _, rep := range s.run.Results[i].Repeats {
			for j := range rep.Measurements {
				if m := &rep.Measurements[j]; strings.HasSuffix(m.Metric, "latency.p50") {
					m.Value /= 50
				}
			}
		}
	}
	w := find(t, Of(s.run).Waterfalls, "/guest", LayerDurable)
	if got := costOf(t, w, "/srv", FlushStep); !w.Mean || math.Abs(got.Cost.Center/2e-3-1) > .15 {
		t.Errorf("means %v, the flush %g s", w.Mean, got.Cost.Center)
	}
}

// On ZFS before 2.3 a write without a flush ends in memory, as the audit says: the
// difference to a synchronous write is still the flush.
func TestAWriteThatACacheTookTellsTheFlush(t *testing.T) {
	s := newStack(4)
	s.measured(stackFiles, "randread", "0", 1e-4)
	s.measured(stackFiles, "randwrite", "0", .05e-3)
	s.measured(stackFiles, "randwrite", "1", 5e-3)
	cached := s.run.Results[1].Trial.ID
	s.run.Findings = []assay.Finding{
		{Rule: "direct-not-honoured", Severity: assay.Rejects, Subject: cached, Metrics: []string{"storage.write.iops", "storage.write.latency.p50"}},
		{Rule: "cov", Severity: assay.Rejects, Subject: cached, Metrics: []string{"storage.write.iops"}},
	}
	w := find(t, Of(s.run).Waterfalls, "/srv", LayerDurable)
	if flush := costOf(t, w, "/srv", FlushStep); math.Abs(flush.Cost.Center/4.95e-3-1) > .05 {
		t.Errorf("%+v", flush)
	}
	s.run.Findings[1].Rule = "little"
	for _, w := range Of(s.run).Waterfalls {
		if w.Load == LayerDurable {
			t.Errorf("a write that cannot be true is taken: %+v", w)
		}
	}
	s.run.Findings, s.run.Results = s.run.Findings[:1], s.run.Results[:2]
	for _, w := range Of(s.run).Waterfalls {
		if w.Load == LayerWrite {
			t.Errorf("a write to memory is taken apart as if it were one to the storage: %+v", w)
		}
	}
}

// A layer without a figure does not hide the layers below it.
func TestTheHighestLayerMayHaveFailed(t *testing.T) {
	s := newStack(6)
	s.measured(stackDrive, "randread", "0", 100e-6)
	s.measured(stackFiles, "randread", "0", 200e-6)
	s.run.Results = append(s.run.Results, assay.Result{Trial: assay.Trial{
		ID: "failed", Probe: "fio", Subject: stackGuest, Settings: map[string]string{"rw": "randread", "bs": "4k", "iodepth": "1", "numjobs": "1", "sync": "0", "engine": "psync"},
		Absent: &assay.Absence{Word: assay.Failed, Why: "no space"},
	}})
	w := find(t, Of(s.run).Waterfalls, "/srv", LayerRead)
	if got := costOf(t, w, "/srv", WholeStep); math.Abs(got.Cost.Center/100e-6-1) > .15 {
		t.Errorf("%+v", got)
	}
}

// Without a measured layer below there is no waterfall, unless the flush can be told apart.
func TestNothingBelowIsNoWaterfall(t *testing.T) {
	s := newStack(1)
	s.measured(stackFiles, "randread", "0", 1e-4)
	if all := Of(s.run).Waterfalls; len(all) != 0 {
		t.Errorf("%+v", all)
	}
	s.measured(stackFiles, "randwrite", "0", 1e-4)
	s.measured(stackFiles, "randwrite", "1", 5e-3)
	w := find(t, Of(s.run).Waterfalls, "/srv", LayerDurable)
	if flush := costOf(t, w, "/srv", FlushStep); math.Abs(flush.Cost.Center/4.9e-3-1) > .05 || flush.Share < .95 {
		t.Errorf("%+v", flush)
	}
}

// Replicated storage is stacked on its node's storage, and the model says how much the
// network explains.
func TestAReplicatedStack(t *testing.T) {
	for residual, volume := range map[bool]float64{false: 330e-6, true: 2e-3} {
		s := newStack(5)
		inv := &s.run.Inventory
		inv.Hosts = append(inv.Hosts, assay.Host{Name: "long"}, assay.Host{Name: "local"})
		inv.Tiers = []assay.Tier{{Name: "long", Kind: "pvc", Hosts: []string{"long"}, Nodes: map[string]string{"long": "node1"}}, {Name: "local", Kind: "hostpath", Hosts: []string{"local"}, Nodes: map[string]string{"local": "node1"}}}
		inv.Facts["long"] = assay.Facts{Host: "long", Stack: &assay.StackFacts{Kind: "longhorn", Copies: 2, Remote: 1}}
		inv.Facts["local"] = assay.Facts{Host: "local"}
		local := assay.Subject{ID: "local/directory//data", Kind: assay.KindDirectory, Host: "local", Name: "/data", Tier: "local", Volume: "hostpath"}
		long := assay.Subject{ID: "long/directory//data", Kind: assay.KindDirectory, Host: "long", Name: "/data", Tier: "long", Volume: "pvc"}
		for _, subject := range []assay.Subject{local, long} {
			extra := 0.
			if subject.Tier == "long" {
				extra = volume
			}
			s.measured(subject, "randwrite", "0", 200e-6+extra)
			s.measured(subject, "randwrite", "1", 1200e-6+extra)
		}
		link := assay.Result{Trial: assay.Trial{ID: "rtt", Probe: "iperf3", Subject: assay.Subject{ID: "l", Kind: assay.KindLink, Host: "long", Peer: "local"}}}
		link.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "net.rtt.median", Value: 300e-6}}}}
		s.run.Results = append(s.run.Results, link)
		w := find(t, Of(s.run).Waterfalls, "long", LayerDurable)
		if len(w.Layers) != 2 || w.Layers[0].Name != "local" || len(w.Assume) != 1 {
			t.Fatalf("%+v, assumed %q", w.Layers, w.Assume)
		}
		if got := costOf(t, w, "long", PathStep); math.Abs(got.Cost.Center/volume-1) > .15 {
			t.Errorf("the volume costs %g s, want %g", got.Cost.Center, volume)
		}
		if w.Model == nil || !w.Model.Known() || math.Abs(w.Model.Value/1500e-6-1) > .05 || (math.Abs(w.Model.Residual) > Unexplained) != residual {
			t.Errorf("model %+v, a residual is wanted: %v", w.Model, residual)
		}
	}
}

// A DRBD device with peers is stacked on the same device without peers, and that on what its
// replica lies on: what the first takes longer is replication, and is compared with a round
// trip on the replicas' own network.
func TestADRBDStack(t *testing.T) {
	for _, volume := range []string{"drbd", "linstor"} {
		t.Run(volume, func(t *testing.T) { testReplicatedDevice(t, volume) })
	}
}

func testReplicatedDevice(t *testing.T, volume string) {
	const rtt, flush, engine = 2e-3, 3e-3, .4e-3
	for network, want := range map[string]bool{"10.99.0.": true, "192.168.7.": false} {
		s := newStack(8)
		inv := &s.run.Inventory
		f := inv.Facts["pve1"]
		f.Block = append(f.Block, assay.BlockDevice{Name: "drbd alone", Path: "drbd alone", Kind: "other", On: []string{"zvol"}},
			assay.BlockDevice{Name: "drbd", Path: "drbd", Kind: "other", On: []string{"zvol"}}, assay.BlockDevice{Name: "zvol", Path: "zvol", Kind: "other"})
		f.Stack = &assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Nodes: 2, ClusterNIC: "eth1",
			Disks: []assay.StackDisk{{Name: "replica", Host: "pve1", Copies: "10.99.0.1"}, {Name: "replica", Host: "pve2", Copies: "10.99.0.2"}}}
		f.Block[len(f.Block)-2].Stack = f.Stack
		inv.Facts["pve1"] = f
		inv.Hosts = append(inv.Hosts, assay.Host{Name: "pve2"})
		inv.Networks = []assay.Network{{Name: "office", Addresses: map[string]string{"pve1": "10.0.0.1", "pve2": "10.0.0.2"}},
			{Name: "between", Addresses: map[string]string{"pve1": network + "1", "pve2": network + "2"}}}
		block := func(name, tier, volume string) assay.Subject {
			return assay.Subject{ID: "pve1/block/" + name, Kind: assay.KindBlock, Host: "pve1", Name: name, Tier: tier, Volume: volume}
		}
		local, alone, both := block("zvol", "local", "zfs"), block("drbd alone", "alone", volume), block("drbd", "sync", volume)
		both.On = []string{alone.ID}
		inv.Subjects = []assay.Subject{local, alone, both}
		const slower = 1e-3
		peer := assay.Subject{ID: "pve2/block/zvol", Kind: assay.KindBlock, Host: "pve2", Name: "zvol", Tier: "peer", Volume: "zfs"}
		inv.Subjects = append(inv.Subjects, peer)
		for subject, more := range map[*assay.Subject]float64{&local: 0, &alone: engine, &both: engine + rtt, &peer: slower} {
			s.measured(*subject, "randwrite", "0", .5e-3+more)
			s.measured(*subject, "randwrite", "1", .5e-3+more+flush)
		}
		for name, rtt := range map[string]float64{"office": 9e-3, "between": rtt} {
			link := assay.Result{Trial: assay.Trial{ID: name, Probe: "iperf3", Subject: assay.Subject{ID: name, Kind: assay.KindLink, Host: "pve1", Peer: "pve2", Network: name}}}
			link.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "net.rtt.median", Value: rtt}}}}
			s.run.Results = append(s.run.Results, link)
		}
		// A host that is farther away and has no replica.
		inv.Hosts = append(inv.Hosts, assay.Host{Name: "pbs"})
		inv.Networks[1].Addresses["pbs"] = network + "3"
		far := assay.Result{Trial: assay.Trial{ID: "far", Probe: "iperf3", Subject: assay.Subject{ID: "far", Kind: assay.KindLink, Host: "pve1", Peer: "pbs", Network: "between"}}}
		far.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "net.rtt.median", Value: 20e-3}}}}
		s.run.Results = append(s.run.Results, far)
		w := find(t, Of(s.run).Waterfalls, "sync", LayerDurable)
		var names []string
		for _, l := range w.Layers {
			names = append(names, l.Name)
		}
		if got := fmt.Sprint(names); got != "[local alone sync]" {
			t.Errorf("layers %s", got)
		}
		for layer, cost := range map[string]float64{"alone": engine, "sync": rtt} {
			if got := costOf(t, w, layer, PathStep); math.Abs(got.Cost.Center/cost-1) > .15 {
				t.Errorf("%s costs %g s, want %g", layer, got.Cost.Center, cost)
			}
		}
		if (w.Trip != nil) != want || w.Model == nil || w.Model.Known() != want {
			t.Fatalf("the network between the replicas is known: %v; %+v, %+v", want, w.Trip, w.Model)
		}
		if want && (w.Trip.RTT != rtt || w.Trip.Over != "eth1" || w.Trip.Share() < .8 || w.Trip.Unclear() || math.Abs(w.Model.Residual) > Unexplained) {
			t.Errorf("%+v, %+v", w.Trip, w.Model)
		}
		if want && (w.Trip.Peer == nil || w.Trip.Peer.Name != "peer" || math.Abs(w.Trip.PeerShare()-slower/rtt) > .1) {
			t.Errorf("the peer's storage: %+v", w.Trip.Peer)
		}
	}
}
