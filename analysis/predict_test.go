package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"assay"
)

// longhornRun returns a run of a Longhorn claim with two remote replicas over a link of 1
// Gb/s, besides its node's drive; rates are in B/s, latencies in s.
func longhornRun(write, drive float64) assay.Run {
	s := &stackRun{random: newStack(1).random}
	long := assay.Subject{ID: "long/directory//data", Kind: assay.KindDirectory, Host: "long", Name: "/data", Tier: "long", Volume: "pvc"}
	local := assay.Subject{ID: "local/directory//data", Kind: assay.KindDirectory, Host: "local", Name: "/data", Tier: "local", Volume: "hostpath"}
	s.run.Inventory = assay.Inventory{
		Hosts:    []assay.Host{{Name: "long"}, {Name: "local"}},
		Subjects: []assay.Subject{long, local},
		Tiers: []assay.Tier{
			{Name: "long", Kind: "pvc", Hosts: []string{"long"}, Nodes: map[string]string{"long": "pve4"}},
			{Name: "local", Kind: "hostpath", Hosts: []string{"local"}, Nodes: map[string]string{"local": "pve4"}},
		},
		Facts: map[string]assay.Facts{
			"long":  {Host: "long", Stack: &assay.StackFacts{Kind: "longhorn", Copies: 3, Remote: 2}, NICs: []assay.NICFacts{{Name: "eth0", State: "up", Speed: 1e9, MTU: 1500}}},
			"local": {Host: "local"},
		},
	}
	for _, one := range []struct {
		subject assay.Subject
		rate    float64
	}{{long, write}, {local, drive}} {
		r := assay.Result{Trial: assay.Trial{ID: "fio/seqwrite-1m@" + one.subject.ID, Probe: "fio", Case: "seqwrite-1m", Title: "write", Subject: one.subject, Settings: map[string]string{"rw": "write", "bs": "1m"}}}
		labels := map[string]string{"bs": "1m", "iodepth": "16", "jobs": "1", "pattern": "write"}
		for n := 1; n <= 6; n++ {
			r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "storage.write.bandwidth", Value: one.rate, Labels: labels}}})
		}
		s.run.Results = append(s.run.Results, r)
	}
	s.measured(long, "randwrite", "0", 500e-6)
	s.measured(long, "randwrite", "1", 5e-3)
	return s.run
}

func predictionOf(t *testing.T, all []Prediction, storage string, unit assay.Unit) Prediction {
	t.Helper()
	for _, p := range all {
		if p.Storage == storage && p.Unit == unit {
			return p
		}
	}
	t.Fatalf("no %s of %s: %+v", unit, storage, all)
	return Prediction{}
}

func changes(t *testing.T, words ...string) (all []Change) {
	t.Helper()
	for _, w := range words {
		c, err := ParseChange(w)
		if err != nil {
			t.Fatal(err)
		}
		if c.String() != w {
			t.Errorf("%q is written as %q", w, c)
		}
		all = append(all, c)
	}
	return all
}

// The fourth published cluster reached 53.0 MB/s of a ceiling of 58.8.
func TestPublishedLonghornIsPredicted(t *testing.T) {
	run := longhornRun(53e6, 410e6)
	p := predictionOf(t, Predict(run, nil), "long", assay.BytesPerSecond)
	if len(p.Ceilings) != 2 || math.Abs(p.Ceilings[0].Value/58.84e6-1) > 1e-3 || p.Then != nil {
		t.Errorf("%+v", p)
	}
	p = predictionOf(t, Predict(run, changes(t, "pve4.nic=10G")), "long", assay.BytesPerSecond)
	if o := p.Then; o == nil || !strings.Contains(o.Binds, "the drive") || o.Value < 290e6 || o.Value > 330e6 || o.High != 1.05*410e6 || o.Low >= o.Value {
		t.Errorf("10 GbE: %+v", p.Then)
	}
	// With a fast drive the link still binds.
	p = predictionOf(t, Predict(longhornRun(53e6, 3e9), changes(t, "pve*.nic=10G")), "long", assay.BytesPerSecond)
	if o := p.Then; math.Abs(o.High/1.05/588.4e6-1) > .01 || !strings.Contains(o.Binds, "GbE") {
		t.Errorf("10 GbE before fast drives: %+v", o)
	}
	p = predictionOf(t, Predict(run, changes(t, "long.replicas=2")), "long", assay.BytesPerSecond)
	if o := p.Then; math.Abs(o.High/1.05/117.7e6-1) > .01 {
		t.Errorf("one remote replica: %+v", o)
	}
}

