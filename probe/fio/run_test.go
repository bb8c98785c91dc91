package fio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/captured"
)

// here is a minimal place, enough to run fio on this machine.
type here struct{}

func (here) Host() assay.Host { return assay.Host{Name: "here"} }
func (here) Close() error     { return nil }
func (here) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	asked := false
	cmd.Stdout = writer(func(piece []byte) {
		stdout.Write(piece)
		if c.OnStdout != nil && !asked && c.OnStdout(piece) {
			asked = true
			_ = cmd.Process.Signal(os.Interrupt)
		}
	})
	cmd.Env = append(os.Environ(), c.Env...)
	err := cmd.Run()
	out := assay.Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Exit: cmd.ProcessState.ExitCode(), Asked: asked}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return out, err
}

type writer func(piece []byte)

func (w writer) Write(piece []byte) (int, error) {
	w(piece)
	return len(piece), nil
}

// With a real fio: a directory with the worst possible name, 64 MiB, 1 s.
func TestRealFio(t *testing.T) {
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("fio is not installed")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, `disk #1; "a" 'b': \$HOME`)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	// fio would use this file if the name were cut off at "#".
	bystander := filepath.Join(parent, "disk")
	if err := os.WriteFile(bystander, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	// No direct I/O: the temporary directory may be on any file system.
	tr := trial(t, inventory(nil), map[string]string{
		"rw": "randread", "engine": "psync", "iodepth": "16", "direct": "0", "size": "64MiB"})
	on := assay.Bench{Place: here{}, Length: time.Second,
		Scratch: assay.Scratch{File: filepath.Join(dir, "data"), Bytes: tr.Scratch + 1}}
	prepare := on
	prepare.Length = time.Minute
	_, ready, err := (&Probe{}).Prepare(t.Context(), tr, prepare)
	if err != nil {
		t.Fatal(err)
	}
	if ready.Bytes != 64*mib {
		t.Fatalf("%d bytes prepared, want 64 MiB", ready.Bytes)
	}
	on.Scratch = ready
	transcript, err := New().Run(t.Context(), tr, on)
	if err != nil {
		t.Fatal(err)
	}
	ms, err := New().Parse(transcript)
	if err != nil {
		t.Fatalf("%v\n%s", err, transcript.Steps[0].Output.Stderr)
	}
	iops := figure(t, ms, "storage.read.iops")
	if iops.Value <= 0 || iops.Labels["iodepth"] != "1" || iops.Labels["requested_iodepth"] != "16" || iops.Labels["bs"] != "4k" {
		t.Errorf("%v 1/s, labels %v", iops.Value, iops.Labels)
	}
	if d := figure(t, ms, "tool.duration").Value; d < .9 || d > 5 {
		t.Errorf("measured %v s, want about 1", d)
	}
	for _, want := range []string{"99_99", "1", "50"} {
		figure(t, ms, "storage.read.latency.p"+want)
	}
	if ids := noteIDs(transcript); ids != "fio-depth-capped" {
		t.Errorf("notes %q", ids)
	}
	if b, err := os.ReadFile(bystander); err != nil || string(b) != "keep" {
		t.Errorf("a file beside the scratch space was touched: %q, %v", b, err)
	}
	for _, d := range []string{parent, dir} {
		entries, err := os.ReadDir(d)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{parent: 2, dir: 1}[d]; len(entries) != want {
			t.Errorf("%s holds %v", d, entries)
		}
	}
}

