package diskspd

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/powershell"
	"assay/lab/vms/standin"
)

const dir = `D:\it's $(Remove-Item x) & y`

// guest returns a stand-in with the directory, whose DiskSpd prints a capture.
func guest(t *testing.T) *standin.Windows {
	t.Helper()
	w := &standin.Windows{Drive: t.TempDir()}
	w.Programs = map[string]func(context.Context, assay.Cmd) (assay.Output, error){program: w.DiskSpd([]byte(read(t, "2.0.21a-syncwrite-handmade.xml")))}
	if err := os.Mkdir(w.Path(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

// The file is filled and truncated to what was written, then DiskSpd runs on
// it.
func TestFillsAndMeasures(t *testing.T) {
	w := guest(t)
	tr := trial(t, windows(dir), map[string]string{"rw": "randwrite", "sync": "1", "size": "64m"})
	lent := assay.Scratch{Dir: dir, File: dir + `\data`, Bytes: tr.Scratch + 1}
	prepared, lent, err := New().(*Probe).Prepare(t.Context(), tr, assay.Bench{Place: w, Scratch: lent, Length: time.Minute})
	if err != nil || lent.Bytes != 64*mib || prepared.Step(stepPrepare) == nil {
		t.Fatalf("%+v, %v", lent, err)
	}
	if about, err := os.Stat(w.Path(lent.File)); err != nil || about.Size() != 64*mib {
		t.Errorf("%+v, %v", about, err)
	}
	out, err := New().Run(t.Context(), tr, assay.Bench{Place: w, Scratch: lent, Length: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	all, err := New().Parse(out)
	if err != nil || all[0].Metric != "storage.write.iops" || all[0].Value != 622.4 {
		t.Errorf("%+v, %v", all, err)
	}
	if argv := w.Ran[len(w.Ran)-1]; argv[len(argv)-1] != dir+`\data` {
		t.Errorf("%q", argv)
	}
}

// wordy is a guest that answers each script with the next of these answers.
type wordy struct {
	says []map[string]any
	err  error
}

func (*wordy) Host() assay.Host { return assay.Host{Name: "win", OS: assay.Windows} }
func (*wordy) Close() error     { return nil }
func (w *wordy) Run(context.Context, assay.Cmd) (assay.Output, error) {
	if w.err != nil || len(w.says) == 0 {
		return assay.Output{Exit: 1, Stderr: []byte("Access is denied.\r\nAt line:1")}, w.err
	}
	out, err := powershell.Answer(w.says[0])
	w.says = w.says[1:]
	return assay.Output{Stdout: out}, err
}

// If time runs out the file is smaller, in coarse steps that two runs will share.
func TestWhatIsWrittenIsMeasured(t *testing.T) {
	tr := trial(t, windows(dir), map[string]string{"rw": "randread"})
	paced := trial(t, windows(dir), map[string]string{"rw": "randread", "rate_iops": "20"})
	lent := assay.Scratch{File: dir + `\data`, Bytes: gib}
	for _, tt := range []struct {
		trial   assay.Trial
		written int64
		want    int64
		err     string
	}{
		{tr, gib, gib, ""}, {tr, 700 * mib, 512 * mib, ""}, {tr, 64 * mib, 64 * mib, ""}, {paced, 9 * mib, 8 * mib, ""},
		{tr, 63 * mib, 0, "only 63 MiB of scratch space were written"}, {tr, 2 * gib, 0, "are said to be written"}, {tr, -1, 0, "are said to be written"},
	} {
		w := &wordy{says: []map[string]any{{"Written": tt.written}, {"Length": tt.want}}}
		_, got, err := New().(*Probe).Prepare(t.Context(), tt.trial, assay.Bench{Place: w, Scratch: lent, Length: time.Minute})
		if tt.err == "" && (err != nil || got.Bytes != tt.want) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%d written: %d, %v", tt.written, got.Bytes, err)
		}
	}
	for want, w := range map[string]*wordy{
		"There is not enough space on the disk.": {says: []map[string]any{{"Why": "There is not enough space on the disk."}}},
		"win: preparing D:\\it's":                {err: errors.New("the way is down")},
		"Access is denied.":                      {},
	} {
		if _, _, err := New().(*Probe).Prepare(t.Context(), tr, assay.Bench{Place: w, Scratch: lent}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	small := assay.Scratch{File: lent.File, Bytes: 32 * mib}
	if _, _, err := New().(*Probe).Prepare(t.Context(), tr, assay.Bench{Place: &wordy{}, Scratch: small}); err == nil || assay.Hint(err) == "" {
		t.Error(err)
	}
}

func TestRunErrors(t *testing.T) {
	tr := trial(t, windows(dir), map[string]string{"rw": "randread"})
	lent := assay.Scratch{File: dir + `\data`, Bytes: gib}
	for want, cause := range map[string]error{"system's PATH": assay.ErrNoCommand, "event log": assay.ErrTimeout, "": errors.New("the way is down")} {
		_, err := New().Run(t.Context(), tr, assay.Bench{Place: &wordy{err: cause}, Scratch: lent, Length: time.Second})
		if !errors.Is(err, cause) || !strings.Contains(assay.Hint(err), want) || !strings.Contains(err.Error(), "win: diskspd.exe") {
			t.Errorf("%q: %v", want, err)
		}
	}
}
