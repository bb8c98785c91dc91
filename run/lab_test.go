package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/inventory"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/place/ssh"
	"assay/plan"
	"assay/plan/multiclient"
	"assay/plan/suite"
	"assay/probe/fio"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
)

// perDisk is the limit of each disk of the lab, 1/s.
const perDisk = 100

// Real hosts over real SSH with real fio: each has a disk of 100 operations a second, which
// even a busy machine can do, so three at once reach 300, and each no less than alone.
func TestThreeHostsAtOnceOverSSH(t *testing.T) {
	if os.Getenv("ASSAY_QUICK_TESTS") != "" {
		t.Skip("a quick run measures a cluster in cmd/assay and lab/faults: make test-lab does it here too")
	}
	var all []hosts.Host
	for _, name := range []string{"ann", "bob", "cat"} {
		all = append(all, hosts.Host{Name: name, Link: 10e9, Sudo: true, Disk: hosts.Disk{Bytes: 512 << 20, Rate: 200 << 20, IOPS: perDisk}})
	}
	l := hoststest.Up(t, all)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	places, asked := map[string]assay.Place{}, []assay.Place{}
	for _, h := range all {
		at := ssh.New(assay.Host{Name: h.Name}, ssh.Options{
			Address: l.Address(h.Name, hosts.Management), User: hosts.User, ConfigFile: l.Config(), Sudo: true, Mark: runID,
		})
		t.Cleanup(func() { _ = at.Close() })
		places[h.Name], asked = at, append(asked, at)
	}
	inv, err := inventory.Gather(ctx, asked, []string{hosts.BenchDir}, []string{"fio"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range inv.Subjects {
		if s := &inv.Subjects[i]; s.Kind == assay.KindDirectory {
			s.Tier = "sd"
		}
	}
	probes := []assay.Probe{fio.New()}
	p, err := plan.Make(inv, suite.Suite{Name: "test", Title: "test", Budget: time.Hour, Repeats: 2, Cases: []assay.Case{{
		Probe: "fio", Name: "randread", Title: "4 KiB random read", On: assay.KindDirectory, Seconds: 6, Longest: 6, Together: true,
		Set: map[string]string{"rw": "randread", "bs": "4k", "iodepth": "4", "size": "64MiB"},
	}}}, probes, plan.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, st := carried(ctx, t, p, inv, places, probes)
	for k := 1; k <= 3; k++ {
		r := on(t, got, k)
		for _, rep := range r.Counted() {
			iops := rep.Measurement("storage.read.iops")
			// A busy machine does less; that each of them has a share is seen below.
			if want := float64(k * perDisk); iops == nil || iops.Value > 1.1*want || iops.Value < .5*want {
				t.Fatalf("on %d hosts: %+v, want %v", k, iops, want)
			}
			p50, p99 := rep.Measurement("storage.read.latency.p50"), rep.Measurement("storage.read.latency.p99")
			if p50 == nil || p99 == nil || p50.Value <= 0 || p99.Value < p50.Value {
				t.Errorf("on %d hosts: p50 %+v, p99 %+v", k, p50, p99)
			}
			// Depth 4 at 100 a second: each operation takes 40 ms, however many hosts.
			if mean := rep.Measurement("storage.read.latency.mean"); mean == nil || mean.Value < 20e-3 || mean.Value > 80e-3 {
				t.Errorf("on %d hosts: mean latency %+v", k, mean)
			}
			if k > 1 && (len(iops.Samples) < 2 || iops.Labels["clients"] == "" || iops.Labels["engine"] == "") {
				t.Errorf("on %d hosts: labels %v, samples %v", k, iops.Labels, iops.Samples)
			}
			if apart, whole := multiclient.Apart(rep.Transcript, rep.Measurements, 4*time.Second); 2*apart > whole {
				t.Errorf("%d hosts were %s apart, of %s", k, apart, whole)
			}
		}
	}
	loaded, err := st.Load(ctx, runID)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"ann", "bob", "cat"} {
		share := multiclient.Of(*on(t, loaded, 3), host).Values("storage.read.iops")
		if len(share) != 2 || share[0] > 1.15*perDisk || share[0] < .4*perDisk {
			t.Errorf("%s had %v of it", host, share)
		}
	}
	tr, err := st.Transcript(ctx, runID, on(t, got, 3).Trial.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	measured := 0
	for _, s := range tr.Steps {
		if s.Name == "measure" && strings.Contains(strings.Join(s.Argv, " "), "--iodepth=4") {
			measured++
		}
	}
	if measured != 3 || len(multiclient.Split(tr)) != 3 {
		t.Errorf("%d commands measured, on %d hosts", measured, len(multiclient.Split(tr)))
	}
	if entries, err := st.Outstanding(ctx); err != nil || len(entries) > 0 {
		t.Errorf("the journal still holds %v, %v", entries, err)
	}
	for _, at := range asked {
		out, err := at.Run(ctx, assay.Cmd{Argv: []string{"find", hosts.BenchDir, "-mindepth", "1", "-not", "-name", "lost+found"}})
		if err != nil || len(out.Stdout) > 0 {
			t.Errorf("left on %s: %s, %v", at.Host().Name, out.Stdout, err)
		}
	}
}

// carried returns a finished run of a plan, with its store.
func carried(ctx context.Context, t *testing.T, p plan.Plan, inv assay.Inventory, places map[string]assay.Place, probes []assay.Probe) (assay.Run, *store.Store) {
	t.Helper()
	st, err := store.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	owner, err := store.Self(runID)
	if err != nil {
		t.Fatal(err)
	}
	head := assay.Run{ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Seed: 1, Budget: p.Budget, Inventory: inv}
	if err := st.Begin(ctx, head); err != nil {
		t.Fatal(err)
	}
	e := run.Engine{Places: places, Probes: probes, Volumes: volumeall.Volumes(), Store: st, Owner: owner}
	got, err := e.Run(ctx, p, head)
	if err != nil || got.Status != assay.RunDone {
		for _, r := range got.Results {
			for _, rep := range r.Repeats {
				t.Logf("%s, repeat %d: %s %s", r.Trial.ID, rep.N, rep.Outcome, rep.Error)
			}
		}
		t.Fatalf("%s, %v, notes %v", got.Status, err, got.Notes)
	}
	return got, st
}