// A real Ceph of lab/ceph before and after changes: each measured value lies within the
// interval predicted from the other run. Both networks allow the same write rate.
func TestMeasuredChangesOfACeph(t *testing.T) {
	pool := func(link, write, read, rate float64) assay.Run {
		s := assay.Subject{ID: "host1/pool/vms", Kind: assay.KindPool, Host: "host1", Name: "vms", Tier: "vms", Volume: "cephpool"}
		run := assay.Run{Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "host1"}}, Subjects: []assay.Subject{s}, Facts: map[string]assay.Facts{}}}
		stack := assay.StackFacts{Kind: "ceph", Copies: 3, Nodes: 3, Drives: 3, Apart: true}
		copies := assay.Network{Name: "copies", Addresses: map[string]string{}, Rate: link, MTU: 1500}
		for _, host := range []string{"host1", "host2", "host3"} {
			stack.Disks = append(stack.Disks, assay.StackDisk{Name: "osd", Host: host, Copies: "10.1.0." + host[4:], Serves: "10.0.0." + host[4:]})
			copies.Addresses[host] = "10.1.0." + host[4:]
		}
		run.Inventory.Networks = []assay.Network{copies}
		for _, host := range []string{"host1", "host2", "host3"} {
			run.Inventory.Facts[host] = assay.Facts{Host: host, Stack: &stack, NICs: []assay.NICFacts{{Name: "eth0", State: "up", Speed: link, MTU: 1500}}}
		}
		measured := func(id, op, bs, depth, metric string, v float64) {
			r := assay.Result{Trial: assay.Trial{ID: id, Probe: "rados", Subject: s, Settings: map[string]string{"op": op, "bs": bs}}}
			for n := 1; n <= 3; n++ {
				r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: metric, Value: v, Labels: map[string]string{"bs": bs, "iodepth": depth}}}})
			}
			run.Results = append(run.Results, r)
		}
		measured("writes", "write", "1m", "16", "pool.write.bandwidth", write)
		measured("reads", "seq", "1m", "16", "pool.read.bandwidth", read)
		measured("one at a time", "write", "4k", "1", "pool.write.iops", rate)
		return run
	}
	slow, double := pool(50e6, 6.21e6, 8.78e6, 118), pool(100e6, 11.6e6, 15.2e6, 162)
	for word, c := range map[string]struct{ before, after assay.Run }{"host*.nic=0.1G": {slow, double}, "host*.nic=0.05G": {double, slow}} {
		said := Predict(c.before, changes(t, word))
		if len(said) != 3 {
			t.Fatalf("%s: %+v", word, said)
		}
		for _, p := range said {
			measured := middle(builderOf(c.after).result(p.Trial), p.Metric)
			o := p.Then
			t.Logf("%s, %s: before %.4g, predicted %.4g (%.4g to %.4g), measured %.4g: %+.1f %%", word, p.Trial, p.Now, o.Value, o.Low, o.High, measured, 100*(o.Value/measured-1))
			if o == nil || o.Unknown != "" || o.Unchanged || measured < o.Low || measured > o.High || o.High > 2.2*o.Low || math.Abs(o.Value/measured-1) > .25 {
				t.Errorf("%s, %s: %+v, measured %g; ceilings %+v", word, p.Trial, o, measured, p.Ceilings)
			}
		}
	}
}

