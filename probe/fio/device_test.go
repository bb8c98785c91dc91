package fio

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

func deviceCase(rw string) assay.Case {
	return assay.Case{Probe: "fio", Name: "device", Title: "read", On: assay.KindDevice, Seconds: 1,
		Set: map[string]string{"rw": rw, "bs": "4k", "engine": "psync", "direct": "0"}}
}

func deviceInventory(path string, bytes int64) assay.Inventory {
	return assay.Inventory{
		Facts: map[string]assay.Facts{"box": {Host: "box", Block: []assay.BlockDevice{{Name: "sdx", Path: path, Kind: "disk", Bytes: bytes}}}},
		Subjects: []assay.Subject{
			{ID: "box/device/" + path, Kind: assay.KindDevice, Host: "box", Name: path, On: []string{"box/drive/sdx"}},
			{ID: "box/device//dev/none", Kind: assay.KindDevice, Host: "box", Name: "/dev/none"},
			{ID: "box/directory//srv", Kind: assay.KindDirectory, Host: "box", Name: "/srv"},
		},
	}
}

func TestNothingThatWritesIsPlannedOnADevice(t *testing.T) {
	for _, rw := range []string{"write", "randwrite", "randrw", "rw", "readwrite", "trim", "randtrim"} {
		if trials, err := New().Trials(deviceInventory("/dev/sdx", 1<<30), deviceCase(rw)); err == nil || len(trials) > 0 {
			t.Errorf("rw=%s: %d trials, %v", rw, len(trials), err)
		}
	}
}

func TestADeviceIsReadOnly(t *testing.T) {
	trials, err := New().Trials(deviceInventory("/dev/sdx", 3<<30+4096), deviceCase("randread"))
	if err != nil || len(trials) != 2 {
		t.Fatalf("%d trials, %v", len(trials), err)
	}
	known, unknown := trials[0], trials[1]
	if known.Absent != nil || known.Risk != assay.Reads || known.Scratch != 0 || known.Volume != "" || known.Settings["size"] != "3221225472" ||
		!slices.Contains(known.Claims, "box/drive/sdx") {
		t.Errorf("%+v", known)
	}
	if unknown.Absent == nil || unknown.Absent.Word != assay.Unknown || unknown.Absent.Hint == "" {
		t.Errorf("%+v", unknown)
	}
	argv, err := measureArgv(known, ground(known, assay.Scratch{File: "/elsewhere", Bytes: 1}), time.Second)
	if err != nil || !slices.Contains(argv, "--readonly") || !slices.Contains(argv, "--filename=/dev/sdx") || !slices.Contains(argv, "--rw=randread") {
		t.Errorf("%q, %v", argv, err)
	}
}

// With a real fio: the device stays unchanged, byte for byte. A stored trial that would
// write, whatever it says of its risk, is refused: anybody may have written the database.
func TestRealReadOfADevice(t *testing.T) {
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("fio is not installed")
	}
	path := filepath.Join(t.TempDir(), "device")
	content := bytes.Repeat([]byte("do not touch me "), int(leastBytes)/16)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	trials, err := New().Trials(deviceInventory(path, int64(len(content))), deviceCase("randread"))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := New().Run(t.Context(), trials[0], assay.Bench{Place: here{}, Length: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	figures, err := New().Parse(tr)
	if err != nil || !slices.ContainsFunc(figures, func(m assay.Measurement) bool { return m.Metric == "storage.read.iops" && m.Value > 0 }) {
		t.Errorf("%v, %d figures", err, len(figures))
	}
	notes := (&Probe{}).Notes(tr)
	if !slices.ContainsFunc(notes, func(n assay.Note) bool { return n.ID == "fio-read-only" }) {
		t.Errorf("notes: %+v", notes)
	}
	evil := trials[0]
	evil.Settings = map[string]string{"rw": "randwrite", "bs": "4096", "engine": "psync", "iodepth": "1", "numjobs": "1", "direct": "0", "sync": "0", "size": trials[0].Settings["size"]}
	for _, risk := range []assay.Risk{assay.Reads, assay.Writes} {
		for _, kind := range []assay.SubjectKind{assay.KindDevice, assay.KindDrive} {
			evil.Risk, evil.Subject.Kind = risk, kind
			tr, err := New().Run(t.Context(), evil, assay.Bench{Place: here{}, Length: time.Second})
			if err == nil || !strings.Contains(err.Error(), "would destroy the data") || len(tr.Steps) > 0 {
				t.Errorf("%s as %s: a write was begun: %v", kind, risk, err)
			}
		}
	}
	job := trials[0]
	job.Settings = map[string]string{jobText: "[device]\nrw=write\nbs=4k\nsize=64m\n"}
	if tr, err := New().Run(t.Context(), job, assay.Bench{Place: here{}, Length: time.Second}); err == nil || len(tr.Steps) > 0 {
		t.Errorf("a job was begun: %v", err)
	}
	reader := trials[0]
	reader.Risk = assay.Writes
	if argv, err := measureArgv(reader, ground(reader, assay.Scratch{}), time.Second); err != nil || !slices.Contains(argv, readonly) {
		t.Errorf("%q, %v", argv, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
		t.Errorf("the device has changed: %v", err)
	}
}