// With a real fio on a real file system that refuses O_DIRECT: there are
// figures, labelled with how they were measured.
func TestRealRefusalOfDirectIO(t *testing.T) {
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("fio is not installed")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "ramfs", "assay-test", dir).CombinedOutput(); err != nil {
		t.Skipf("needs root to mount a ramfs: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })

	tr := trial(t, inventory(nil), map[string]string{
		"rw": "randread", "engine": "libaio", "iodepth": "4", "numjobs": "2", "direct": "1", "size": "64MiB"})
	on := assay.Bench{Place: here{}, Length: 10 * time.Second,
		Scratch: assay.Scratch{File: filepath.Join(dir, "data"), Bytes: tr.Scratch}}
	prepared, ready, err := (&Probe{}).Prepare(t.Context(), tr, on)
	if err != nil {
		t.Fatal(err)
	}
	on.Scratch, on.Length = ready, time.Second
	transcript, err := New().Run(t.Context(), tr, on)
	if err != nil {
		t.Fatal(err)
	}
	ms, err := New().Parse(transcript)
	if err != nil {
		t.Fatal(err)
	}
	labels := figure(t, ms, "storage.read.iops").Labels
	if labels["direct"] != "0" || labels["note"] != "direct I/O not supported" {
		t.Errorf("labels %v", labels)
	}
	for _, s := range prepared.Steps { // as the engine joins them
		s.Name = "prepare: " + s.Name
		transcript.Steps = append(transcript.Steps, s)
	}
	if ids := noteIDs(transcript); ids != "fio-measured-buffered fio-prepared-buffered" {
		t.Errorf("notes %q", ids)
	}
}

func noteIDs(tr assay.Transcript) string {
	var ids []string
	for _, n := range (&Probe{}).Notes(tr) {
		ids = append(ids, n.ID)
	}
	return strings.Join(ids, " ")
}

// played answers commands by their first word, and records them.
type played struct {
	here
	answers map[string][]assay.Output
	asked   [][]string
	bounds  []time.Duration
	err     error
}

func (p *played) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	p.asked = append(p.asked, c.Argv)
	p.bounds = append(p.bounds, c.Timeout)
	key := c.Argv[0]
	if key == "stat" && c.Argv[1] == "-f" {
		key = "stat -f"
	}
	left := p.answers[key]
	if len(left) == 0 {
		return assay.Output{}, p.err
	}
	p.answers[key] = left[1:]
	return left[0], p.err
}

func wrote(bytes int64) assay.Output {
	return assay.Output{Stdout: fmt.Appendf(nil,
		`{"fio version" : "fio-3.33", "jobs" : [{"jobname" : "prepare", "error" : 0, "write" : {"io_bytes" : %d, "io_kbytes" : %d}}]}`,
		bytes, bytes/1024)}
}

func says(text string) assay.Output { return assay.Output{Stdout: []byte(text)} }

// refused is the output of fio 3.33 on a file system without O_DIRECT.
var refused = assay.Output{
	Exit:   1,
	Stdout: []byte("fio: pid=18533, err=22/file:filesetup.c:805, func=open(/srv/x/data), error=Invalid argument\n"),
	Stderr: []byte("fio: looks like your file system does not support direct=1/buffered=0\nfio: destination does not support O_DIRECT\n"),
}