// Between half and 85 % of the limits it is unclear whether they bind: the prediction moves
// smoothly from unchanged to the same share of the new limit, and its interval covers both.
func TestWhatMayBeBound(t *testing.T) {
	last := 1.
	for _, now := range []float64{20e6, 31e6, 38e6, 45e6, 53e6} {
		o := predictionOf(t, Predict(longhornRun(now, 3e9), changes(t, "pve4.nic=10G")), "long", assay.BytesPerSecond).Then
		gain := o.Value / now
		if gain < last || gain > 10.01 || o.Low > o.Value || o.High < o.Value {
			t.Errorf("%g B/s: %+v", now, o)
		}
		if unclear := now > 30e6 && now < 50e6; unclear && (o.Low != now || o.High < 9*now) || !unclear && now > 50e6 && o.Low < 5*now {
			t.Errorf("%g B/s: %+v", now, o)
		}
		last = gain
	}
	if all := Suggest(longhornRun(38e6, 3e9)); len(all) != 1 || all[0].Changes[0].What != ChangeDrive {
		t.Errorf("a link that may not be what binds is suggested: %+v", all)
	}
}

// linstorRun returns a run of a device placed by LINSTOR, with two replicas, one of them local
// or none, besides the storage under the local one. Its replicas use a network of 1 Gb/s, and
// all hosts also have one of 10 Gb/s.
func linstorRun(diskless bool, write, drive float64) assay.Run {
	s := &stackRun{random: newStack(1).random}
	block := func(name, tier, volume string) assay.Subject {
		return assay.Subject{ID: "pve1/block/" + name, Kind: assay.KindBlock, Host: "pve1", Name: name, Tier: tier, Volume: volume}
	}
	vms, local := block("linstor data x2", "vms", "linstor"), block("vg0", "local", "lvm")
	stack := assay.StackFacts{Kind: "drbd", Nodes: 2, Copies: 2, Remote: 1, Protocol: "C", ClusterNIC: "eno1",
		Disks: []assay.StackDisk{{Name: "replica", Host: "pve1", Copies: "10.99.0.1"}, {Name: "replica", Host: "node2.example", Copies: "10.99.0.2"}}}
	on := []string{"vg0"}
	if diskless {
		stack.Remote, stack.Disks, on = 2, append(stack.Disks[1:], assay.StackDisk{Name: "replica", Host: "pve3", Copies: "10.99.0.3"}), nil
	}
	nics := []assay.NICFacts{{Name: "eno1", State: "up", Speed: 1e9, MTU: 1500}, {Name: "eno2", State: "up", Speed: 10e9, MTU: 9000}}
	s.run.Inventory = assay.Inventory{
		Hosts: []assay.Host{{Name: "pve1"}, {Name: "pve2"}, {Name: "pve3"}}, Subjects: []assay.Subject{vms, local},
		Tiers: []assay.Tier{{Name: "vms", Kind: "linstor", Hosts: []string{"pve1"}}, {Name: "local", Kind: "lvm", Hosts: []string{"pve1"}}},
		Networks: []assay.Network{
			{Name: "slow", Addresses: map[string]string{"pve1": "10.99.0.1", "pve2": "10.99.0.2", "pve3": "10.99.0.3"}, Rate: 1e9, MTU: 1500},
			{Name: "fast", Addresses: map[string]string{"pve1": "10.77.0.1", "pve2": "10.77.0.2", "pve3": "10.77.0.3"}, Rate: 10e9, MTU: 9000},
		},
		Facts: map[string]assay.Facts{
			"pve1": {Host: "pve1", NICs: nics, Stack: &stack, Block: []assay.BlockDevice{{Name: vms.Name, Path: vms.Name, Kind: "other", On: on, Stack: &stack}, {Name: "vg0", Path: "vg0", Kind: "other"}}},
			"pve2": {Host: "pve2", NICs: nics}, "pve3": {Host: "pve3", NICs: nics},
		},
	}
	for _, one := range []struct {
		subject assay.Subject
		rate    float64
	}{{vms, write}, {local, drive}} {
		r := assay.Result{Trial: assay.Trial{ID: "fio/seqwrite-1m@" + one.subject.ID, Probe: "fio", Case: "seqwrite-1m", Title: "write", Subject: one.subject, Settings: map[string]string{"rw": "write", "bs": "1m"}}}
		for n := 1; n <= 6; n++ {
			r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "storage.write.bandwidth", Value: one.rate, Labels: map[string]string{"bs": "1m", "iodepth": "16", "jobs": "1", "pattern": "write"}}}})
		}
		s.run.Results = append(s.run.Results, r)
	}
	s.measured(vms, "randwrite", "0", 700e-6)
	s.measured(vms, "randwrite", "1", 2e-3)
	link := assay.Result{Trial: assay.Trial{ID: "rtt", Probe: "iperf3", Subject: assay.Subject{ID: "l", Kind: assay.KindLink, Host: "pve1", Peer: "pve2", Network: "slow"}}}
	link.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "net.rtt.median", Value: 300e-6}}}}
	s.run.Results = append(s.run.Results, link)
	return s.run
}

