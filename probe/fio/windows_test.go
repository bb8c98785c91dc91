package fio

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/vms/standin"
)

// The plan refuses what fio on Windows cannot do, and says why.
func TestWhatWindowsCannotDo(t *testing.T) {
	onWindows := inventory(func(f *assay.Facts) { f.OS.Windows = true })
	for want, set := range map[string]map[string]string{
		"":                          {"rw": "randread"},
		"has no engine libaio":      {"rw": "randread", "engine": "libaio"},
		"with the engine mmap":      {"rw": "randread", "engine": "mmap"},
		"psync does no direct I/O":  {"rw": "randread", "engine": "psync"},
		"knows no O_DSYNC":          {"rw": "randwrite", "sync": "dsync"},
		"when it is steady needs":   {"rw": "randwrite", "until": "steady"},
		"job files are run on host": {"job": "rw=randread\nsize=64m"},
	} {
		tr := trial(t, onWindows, set)
		if (tr.Absent == nil) != (want == "") || tr.Absent != nil && (tr.Absent.Word != assay.NotSupported || !strings.Contains(tr.Absent.Why, want) || tr.Scratch != 0) {
			t.Errorf("%q: %+v", want, tr.Absent)
		}
		if want == "" && tr.Settings["engine"] != engineWindows {
			t.Errorf("%v", tr.Settings)
		}
	}
	if tr := trial(t, onWindows, map[string]string{"rw": "randread", "engine": "psync", "direct": "0"}); tr.Absent != nil {
		t.Errorf("buffered: %+v", tr.Absent)
	}
	if tr := trial(t, inventory(nil), map[string]string{"rw": "randread", "engine": engineWindows}); tr.Absent == nil || !strings.Contains(tr.Absent.Why, "pve1 does not run Windows") {
		t.Errorf("on Linux: %+v", tr.Absent)
	}
	odd := onWindows
	odd.Subjects[1].Name = `D:\a;b`
	facts := odd.Facts["pve1"]
	facts.Dirs[0].Path = `D:\a;b`
	if tr := trial(t, odd, map[string]string{"rw": "randread"}); tr.Absent == nil || !strings.Contains(tr.Absent.Why, "fio cuts the name of") {
		t.Errorf("%+v", tr.Absent)
	}
	if _, err := windowsCommand("j", `D:\a;b\data`, nil); err == nil {
		t.Error("fio is given a name that it cuts off")
	}
	drives := onWindows
	drives.Subjects = append(drives.Subjects, assay.Subject{ID: "pve1/device/x", Kind: assay.KindDevice, Host: "pve1", Name: `\\.\PhysicalDrive1`})
	all, err := New().Trials(drives, assay.Case{Probe: "fio", Name: "c", On: assay.KindDevice, Set: map[string]string{"rw": "read"}})
	if err != nil || len(all) != 1 || all[0].Absent == nil || !strings.Contains(all[0].Absent.Why, "directories are measured, not devices") {
		t.Errorf("%+v, %v", all, err)
	}
}

// The file is filled, truncated to what was written and measured, with Windows commands: fio
// is this machine's, behind a stand-in.
func TestFillsAndMeasuresOnWindows(t *testing.T) {
	w := &standin.Windows{Drive: t.TempDir()}
	w.Programs = map[string]func(context.Context, assay.Cmd) (assay.Output, error){"fio.exe": w.Fio}
	const dir = `D:\it's $(Remove-Item x) & y`
	if err := os.Mkdir(w.Path(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	tr := trial(t, inventory(func(f *assay.Facts) { f.OS.Windows = true }), map[string]string{"rw": "randread", "size": "64m", "iodepth": "4"})
	lent := assay.Scratch{Dir: dir, File: dir + `\data`, Bytes: tr.Scratch}
	_, lent, err := New().(*Probe).Prepare(t.Context(), tr, assay.Bench{Place: w, Scratch: lent, Length: time.Minute})
	if err != nil || lent.Bytes != 64*mib {
		t.Fatalf("%+v, %v", lent, err)
	}
	out, err := New().Run(t.Context(), tr, assay.Bench{Place: w, Scratch: lent, Length: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	all, err := New().Parse(out)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, m := range all {
		found = found || m.Metric == "storage.read.iops" && m.Value > 0
	}
	if !found {
		t.Errorf("%+v", all)
	}
	argv := strings.Join(w.Ran[len(w.Ran)-1], "\n")
	for _, want := range []string{"fio.exe\n", "\n--filename=D\\:\\it's $(Remove-Item x) & y\\data\n", "\n--thread\n", "\n--ioengine=windowsaio\n", "\n--direct=1\n"} {
		if !strings.Contains(argv, want) {
			t.Errorf("no %q in %q", want, argv)
		}
	}
	if strings.Contains(argv, "status-interval") || strings.Contains(argv, "fallocate") {
		t.Errorf("%q", argv)
	}
}