func TestPrepare(t *testing.T) {
	sparse := says("134217728 8 512 regular file\n")
	tests := []struct {
		name    string
		answers map[string][]assay.Output
		want    int64  // B; 0: an error
		asked   string // first words of the commands
		is      error
		says    string
	}{
		{"whole", map[string][]assay.Output{
			"fio": {wrote(128 * mib)}, "stat": {says("134217728 262144 512 regular file\n")},
		}, 128 * mib, "fio stat", nil, ""},
		{"cut short by time", map[string][]assay.Output{
			"fio":  {wrote(100*mib + 5)},
			"stat": {says("134217728 204800 512 regular file\n"), says("67108864 131072 512 regular file\n")},
		}, 64 * mib, "fio stat truncate stat", nil, ""},
		{"too little in the time", map[string][]assay.Output{"fio": {wrote(63 * mib)}}, 0, "fio", nil, "63 MiB"},
		{"no direct I/O", map[string][]assay.Output{
			"fio": {refused, wrote(128 * mib)}, "stat": {says("134217728 262144 512 regular file\n")},
		}, 128 * mib, "fio fio stat", nil, ""},
		{"sparse", map[string][]assay.Output{
			"fio": {wrote(128 * mib)}, "stat": {sparse}, "stat -f": {says("ef53\n")},
		}, 0, "fio stat stat", nil, "sparse"},
		{"compressed", map[string][]assay.Output{
			"fio": {wrote(128 * mib)}, "stat": {sparse}, "stat -f": {says("2fc12fc1\n")},
		}, 128 * mib, "fio stat stat", nil, ""},
		{"a device", map[string][]assay.Output{
			"fio": {wrote(128 * mib)}, "stat": {says("0 0 512 block special file\n")},
		}, 128 * mib, "fio stat", nil, ""},
		{"full", map[string][]assay.Output{
			"fio": {{Exit: 1, Stdout: captured.Bytes(t, "3.33-full.json"), Stderr: captured.Bytes(t, "3.33-full.err")}},
		}, 0, "fio", assay.ErrNoSpace, "No space left"},
		{"stat is odd", map[string][]assay.Output{
			"fio": {wrote(128 * mib)}, "stat": {says("lots\n")},
		}, 0, "fio stat", nil, "lots"},
		{"file shrank", map[string][]assay.Output{
			"fio": {wrote(128 * mib)}, "stat": {says("5 8 512 regular file\n")},
		}, 0, "fio stat", nil, "5 bytes long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := trial(t, inventory(nil), map[string]string{"rw": "read", "size": "128MiB"})
			at := &played{answers: tt.answers}
			transcript, s, err := (&Probe{}).Prepare(t.Context(), tr, assay.Bench{
				Place: at, Scratch: assay.Scratch{File: "/srv/x/data", Bytes: tr.Scratch}, Length: time.Minute})
			if (err == nil) != (tt.want > 0) || err == nil && s.Bytes != tt.want {
				t.Fatalf("%d bytes, want %d: %v", s.Bytes, tt.want, err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v", err)
			}
			var asked []string
			for _, argv := range at.asked {
				asked = append(asked, argv[0])
			}
			if got := strings.Join(asked, " "); got != tt.asked {
				t.Errorf("ran %q, want %q", got, tt.asked)
			}
			if len(transcript.Steps) != len(at.asked) {
				t.Errorf("%d steps of %d commands", len(transcript.Steps), len(at.asked))
			}
			if len(at.asked) == 4 && at.asked[2][2] != "67108864" {
				t.Errorf("truncated by %q", at.asked[2])
			}
			for i := range transcript.Steps { // as the engine passes them on
				transcript.Steps[i].Name = "prepare: " + transcript.Steps[i].Name
			}
			if buffered := len(asked) > 1 && asked[1] == "fio"; buffered && noteIDs(transcript) != "fio-prepared-buffered" {
				t.Errorf("notes %q", noteIDs(transcript))
			}
		})
	}
}

// Filling must stop at its bound, or a slow disk would use up the budget with
// it.
func TestPrepareIsBounded(t *testing.T) {
	tr := trial(t, inventory(nil), map[string]string{"rw": "read", "size": "128MiB"})
	at := &played{err: assay.ErrTimeout, answers: map[string][]assay.Output{"fio": {{}}}}
	_, _, err := (&Probe{}).Prepare(t.Context(), tr, assay.Bench{
		Place: at, Scratch: assay.Scratch{File: "/srv/x/data", Bytes: tr.Scratch}, Length: 15 * time.Second})
	if !errors.Is(err, assay.ErrTimeout) || !strings.Contains(assay.Hint(err), "--time-budget") || !strings.Contains(assay.Hint(err), "directory") {
		t.Errorf("error %v, hint %q", err, assay.Hint(err))
	}
	if len(at.bounds) != 1 || at.bounds[0] != time.Minute {
		t.Errorf("bounds %v, want one of a minute", at.bounds)
	}
}

