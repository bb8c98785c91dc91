package fio

import (
	"bytes"
	"math"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"assay"
	"assay/internal/captured"
)

// The samples reported while fio runs are those parsed at the end, however its
// output is split.
func TestFollowerTellsTheSamplesOfTheEnd(t *testing.T) {
	out := captured.Bytes(t, "3.33-randread-uring.json")
	ms, err := New().Parse(measured(out))
	if err != nil {
		t.Fatal(err)
	}
	all := figure(t, ms, "storage.read.iops").Samples
	if len(all) < 2 {
		t.Fatalf("%d samples in the recording", len(all))
	}
	want := all[1:] // the first second includes fio's start
	for _, size := range []int{1, 7, 4096, len(out)} {
		var got []assay.Sample
		f := follower{tell: func(s assay.Sample) bool { got = append(got, s); return false }}
		for rest := out; len(rest) > 0; {
			n := min(size, len(rest))
			if f.heed(rest[:n]) {
				t.Fatal("nobody had enough")
			}
			rest = rest[n:]
		}
		if len(got) < len(want) {
			t.Fatalf("pieces of %d: %d samples, want %d", size, len(got), len(want))
		}
		for i, w := range want {
			if got[i].At != w.At || math.Abs(got[i].Value-w.Value) > 1e-9*w.Value {
				t.Errorf("pieces of %d: sample %d is %+v, want %+v", size, i, got[i], w)
			}
		}
	}
}

func TestFollowerPassesOverWhatIsNoDocument(t *testing.T) {
	f := follower{tell: func(assay.Sample) bool { return true }}
	for _, text := range []string{"fio: note\n}\n", "{\n}\n", "{\"fio version\": \n}\n", "\n}\n\n}\n"} {
		if f.heed([]byte(text)) {
			t.Errorf("%q gave a sample", text)
		}
	}
}

// fio reports what it measured when asked to stop; only then is an exit status
// from a signal not a failure.
func TestRealFioThatIsAskedToEnd(t *testing.T) {
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("fio is not installed")
	}
	dir := t.TempDir()
	tr := trial(t, inventory(nil), map[string]string{"rw": "randrw", "engine": "psync", "direct": "0", "numjobs": "2", "size": "64MiB"})
	on := assay.Bench{Place: here{}, Length: time.Minute, Scratch: assay.Scratch{File: filepath.Join(dir, "data"), Bytes: tr.Scratch + 1}}
	_, ready, err := (&Probe{}).Prepare(t.Context(), tr, on)
	if err != nil {
		t.Fatal(err)
	}
	on.Scratch = ready
	var told []assay.Sample
	on.Enough = func(s assay.Sample) bool { told = append(told, s); return len(told) == 2 }
	transcript, err := New().Run(t.Context(), tr, on)
	if err != nil {
		t.Fatal(err)
	}
	out := transcript.Steps[0].Output
	ms, err := New().Parse(transcript)
	if err != nil || !out.Asked || out.Exit != 128 || len(told) != 2 {
		t.Fatalf("asked %v, exit %d, %d samples: %v\n%s", out.Asked, out.Exit, len(told), err, out.Stderr)
	}
	if d := figure(t, ms, "tool.duration").Value; d < 1.5 || d > 50 {
		t.Errorf("it measured for %v s, want two seconds or more", d)
	}
	if both := figure(t, ms, "storage.read.iops").Value + figure(t, ms, "storage.write.iops").Value; told[1].Value < both/100 || told[1].Value > both*100 {
		t.Errorf("%v operations/s were told, %v measured", told[1].Value, both)
	}
	transcript.Steps[0].Output.Asked = false
	if _, err := New().Parse(transcript); err == nil {
		t.Error("a fio that somebody else interrupted has figures")
	}
	if bytes.Count(out.Stdout, endOfDocument) < 3 {
		t.Errorf("%d documents", bytes.Count(out.Stdout, endOfDocument))
	}
}