// LINSTOR devices are predicted as replicated storage, from their own facts.
func TestLINSTORIsPredicted(t *testing.T) {
	run := linstorRun(false, 110e6, 500e6)
	p := predictionOf(t, Predict(run, changes(t, "pve1.nic=10G")), "vms", assay.BytesPerSecond)
	if len(p.Ceilings) != 2 || math.Abs(p.Ceilings[0].Value/117.7e6-1) > .01 || p.Ceilings[1].Value != 500e6 || p.Then.Value < 300e6 || p.Then.High != 1.05*500e6 {
		t.Errorf("%+v, then %+v", p, p.Then)
	}
	rate := predictionOf(t, Predict(run, changes(t, "vms.replicas=1")), "vms", assay.PerSecond)
	if o := rate.Then; o.Unchanged || math.Abs(o.Value/(1/1.7e-3)-1) > .05 {
		t.Errorf("one replica, without a round trip of 300 µs: %+v", o)
	}
	if o := predictionOf(t, Predict(run, changes(t, "vms.sync=off")), "vms", assay.PerSecond).Then; math.Abs(o.Value/(1/700e-6)-1) > .05 {
		t.Errorf("without the flush: %+v", o)
	}
	if o := predictionOf(t, Predict(run, changes(t, "pve1.nic=10G")), "vms", assay.PerSecond).Then; o.Unchanged || !strings.Contains(o.Sum, "the transfer 31") {
		t.Errorf("the transfer of 4 KiB: %+v", o)
	}
	// If the storage below was measured, its latency is the prediction: the other host has
	// work to do, too.
	for _, own := range run.Inventory.Subjects {
		if own.Tier != "local" {
			continue
		}
		below := &stackRun{random: newStack(1).random, run: run}
		below.run.Results = slices.Clone(run.Results)
		below.measured(own, "randwrite", "1", 1e-3)
		o := predictionOf(t, Predict(below.run, changes(t, "vms.replicas=1")), "vms", assay.PerSecond).Then
		if math.Abs(o.Value/1000-1) > .05 || o.Low > 1/1.7e-3 || o.High < 1000 {
			t.Errorf("one replica on storage that takes 1 ms: %+v", o)
		}
	}
	// Without a local replica each write crosses the link twice.
	p = predictionOf(t, Predict(linstorRun(true, 55e6, 500e6), nil), "vms", assay.BytesPerSecond)
	if math.Abs(p.Ceilings[0].Value/58.84e6-1) > .01 {
		t.Errorf("diskless: %+v", p.Ceilings)
	}
	// The storage under it is local: one copy, on its drive.
	if p := predictionOf(t, Predict(run, nil), "local", assay.BytesPerSecond); len(p.Ceilings) != 0 {
		t.Errorf("%+v", p)
	}
}

