package session_test

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan"
	"assay/plan/suite"
	"assay/run/session"
	"assay/volume/volumetest"
)

// deviceBytes is small enough for the guard to read a whole device, which is cheaper
// than the thousands of samples of a larger one.
const deviceBytes = 72 << 20

// loopDevice returns a loop device of this machine for one test.
func loopDevice(t *testing.T) (device, file string) {
	t.Helper()
	volumetest.NeedLoop(t)
	file = filepath.Join(t.TempDir(), "disk.img")
	if err := os.WriteFile(file, make([]byte, deviceBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", file).CombinedOutput()
	if err != nil {
		t.Skipf("no loop device: %v: %s", err, out)
	}
	device = strings.TrimSpace(string(out))
	t.Cleanup(func() {
		if out, err := exec.Command("losetup", "--detach", device).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return device, file
}

var seed = maphash.MakeSeed() // for sums of whole devices, which are computed many times

func sumOf(t *testing.T, file string) string {
	t.Helper()
	_ = exec.Command("sync", file).Run()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d bytes, %x", len(b), maphash.Bytes(seed, b))
}

// overwriting measures one thing on devices that may be overwritten.
func overwriting(t *testing.T, devices ...string) session.Options {
	t.Helper()
	s, err := suite.Parse([]byte(`{name: over, budget: 10m, repeats: 1, cases: [{probe: fio, name: write, title: writes, on: block, once: true, seconds: 1, longest: 1, set: {rw: write, bs: 4k, size: 64m}}]}`), "over.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return session.Options{
		Target: session.Target{Overwrite: devices}, Suite: s, Version: "test", Tell: new(told).tell,
		Plan: plan.Options{Budget: time.Hour, Seed: 1, Precision: plan.AsPlanned},
	}
}

// A device is overwritten only if somebody confirms it after being shown what it is: not
// on the confirmation of an earlier run, and not on a flag that answers all questions.
// Not one byte of a refused device changes.
func TestOverwriting(t *testing.T) {
	device, file := loopDevice(t)
	st := database(t)
	named := device + ",backing=" + file
	refused := func(o session.Options, words string) {
		t.Helper()
		before := sumOf(t, file)
		s, err := session.New(o)
		if err == nil {
			_, err = s.Run(t.Context(), st)
		}
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("got %v, want %q", err, words)
		}
		if after := sumOf(t, file); after != before {
			t.Errorf("it was changed: %s, then %s", before, after)
		}
	}
	answer := func(o session.Options, yes, data bool) (session.Options, *[]session.Overwritten) {
		asked := new([]session.Overwritten)
		o.ConfirmOverwrite = func(_ context.Context, what session.Overwritten) bool {
			*asked = append(*asked, what)
			return yes && !what.OfData || data && what.OfData
		}
		return o, asked
	}
	refused(overwriting(t, named), "nobody confirmed that it may be")
	refused(overwriting(t, device+",backing="+file+"2"), "backing file mismatch")
	refused(overwriting(t, device+",serial=S1"), "below /dev/disk/by-id")
	refused(overwriting(t, named+",confirm=yes"), "must repeat")
	refused(overwriting(t, named, named), "is there twice")
	o, asked := answer(overwriting(t, named), false, false)
	refused(o, "nobody confirmed")
	if len(*asked) != 1 || (*asked)[0].Bytes != deviceBytes || (*asked)[0].Named != file || (*asked)[0].Data != "" {
		t.Errorf("asked of %+v", *asked)
	}

	f, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("somebody's data"), 40<<20); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	o, asked = answer(overwriting(t, named), true, false)
	refused(o, "what is on it may be lost")
	if len(*asked) != 2 || !(*asked)[1].OfData || !strings.Contains((*asked)[1].Data, "unknown data at byte 41943040") {
		t.Errorf("asked of %+v", *asked)
	}
	refused(overwriting(t, named+",confirm="+file), "what is on it may be lost")

	o, _ = answer(overwriting(t, named), true, true)
	s := begin(t, o)
	measured, err := s.Run(t.Context(), st)
	if err != nil || counted(measured) != 1 {
		t.Fatalf("%d repeats, %v", counted(measured), err)
	}
	if len(s.Left()) > 0 {
		t.Errorf("left %v", s.Left())
	}
	head := make([]byte, 64)
	if f, err = os.Open(device); err != nil {
		t.Fatal(err)
	}
	_, err = f.ReadAt(head, 0)
	if err = errors.Join(err, f.Close()); err != nil || !strings.HasPrefix(string(head), "assay: this device was given") {
		t.Errorf("at its head is %q, %v", head, err)
	}

	// A confirmation for that run does not permit another.
	again := func(o session.Options, words string) {
		t.Helper()
		before := sumOf(t, file)
		s, err := session.Like(measured, o)
		if err == nil {
			_, err = s.Run(t.Context(), st)
		}
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("got %v, want %q", err, words)
		}
		if after := sumOf(t, file); after != before {
			t.Errorf("it was changed: %s, then %s", before, after)
		}
	}
	again(session.Options{Tell: new(told).tell}, "not found")
	again(session.Options{Tell: new(told).tell, Target: session.Target{Overwrite: []string{named}}}, "nobody confirmed")
	halved := measured
	halved.Status = assay.RunInterrupted
	halved.Results = []assay.Result{{Trial: measured.Results[0].Trial}}
	before := sumOf(t, file)
	if s, err := session.Resume(halved, session.Options{Tell: new(told).tell}); err != nil {
		t.Error(err)
	} else if _, err := s.Run(t.Context(), st); err == nil || !strings.Contains(err.Error(), "not among the devices that may be overwritten") {
		t.Errorf("resumed: %v", err)
	}
	if after := sumOf(t, file); after != before {
		t.Errorf("it was changed: %s, then %s", before, after)
	}
}
