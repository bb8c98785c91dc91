package run_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay"
	"assay/place/local"
	"assay/plan"
	"assay/plan/suite"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
	"assay/volume/volumetest"
)

// A resumed run is watched under the current names of its devices, and reported
// under their earlier ones.
func TestARunGoneOnWithIsWatchedWhereItsDevicesAreNow(t *testing.T) {
	now := anyDevice(t)
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	owner, err := store.Self(runID)
	if err != nil {
		t.Fatal(err)
	}
	device := func(name string) map[string]assay.Facts {
		return map[string]assay.Facts{"here": {Host: "here", Block: []assay.BlockDevice{{Name: name, Kind: "disk", Bytes: 1 << 30}}}}
	}
	dir := t.TempDir()
	before := assay.Inventory{
		Hosts: []assay.Host{{Name: "here"}}, Facts: device("gone0"),
		Subjects: []assay.Subject{{ID: "here/directory/" + dir, Kind: assay.KindDirectory, Host: "here", Name: dir}},
	}
	probe := writer{calls: new(int)}
	p, err := plan.Make(before, suite.Suite{Name: "test", Budget: time.Hour, Repeats: 1, Cases: []assay.Case{
		{Probe: "writer", Name: "case", On: assay.KindDirectory, Seconds: .01, Longest: .01},
	}}, []assay.Probe{probe}, plan.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	head := assay.Run{ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Budget: time.Hour, Inventory: before}
	if err := st.Begin(t.Context(), head); err != nil {
		t.Fatal(err)
	}
	e := run.Engine{
		Places: map[string]assay.Place{"here": local.New("here", runID)}, Probes: []assay.Probe{probe}, Volumes: volumeall.Volumes(),
		Store: st, Owner: owner,
		Now: device(now), Names: map[string]map[string]string{"here": {now: "gone0"}},
	}
	got, err := e.Run(t.Context(), p, head)
	if err != nil || len(got.Results) != 1 || len(got.Results[0].Repeats) != 1 {
		t.Fatalf("%+v, %v", got.Results, err)
	}
	w := got.Results[0].Repeats[0].Watch
	if _, told := w.Device("gone0"); !told {
		t.Errorf("nothing is told of gone0, which is %s now: %+v", now, w.Before.Devices)
	}
	if _, told := w.Device(now); told {
		t.Errorf("%s is told of by a name that the run does not know", now)
	}
}

// A resumed run does what its plan says. Its results come from a database: what they say
// about a trial is only a record.
func TestAResumedRunDoesWhatItsPlanSays(t *testing.T) {
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	owner, err := store.Self(runID)
	if err != nil {
		t.Fatal(err)
	}
	directory := func(dir string) assay.Subject {
		return assay.Subject{ID: "here/directory/scratch", Kind: assay.KindDirectory, Host: "here", Name: dir}
	}
	meant, stored := directory(t.TempDir()), directory(t.TempDir())
	inv := assay.Inventory{
		Hosts: []assay.Host{{Name: "here"}}, Facts: map[string]assay.Facts{"here": {Host: "here"}}, Subjects: []assay.Subject{meant},
	}
	var used []string
	probe := writer{calls: new(int), behave: func(_ context.Context, _ int, on assay.Bench) error {
		used = append(used, filepath.Dir(on.Scratch.Dir))
		return nil
	}}
	p, err := plan.Make(inv, suite.Suite{Name: "test", Budget: time.Hour, Repeats: 1, Cases: []assay.Case{
		{Probe: "writer", Name: "case", On: assay.KindDirectory, Seconds: .01, Longest: .01},
	}}, []assay.Probe{probe}, plan.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	was := p.Trials[0]
	was.Subject, was.Others, was.Probe, was.Volume = stored, []assay.Subject{stored}, "another", "another"
	head := assay.Run{
		ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Budget: time.Hour, Inventory: inv,
		Results: []assay.Result{{Trial: was}},
	}
	if err := st.Begin(t.Context(), head); err != nil {
		t.Fatal(err)
	}
	if err := st.AddTrials(t.Context(), runID, []assay.Trial{was}); err != nil {
		t.Fatal(err)
	}
	e := run.Engine{
		Places: map[string]assay.Place{"here": local.New("here", runID)}, Probes: []assay.Probe{probe}, Volumes: volumeall.Volumes(),
		Store: st, Owner: owner,
	}
	got, err := e.Run(t.Context(), p, head)
	if err != nil || len(got.Results) != 1 || len(got.Results[0].Counted()) != 1 {
		t.Errorf("%+v, %v", got.Results, err)
	}
	if !slices.Equal(used, []string{meant.Name}) {
		t.Errorf("measured in %q, not in %s", used, meant.Name)
	}
}

// A device that appears when lent is counted, and two ways of lending are two
// spaces, each with its own device.
func TestADeviceThatIsLentIsWatched(t *testing.T) {
	volumetest.NeedLoop(t)
	b := newBench(t)
	b.cases = 0
	b.suite.Cases = []assay.Case{
		{Probe: "writer", Name: "a", Title: "a", On: assay.KindDirectory, Seconds: .01, Longest: .01},
		{Probe: "writer", Name: "a", Title: "a", On: assay.KindDirectory, Seconds: .01, Longest: .01, Lend: assay.Way{"cache": "writeback"}},
	}
	property := filepath.Join(b.dir, volumetest.Property)
	if err := os.WriteFile(property, []byte("none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.probe.volume = "loop"
	got, st, err := b.carry(t.Context(), t)
	if err != nil || len(got.Results) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	devices := map[string]bool{}
	for _, r := range got.Results {
		if len(r.Scratch.Devices) != 1 || len(r.Repeats) != 3 {
			t.Fatalf("%s lies on %v: %+v", r.Trial.ID, r.Scratch.Devices, r.Repeats)
		}
		devices[r.Scratch.Devices[0]] = true
		for _, rep := range r.Repeats {
			if _, counted := rep.Watch.Device(r.Scratch.Devices[0]); !counted {
				t.Errorf("%s: nothing is counted of %v", r.Trial.ID, r.Scratch.Devices)
			}
			if label := rep.Measurements[0].Labels["lend.cache"]; label != r.Trial.Lend["cache"] {
				t.Errorf("%s: labelled as lent in the way %q", r.Trial.ID, label)
			}
		}
	}
	if len(devices) != 2 {
		t.Errorf("two ways of lending lie on %v", devices)
	}
	loaded, err := st.Load(t.Context(), runID)
	if err != nil || loaded.Results[1].Trial.Lend["cache"] != "writeback" || !loaded.Results[1].Scratch.Same(got.Results[1].Scratch) {
		t.Errorf("the store holds %+v, %v", loaded.Results, err)
	}
	if now, err := os.ReadFile(property); err != nil || string(now) != "none\n" {
		t.Errorf("the property is %q after the run: %v", now, err)
	}
	if err := os.Remove(property); err != nil {
		t.Fatal(err)
	}
	b.expectClean(t, st)
}

// anyDevice returns the kernel name of a block device of this machine.
func anyDevice(t *testing.T) string {
	t.Helper()
	all, err := os.ReadDir("/sys/class/block")
	if err != nil || len(all) == 0 {
		t.Skipf("this machine shows no block device: %v", err)
	}
	return all[0].Name()
}