// Replicas that use the slower of two networks shared by all their hosts are reported,
// whatever the places call the hosts.
func TestReplicasOnTheSlowerNetwork(t *testing.T) {
	for diskless := range map[bool]bool{true: true, false: true} {
		run := linstorRun(diskless, 55e6, 500e6)
		b := builderOf(run)
		all := b.misfits(nil)
		if len(all) != 1 || all[0].Misfit != ReplicasSlower || all[0].Storage != "vms" || all[0].Used.Name != "slow" || all[0].Better.Name != "fast" || all[0].Better.Rate != 10e9 || all[0].Used.MTU != 1500 {
			t.Errorf("%+v", all)
		}
		delete(run.Inventory.Networks[1].Addresses, "pve2")
		if all := b.misfits(nil); len(all) != 0 {
			t.Errorf("a host is not on it: %+v", all)
		}
	}
	w := NetworkWay{Rate: 1e9, RTT: 200e-6}
	for better, other := range map[bool]NetworkWay{true: {Rate: 1e9, RTT: 90e-6}, false: {Rate: .5e9, RTT: 90e-6}} {
		if other.better(w) != better {
			t.Errorf("%+v is better than %+v: not %v", other, w, better)
		}
	}
}

// A figure far below its limits gains nothing from higher ones, and a limit that drops
// below it caps it.
func TestWhatIsNotBoundGainsNothing(t *testing.T) {
	p := predictionOf(t, Predict(longhornRun(20e6, 410e6), changes(t, "pve4.nic=10G")), "long", assay.BytesPerSecond)
	if !p.Then.Unchanged || p.Gain() != 1 {
		t.Errorf("%+v", p.Then)
	}
	p = predictionOf(t, Predict(longhornRun(53e6, 410e6), changes(t, "pve4.nic=0.1G")), "long", assay.BytesPerSecond)
	if p.Then.Unchanged || p.Then.High > 1.05*6e6 {
		t.Errorf("100 MbE: %+v", p.Then)
	}
}

func TestPredictedSynchronousWrites(t *testing.T) {
	run := longhornRun(53e6, 410e6)
	for _, word := range []string{"long.drive=PLP", "long.sync=off"} {
		o := predictionOf(t, Predict(run, changes(t, word)), "long", assay.PerSecond).Then
		if o.Value < 1900 || o.Value > 2100 || o.Low >= o.Value || o.High <= o.Value || (o.Risk != "") != (word == "long.sync=off") {
			t.Errorf("%s, with writes of 500 µs: %+v", word, o)
		}
	}
	run.Results = run.Results[:len(run.Results)-2]
	run.Results = append(run.Results, longhornRun(53e6, 410e6).Results[3])
	if o := predictionOf(t, Predict(run, changes(t, "long.drive=PLP")), "long", assay.PerSecond).Then; !strings.Contains(o.Unknown, "--suite layers") {
		t.Errorf("without the flush apart: %+v", o)
	}
}

// A drive with power-loss protection saves the time of the drive's flushes, but not that of
// the log record written before each one; if every write was written through, the two cannot
// be told apart.
func TestADriveSavesItsOwnFlush(t *testing.T) {
	for counted, want := range map[int64]float64{1000: 1 / 1.5e-3, 1100: 1 / 1.5e-3, 20: 1 / 500e-6} {
		s := newStack(1)
		s.of(500e-6, 4500e-6, 0)
		for _, r := range s.run.Results {
			for i := range r.Repeats {
				rep := &r.Repeats[i]
				rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: "storage.write.bytes", Value: 1000 * 4096})
				rep.Watch = &assay.Watch{
					Before: assay.Snapshot{Devices: map[string]assay.DeviceCounts{"nvme0n1": {Flushes: 7, FlushTime: 1}}},
					After:  assay.Snapshot{Devices: map[string]assay.DeviceCounts{"nvme0n1": {Flushes: 7 + counted, FlushTime: 1 + 3.5}}},
				}
			}
		}
		for word, want := range map[string]float64{"pve1.drive=PLP": want, "pve1.sync=off": 1 / 500e-6} {
			p := predictionOf(t, Predict(s.run, changes(t, word)), "/srv", assay.PerSecond)
			if math.Abs(p.Then.Value/want-1) > .05 {
				t.Errorf("%s with %d flushes of 3.5 s for 1,000 writes: %+v, not %.0f", word, counted, p.Then, want)
			}
		}
	}
}

