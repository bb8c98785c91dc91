package analysis

import (
	"math"
	"strings"
	"testing"

	"assay"
)

// longhornRun is a claim on Longhorn with two remote replicas on a link of 1 Gb/s, beside
// its node's drive; rates in B/s, latencies in s.
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

// The fourth published cluster: 53.0 MB/s of a ceiling of 58.8.
func TestPublishedLonghornIsPredicted(t *testing.T) {
	run := longhornRun(53e6, 410e6)
	p := predictionOf(t, Predict(run, nil), "long", assay.BytesPerSecond)
	if len(p.Ceilings) != 2 || math.Abs(p.Ceilings[0].Value/58.84e6-1) > 1e-3 || p.Then != nil {
		t.Errorf("%+v", p)
	}
	p = predictionOf(t, Predict(run, changes(t, "pve4.nic=10G")), "long", assay.BytesPerSecond)
	if o := p.Then; o == nil || !strings.Contains(o.Binds, "the drive") || math.Abs(o.Value/(53/58.84*410e6)-1) > .01 || o.High != 410e6 || o.Low >= o.Value {
		t.Errorf("10 GbE: %+v", p.Then)
	}
	// With a fast drive the link binds still.
	p = predictionOf(t, Predict(longhornRun(53e6, 3e9), changes(t, "pve*.nic=10G")), "long", assay.BytesPerSecond)
	if o := p.Then; math.Abs(o.High/588.4e6-1) > .01 || !strings.Contains(o.Binds, "GbE") {
		t.Errorf("10 GbE before fast drives: %+v", o)
	}
	p = predictionOf(t, Predict(run, changes(t, "long.replicas=2")), "long", assay.BytesPerSecond)
	if o := p.Then; math.Abs(o.High/117.7e6-1) > .01 {
		t.Errorf("one remote replica: %+v", o)
	}
}

// What is far below its limits gains nothing from higher ones, and what falls below them is
// cut to them.
func TestWhatIsNotBoundGainsNothing(t *testing.T) {
	p := predictionOf(t, Predict(longhornRun(20e6, 410e6), changes(t, "pve4.nic=10G")), "long", assay.BytesPerSecond)
	if !p.Then.Unchanged || p.Gain() != 1 {
		t.Errorf("%+v", p.Then)
	}
	p = predictionOf(t, Predict(longhornRun(53e6, 410e6), changes(t, "pve4.nic=0.1G")), "long", assay.BytesPerSecond)
	if p.Then.Unchanged || p.Then.High > 6e6 {
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

// The rate of a pool's drives is a limit of it; of a local directory it tells nothing.
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
