package fio

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
)

func jobTrial(t *testing.T, inv assay.Inventory, text string) assay.Trial {
	t.Helper()
	trials, err := New().Trials(inv, assay.Case{Probe: name, Name: "mine", On: assay.KindStorage, Set: map[string]string{jobText: text}})
	if err != nil || len(trials) != 1 {
		t.Fatalf("%d trials, %v", len(trials), err)
	}
	return trials[0]
}

// A user's job: fio gets its options, on the lent space, and its figures are labelled
// as any others.
func TestRealUserJob(t *testing.T) {
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("fio is not installed")
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	tr := jobTrial(t, inventory(nil), "filename="+elsewhere+"\nrw=randrw\nrwmixread=70\nbs=4k\nioengine=psync\nsize=64m\nruntime=1\ntime_based\nnumjobs=2")
	if tr.Scratch != 64*mib || tr.Overhead != 2*time.Second || tr.Absent != nil || tr.Settings["rw"] != "randrw" {
		t.Fatalf("%+v", tr)
	}
	file := filepath.Join(t.TempDir(), "scratch")
	lent := assay.Scratch{File: file, Bytes: tr.Scratch}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := &Probe{}
	_, lent, err := p.Prepare(t.Context(), tr, assay.Bench{Place: here{}, Scratch: lent})
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(t.Context(), tr, assay.Bench{Place: here{}, Scratch: lent})
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.Parse(got)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]assay.Measurement{}
	for _, m := range all {
		seen[m.Metric] = m
	}
	for _, metric := range []string{"storage.read.iops", "storage.write.iops", "storage.read.latency.mean"} {
		m := seen[metric]
		if !(m.Value > 0) || m.Labels["pattern"] != "randrw" || m.Labels["jobs"] != "2" || m.Labels["engine"] != "psync" {
			t.Errorf("%s: %+v", metric, m)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Size() != 64*mib {
		t.Errorf("the lent file is no longer of 64 MiB: %v, %v", info, err)
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("the file that the job names was made")
	}
}

// Stored jobs are untrusted data: a trial with someone else's job runs nothing that a job
// file may not.
func TestUserJobIsReadAgain(t *testing.T) {
	tr := jobTrial(t, inventory(nil), "rw=read\nsize=64m")
	for _, text := range []string{"exec_prerun=id", "write_bw_log=x", "ioengine=external:x", "[b]\nrw=write", "size=1g", "size=64m\noffset=1m"} {
		tr.Settings[jobText] = "rw=read\n" + text
		argv, err := measureUserJob(tr, assay.Bench{Scratch: assay.Scratch{File: "/mnt/f", Bytes: 64 * mib}})
		if err == nil {
			t.Errorf("%s: %v", text, argv.Argv)
		}
	}
}

// Only the job sets how it runs.
func TestUserJobHasNoOtherSettings(t *testing.T) {
	c := assay.Case{Probe: name, Name: "mine", On: assay.KindStorage, Set: map[string]string{jobText: "rw=read", "bs": "4k"}}
	if _, err := New().Trials(inventory(nil), c); err == nil || !strings.Contains(err.Error(), "no other settings") {
		t.Error(err)
	}
	delete(c.Set, "bs")
	for _, kind := range []assay.SubjectKind{assay.KindDevice, assay.KindDrive} {
		c.On = kind
		if _, err := New().Trials(inventory(nil), c); err == nil || assay.Hint(err) != "on: storage" {
			t.Errorf("on %s: %v", kind, err)
		}
	}
}

// A job without a size gets the usual one, and --size applies.
func TestUserJobOfAnySize(t *testing.T) {
	tr := jobTrial(t, inventory(nil), "rw=read\ndirect=1")
	if tr.Scratch != usualBytes {
		t.Errorf("%d", tr.Scratch)
	}
	tr = (&Probe{}).Sized(tr, assay.Scratch{Bytes: 64 * mib})
	argv, err := userArgv(tr, assay.Scratch{File: "/mnt/f", Bytes: 64 * mib})
	if err != nil || !strings.Contains(strings.Join(argv, " "), "--size=67108864") {
		t.Errorf("%v, %v", argv, err)
	}
	fixed := jobTrial(t, inventory(nil), "rw=read\nsize=1g")
	if got := (&Probe{}).Sized(fixed, assay.Scratch{Bytes: 64 * mib}); got.Scratch != gib {
		t.Errorf("a job that says its size has another: %d", got.Scratch)
	}
}