// Drives that answer a flush at once, or get none as they have no volatile cache, need no
// power-loss protection: what a synchronous write of ZFS takes is its log.
func TestDrivesThatNeedNoFlush(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name  string
		drive assay.BlockDevice
		gains bool
	}{
		{"with a volatile cache", assay.BlockDevice{WriteCache: "write back"}, true},
		{"of which nothing is known", assay.BlockDevice{}, true},
		{"without a volatile cache", assay.BlockDevice{WriteCache: "write through"}, false},
		{"protected", assay.BlockDevice{WriteCache: "write back", PLP: &yes}, false},
	} {
		s := newStack(1)
		s.of(20e-6, 40e-6, 0)
		drive := &s.run.Inventory.Facts["pve1"].Block[0]
		drive.WriteCache, drive.PLP = c.drive.WriteCache, c.drive.PLP
		suggested := slices.ContainsFunc(Suggest(s.run), func(s Suggestion) bool { return s.Changes[0].What == ChangeDrive })
		then := predictionOf(t, Predict(s.run, changes(t, "pve1.drive=PLP")), "/srv", assay.PerSecond).Then
		if suggested != c.gains || then.Unchanged == c.gains {
			t.Errorf("%s: suggested %v, %+v", c.name, suggested, then)
		}
		if off := predictionOf(t, Predict(s.run, changes(t, "pve1.sync=off")), "/srv", assay.PerSecond).Then; off.Unchanged {
			t.Errorf("%s, sync=off: %+v", c.name, off)
		}
	}
}

// A bond is as fast as its links together.
func TestAFasterBond(t *testing.T) {
	nics := withSpeed([]assay.NICFacts{{Name: "eno1", State: "up", Speed: 1e10}, {Name: "eno2", State: "up", Speed: 1e10}, {Name: "bond0", State: "up", Speed: 1e10, Virtual: true, Members: 2}, {Name: "vmbr0", Virtual: true, Speed: 2e10}, {Name: "bond1", State: "up", Speed: 1e10, Virtual: true, Members: 1}}, 1e11)
	for i, want := range []float64{1e11, 1e11, 1e11, 2e10, 1e11} {
		if nics[i].Rate() != want {
			t.Errorf("%s: %g", nics[i].Name, nics[i].Rate())
		}
	}
}

func TestSuggestionsBeginWithTheCheapest(t *testing.T) {
	all := Suggest(longhornRun(53e6, 410e6))
	if len(all) != 3 || all[0].Changes[0].What != ChangeNIC || all[1].Changes[0].What != ChangeDrive || len(all[2].Changes) != 2 {
		t.Fatalf("%+v", all)
	}
	if all[0].Changes[0].Of != "pve4" || all[0].Effects[0].Gain() < 5 {
		t.Errorf("%+v", all[0])
	}
	if none := Suggest(assay.Run{}); len(none) != 0 {
		t.Errorf("%+v", none)
	}
}