// A file system that refuses direct I/O is measured without it, with a note.
func TestRunFallsBackToBufferedIO(t *testing.T) {
	good := assay.Output{Stdout: captured.Bytes(t, "3.33-randread-uring.json")}
	refusedBy2 := refused
	refusedBy2.Stderr = nil // only the job's own line: open(2) failed with EINVAL
	broken := assay.Output{Exit: 1, Stderr: []byte("fio: engine libaio not loadable\n")}
	gone := assay.Output{Exit: 1, Stdout: []byte("fio: pid=1, err=2/file:filesetup.c:805, func=open(/srv/x/data), error=No such file or directory\n")}
	tests := []struct {
		name, direct string
		answers      []assay.Output
		steps        string
		label        string // direct, as in the last command
		notes        string
	}{
		{"refused", "1", []assay.Output{refused, good}, "measure-direct measure", "0", "fio-measured-buffered"},
		{"refused, in fewer words", "1", []assay.Output{refusedBy2, good}, "measure-direct measure", "0", "fio-measured-buffered"},
		{"taken", "1", []assay.Output{good}, "measure", "1", ""},
		{"refused though buffered", "0", []assay.Output{refused}, "measure", "0", "fio-said fio-said"},
		{"another failure", "1", []assay.Output{broken}, "measure", "1", "fio-said"},
		{"no such file", "1", []assay.Output{gone}, "measure", "1", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := trial(t, inventory(nil), map[string]string{"rw": "read", "direct": tt.direct})
			at := &played{answers: map[string][]assay.Output{"fio": tt.answers}}
			transcript, err := New().Run(t.Context(), tr, assay.Bench{
				Place: at, Scratch: assay.Scratch{File: "/srv/x/data", Bytes: tr.Scratch}, Length: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			var steps []string
			for _, s := range transcript.Steps {
				steps = append(steps, s.Name)
			}
			if got := strings.Join(steps, " "); got != tt.steps {
				t.Errorf("steps %q, want %q", got, tt.steps)
			}
			if last := at.asked[len(at.asked)-1]; readCommand(last).of("")["direct"] != tt.label {
				t.Errorf("the last command is %q", last)
			}
			if tr.Settings["direct"] != tt.direct || transcript.Settings["direct"] != tt.direct {
				t.Errorf("what was requested changed: %v, %v", tr.Settings, transcript.Settings)
			}
			if got := noteIDs(transcript); got != tt.notes {
				t.Errorf("notes %q, want %q", got, tt.notes)
			}
			ms, err := New().Parse(transcript)
			if (err == nil) != (tt.answers[len(tt.answers)-1].Exit == 0) {
				t.Fatalf("Parse says %v", err)
			}
			for _, m := range ms {
				if strings.HasSuffix(m.Metric, ".share") {
					continue // labelled with their job only
				}
				if (m.Labels["note"] == "direct I/O not supported") != (len(steps) == 2) {
					t.Errorf("%s: note %q after steps %q", m.Metric, m.Labels["note"], steps)
				}
			}
		})
	}
}

func TestRunKeepsTheTranscriptOfAFailure(t *testing.T) {
	tr := trial(t, inventory(nil), map[string]string{"rw": "read"})
	on := assay.Bench{Scratch: assay.Scratch{File: "/srv/x/data", Bytes: tr.Scratch}}
	for _, want := range []error{assay.ErrNoCommand, assay.ErrTimeout, context.Canceled} {
		at := &played{err: want, answers: map[string][]assay.Output{"fio": {says("half")}}}
		on.Place = at
		transcript, err := New().Run(t.Context(), tr, on)
		if !errors.Is(err, want) || !strings.Contains(err.Error(), "here: fio") {
			t.Errorf("%v, want %v", err, want)
		}
		if step := transcript.Step(stepMeasure); step == nil || string(step.Output.Stdout) != "half" {
			t.Errorf("%v: transcript %+v", want, transcript)
		}
		if (assay.Hint(err) == "") != (want == context.Canceled) {
			t.Errorf("%v: hint %q", want, assay.Hint(err))
		}
	}
}
