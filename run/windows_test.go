package run_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/audit"
	"assay/inventory"
	"assay/lab/vms/standin"
	"assay/plan"
	"assay/plan/suite"
	probeall "assay/probe/all"
	"assay/run"
	"assay/store"
	"assay/volume/folder"
)

// A directory of a Windows guest is measured, from its facts to an empty journal, and cases
// that need Linux are refused with a reason. The guest is a stand-in that runs this machine's
// fio.
func TestAGuestOfWindows(t *testing.T) {
	w := windowsGuest(t)
	const dir = `D:\bench`
	inv, down, err := inventory.Survey(t.Context(), []inventory.Asked{{Place: w, Dirs: []string{dir}}}, []string{"fio"})
	if err != nil || len(down) > 0 {
		t.Fatalf("%v, %v", err, down)
	}
	probes := probeall.Probes()
	p, err := plan.Make(inv, suite.Suite{Name: "test", Repeats: 2, Budget: time.Hour, Cases: []assay.Case{
		{Probe: "fio", Name: "randread", Title: "4 KiB random read", On: assay.KindDirectory, Seconds: 1, Longest: 1, Set: map[string]string{"rw": "randread", "bs": "4k", "iodepth": "4", "size": "64MiB"}},
		{Probe: "dd", Name: "dd", Title: "dd", On: assay.KindDirectory, Set: map[string]string{"op": "write"}},
	}}, probes, plan.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, st := carried(t.Context(), t, p, inv, map[string]assay.Place{"win": w}, probes)
	measured, refused := 0, 0
	for _, r := range got.Results {
		switch {
		case r.Trial.Absent != nil && strings.Contains(r.Trial.Absent.Why, "win runs Windows, and dd measures hosts of Linux only"):
			refused++
		case r.Trial.Absent != nil:
			t.Errorf("%s: %+v", r.Trial.ID, r.Trial.Absent)
		}
		for _, rep := range r.Counted() {
			if m := rep.Measurement("storage.read.iops"); m != nil && m.Value > 0 && r.Trial.Settings["engine"] == "windowsaio" {
				measured++
			}
		}
	}
	if measured != 2 || refused == 0 {
		t.Errorf("%d repeats measured, %d cases refused", measured, refused)
	}
	watched := false
	for _, n := range got.Notes {
		watched = watched || strings.Contains(n.Text, "win runs Windows, which is not watched")
	}
	if !watched {
		t.Errorf("nobody is told that it was not watched: %+v", got.Notes)
	}
	inWindows(t, w, st, 0)
}

// A guest with DiskSpd but without fio is measured with DiskSpd in the fio cases, and judged
// like any other. Its DiskSpd prints a handmade capture.
func TestAGuestWithDiskSpdAlone(t *testing.T) {
	w := windowsGuest(t)
	var facts map[string]any
	if err := json.Unmarshal(w.Facts, &facts); err != nil {
		t.Fatal(err)
	}
	facts["Tools"] = []map[string]string{{"Name": "fio"}, {"Name": "diskspd", "Path": `C:\tools\diskspd.exe`, "Says": "version 2.0.21a (2018/9/21)\r\n"}}
	without, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	capture, err := os.ReadFile("../probe/diskspd/testdata/2.0.21a-syncwrite-handmade.xml")
	if err != nil {
		t.Fatal(err)
	}
	w.Facts, w.Programs = without, map[string]func(context.Context, assay.Cmd) (assay.Output, error){"diskspd.exe": w.DiskSpd(capture)}
	const dir = `D:\bench`
	inv, down, err := inventory.Survey(t.Context(), []inventory.Asked{{Place: w, Dirs: []string{dir}, Tools: []string{"diskspd"}}}, []string{"fio"})
	if err != nil || len(down) > 0 {
		t.Fatalf("%v, %v", err, down)
	}
	probes := probeall.Probes()
	p, err := plan.Make(inv, suite.Suite{Name: "test", Repeats: 2, Budget: time.Hour, Cases: []assay.Case{
		{Probe: "fio", Name: "syncwrite", Title: "4 KiB synchronous write", On: assay.KindDirectory, Seconds: 5, Longest: 5, Set: map[string]string{"rw": "randwrite", "bs": "4k", "sync": "1", "size": "64MiB"}},
		{Probe: "fio", Name: "steady", Title: "until it is steady", On: assay.KindDirectory, Seconds: 5, Set: map[string]string{"rw": "randwrite", "until": "steady"}},
	}}, probes, plan.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, st := carried(t.Context(), t, p, inv, map[string]assay.Place{"win": w}, probes)
	measured, refused := 0, 0
	for _, r := range got.Results {
		if r.Trial.Absent != nil && strings.Contains(r.Trial.Absent.Why, "DiskSpd prints at its end") {
			refused++
		}
		for _, rep := range r.Counted() {
			m, last := rep.Measurement("storage.write.iops"), rep.Measurement("storage.write.latency.p99")
			if m != nil && last != nil && m.Value > 622 && m.Value < 623 && len(m.Samples) == 5 && r.Trial.Probe == "diskspd" {
				measured++
			}
		}
	}
	if measured != 2 || refused != 1 {
		t.Errorf("%d repeats measured, %d cases refused: %+v", measured, refused, got.Results)
	}
	for _, f := range audit.Audit(audit.Of(got)) {
		if f.Severity == assay.Rejects {
			t.Errorf("rejected: %+v", f)
		}
	}
	inWindows(t, w, st, 0)
}

// What a killed run left in a Windows guest is found by its receipt and removed; while the
// guest is off, it stays in the journal.
func TestWhatAKilledRunLeftInWindows(t *testing.T) {
	w := windowsGuest(t)
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	owner, err := store.Self(runID)
	if err != nil {
		t.Fatal(err)
	}
	owner.Start = "1" // of a dead process
	subject := assay.Subject{ID: `win/directory/D:\bench`, Kind: assay.KindDirectory, Host: "win", Name: `D:\bench`, Source: standin.Volume}
	r, err := folder.New().Reserve(t.Context(), w, subject, assay.Request{ID: "0123456789abcdef", Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Journal(t.Context(), r, owner); err != nil {
		t.Fatal(err)
	}
	lent, err := folder.New().Lend(t.Context(), w, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.Path(lent.File), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	clean := func() []run.Released {
		t.Helper()
		all, err := run.Cleanup(t.Context(), st, map[string]assay.Place{"win": w}, []assay.Journalled{folder.New()}, true)
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		return all
	}
	w.Gone = true
	if all := clean(); all[0].Err == nil {
		t.Error("a directory of a guest that is off is gone")
	}
	inWindows(t, w, st, 1)
	w.Gone = false
	if all := clean(); all[0].Err != nil {
		t.Error(all[0].Err)
	}
	inWindows(t, w, st, 0)
}

// windowsGuest returns a stand-in that has D:\bench and fio.
func windowsGuest(t *testing.T) *standin.Windows {
	t.Helper()
	facts, err := os.ReadFile("../inventory/testdata/windows/server2022.json")
	if err != nil {
		t.Fatal(err)
	}
	w := &standin.Windows{Drive: t.TempDir(), Facts: json.RawMessage(facts)}
	w.Programs = map[string]func(context.Context, assay.Cmd) (assay.Output, error){"fio.exe": w.Fio}
	if err := os.Mkdir(w.Path(`D:\bench`), 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

// inWindows fails unless the guest and the journal each have that many scratch directories
// left.
func inWindows(t *testing.T, w *standin.Windows, st *store.Store, want int) {
	t.Helper()
	entries, err := st.Outstanding(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	there, err := os.ReadDir(w.Path(`D:\bench`))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != want || len(there) != want {
		t.Errorf("left in the guest: %v, in the journal: %v", there, entries)
	}
}