func TestChangesAreRead(t *testing.T) {
	changes(t, "pve4.nic=10G", "a.b.nic=2.5G", "pve4.nic=0.05G", "pve*.drive=PLP", "pool.drive=12.55MB/s", "tank.replicas=2", "tank.sync=off")
	for _, bad := range []string{"", "nic=10G", "pve4.nic", "pve4.nic=", "pve4.nic=10", "pve4.nic=-1G", "pve4.nic=G", "pve4.drive=SSD", "pve4.drive=0MB/s", "pve4.drive=500", "pve4.replicas=0", "pve4.replicas=x", "pve4.cpu=2", "[.nic=10G", ".nic=1G"} {
		if c, err := ParseChange(bad); err == nil || assay.Hint(err) == "" {
			t.Errorf("%q: %+v, %v", bad, c, err)
		}
	}
	run := longhornRun(53e6, 410e6)
	for word, is := range map[string]bool{"pve4.nic=10G": true, "long.drive=PLP": true, "pve9.nic=10G": false} {
		if got := Touches(run, changes(t, word)[0]); got != is {
			t.Errorf("%s touches something: %v", word, got)
		}
	}
}

// The rate of a pool's drives limits the pool; for a local directory it predicts
// nothing.
func TestDrivesOfAnotherRate(t *testing.T) {
	run := assay.Run{Inventory: assay.Inventory{
		Hosts:    []assay.Host{{Name: "pve1"}},
		Subjects: []assay.Subject{{ID: "pve1/pool/vms", Kind: assay.KindPool, Host: "pve1", Name: "vms", Tier: "vms", Volume: "cephpool"}},
		Facts: map[string]assay.Facts{"pve1": {Host: "pve1", Stack: &assay.StackFacts{Kind: "ceph", Copies: 3, Nodes: 3, Drives: 3},
			NICs: []assay.NICFacts{{Name: "eth0", State: "up", Speed: 1e9, MTU: 1500}}}},
	}}
	r := assay.Result{Trial: assay.Trial{ID: "w", Probe: "rados", Subject: run.Inventory.Subjects[0], Settings: map[string]string{"op": "write", "bs": "1m"}}}
	for n := 1; n <= 3; n++ {
		r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "pool.write.bandwidth", Value: 80e6, Labels: map[string]string{"bs": "1m", "iodepth": "8"}}}})
	}
	run.Results = []assay.Result{r}
	for word, want := range map[string]float64{"vms.drive=20MB/s": 20e6, "vms.drive=500MB/s": 80e6} {
		o := predictionOf(t, Predict(run, changes(t, word)), "vms", assay.BytesPerSecond).Then
		if o == nil || o.Unknown != "" || o.Value > want || o.Value < bindsFrom*want {
			t.Errorf("%s: %+v", word, o)
		}
	}
	local := longhornRun(53e6, 410e6)
	if o := predictionOf(t, Predict(local, changes(t, "local.drive=100MB/s")), "local", assay.BytesPerSecond).Then; o == nil || o.Unknown == "" {
		t.Errorf("%+v", o)
	}
}

// Drives of a given rate bound replicas, whatever the measured drives could do, and each small
// write takes the time that they need for its data.
func TestSlowDrivesUnderReplicas(t *testing.T) {
	run := linstorRun(false, 110e6, 500e6)
	large := predictionOf(t, Predict(run, changes(t, "vms.drive=8MB/s")), "vms", assay.BytesPerSecond)
	if o := large.Then; o.Unchanged || o.Value > 8e6 || o.Value < bindsFrom*8e6 || o.Binds != "the drives" {
		t.Errorf("large writes: %+v", o)
	}
	small := predictionOf(t, Predict(run, changes(t, "vms.drive=8MB/s")), "vms", assay.PerSecond)
	if want := 1 / (1/small.Now + 4096/8e6); math.Abs(small.Then.Value/want-1) > .01 {
		t.Errorf("%.0f small writes: %+v, want %.0f", small.Now, small.Then, want)
	}
	if fast := predictionOf(t, Predict(run, changes(t, "vms.drive=3000MB/s")), "vms", assay.PerSecond); !fast.Then.Unchanged {
		t.Errorf("small writes on fast drives: %+v", fast.Then)
	}
}
