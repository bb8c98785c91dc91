package dd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay"
)

// here runs commands on this machine.
type here struct{ missing string }

func (here) Host() assay.Host { return assay.Host{Name: "here"} }
func (here) Close() error     { return nil }

func (h here) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if c.Argv[0] == h.missing {
		return assay.Output{}, assay.ErrNoCommand
	}
	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	cmd.Env = append(os.Environ(), c.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	out := assay.Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Started: start, Elapsed: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		out.Exit = exit.ExitCode()
		return out, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return out, assay.ErrNoCommand
	}
	return out, err
}

func needGNU(t *testing.T) {
	t.Helper()
	out, err := exec.Command("dd", "--version").Output()
	if err != nil || !bytes.Contains(out, []byte("coreutils")) {
		t.Skip("needs GNU dd")
	}
}

// lent returns scratch space in a directory whose name needs quoting.
func lent(t *testing.T) assay.Bench {
	t.Helper()
	dir := filepath.Join(t.TempDir(), `a "b" $(c)'s dir`)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return assay.Bench{
		Place:   here{},
		Scratch: assay.Scratch{Dir: dir, File: filepath.Join(dir, "file"), Bytes: 40 * mib},
	}
}

func TestPrepareThenMeasure(t *testing.T) {
	needGNU(t)
	on := lent(t)
	p := New()
	trial := assay.Trial{ID: "dd/x@y", Settings: map[string]string{"op": opWrite, "size": "18M", "source": "urandom"}}
	tr, ready, err := p.(assay.Preparer).Prepare(t.Context(), trial, on)
	if err != nil {
		t.Fatal(err)
	}
	if tr.Step(stepMeasure) != nil {
		t.Error("the data's making is a measurement")
	}
	if ready.Bytes != 18*mib {
		t.Fatalf("readied %d bytes", ready.Bytes)
	}
	source, _ := os.ReadFile(filepath.Join(on.Scratch.Dir, "source"))
	file, _ := os.ReadFile(on.Scratch.File)
	if len(source) != 18*mib || !bytes.Equal(source, file) {
		t.Fatalf("source has %d bytes, file %d", len(source), len(file))
	}
	on.Scratch = ready
	for op, metric := range map[string]string{
		opWrite: "storage.write.bytes", opReadCold: "storage.read.bytes", opReadWarm: "storage.read.bytes",
	} {
		trial.Settings = map[string]string{"op": op, "source": "urandom", "drop": "0"}
		tr, err := p.Run(t.Context(), trial, on)
		if err != nil {
			t.Fatalf("%s: %v", op, err)
		}
		got, err := p.Parse(tr)
		if err != nil {
			t.Fatalf("%s: %v", op, err)
		}
		m := assay.Repeat{Measurements: got}.Measurement(metric)
		if m == nil || m.Value != 18*mib || m.Labels["source"] != "urandom" {
			t.Errorf("%s: %+v", op, m)
		}
		t.Logf("%s: %v %v", op, got[0].Value, got[0].Labels)
	}
	if after, _ := os.ReadFile(on.Scratch.File); !bytes.Equal(after, source) {
		t.Error("the file is not a copy of the source")
	}
}

// scripted makes every command take a given time and succeed.
type scripted struct {
	here
	takes time.Duration
}

func (p scripted) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	return assay.Output{Stderr: []byte("1048576 bytes copied, 1 s, 1.0 MB/s\n"), Elapsed: p.takes}, nil
}

func TestRunPassesUntilTheTimeIsUp(t *testing.T) {
	for name, c := range map[string]struct {
		op             string
		takes, seconds time.Duration
		passes         int
	}{
		"one is enough":              {opWrite, 9 * time.Second, 5 * time.Second, 1},
		"no time given":              {opWrite, time.Second, 0, 1},
		"warming up does not count":  {opReadWarm, time.Second, 5 * time.Second, 5},
		"emptying the cache does":    {opReadCold, time.Second, 8 * time.Second, 2}, // 4 steps a pass
		"a clock that does not move": {opReadWarm, 0, time.Second, mostPasses},
	} {
		on := assay.Bench{Place: scripted{takes: c.takes}, Length: c.seconds, Scratch: assay.Scratch{Dir: "/d", File: "/d/f"}}
		tr, err := New().Run(t.Context(), assay.Trial{Settings: map[string]string{"op": c.op}}, on)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := New().Parse(tr)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if passes := got[0].Labels["passes"]; passes != strconv.Itoa(c.passes) {
			t.Errorf("%s: %s passes, want %d", name, passes, c.passes)
		}
	}
}

func TestRunWithoutFincoreIsNoError(t *testing.T) {
	needGNU(t)
	on := lent(t)
	on.Place = here{missing: "fincore"}
	if err := os.WriteFile(on.Scratch.File, make([]byte, 4*mib), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := New().Run(t.Context(), assay.Trial{Settings: map[string]string{"op": opReadCold}}, on)
	if err != nil {
		t.Fatal(err)
	}
	if s := tr.Step(stepResident); s == nil || s.Output.Exit != 127 {
		t.Errorf("fincore's absence is recorded as %+v", s)
	}
}

func TestRunSaysWhatFailedAndKeepsTheTranscript(t *testing.T) {
	needGNU(t)
	on := lent(t) // and nothing prepared
	tr, err := New().Run(t.Context(), assay.Trial{Settings: map[string]string{"op": opWrite}}, on)
	if err == nil || !strings.Contains(err.Error(), "No such file") || !strings.Contains(err.Error(), "here") {
		t.Errorf("error %v", err)
	}
	if len(tr.Steps) != 1 {
		t.Errorf("%d steps", len(tr.Steps))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().Run(ctx, assay.Trial{Settings: map[string]string{"op": opReadWarm}}, on); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFileSize(t *testing.T) {
	const lot = 512 * mib
	for name, c := range map[string]struct {
		speed  float64
		memory int64
		bound  time.Duration
		want   int64
	}{
		"slow card":       {10.8e6, 0, 0, 30 * mib},
		"very slow card":  {1e6, 0, 0, 16 * mib},
		"fast drive":      {3e9, 0, 0, 512 * mib},
		"little memory":   {3e9, 400 * mib, 0, 100 * mib},
		"nothing to lose": {3e9, 1, 0, 16 * mib},
		"little time":     {100e6, 0, 2 * time.Second, 95 * mib},
	} {
		if got := fileSize(c.speed, lot, c.memory, c.bound); got != c.want {
			t.Errorf("%s: %d MiB, want %d", name, got/mib, c.want/mib)
		}
	}
}

func TestAvailableMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"MemTotal:  1000 kB\nMemAvailable:    2048 kB\n": 2 * mib,
		"MemTotal:  1000 kB\n":                           0,
		"MemAvailable: -5 kB\n":                          0,
		"MemAvailable: x\n":                              0,
		"":                                               0,
	} {
		if got := availableMemory([]byte(text)); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func inventory(dir assay.DirFacts, memory int64) assay.Inventory {
	return assay.Inventory{
		Facts: map[string]assay.Facts{"pi": {Dirs: []assay.DirFacts{dir}, Memory: assay.MemoryFacts{Available: memory}, DropCaches: true}},
		Subjects: []assay.Subject{
			{ID: "pi/cpu/cpu", Kind: assay.KindCPU, Host: "pi", Name: "cpu"},
			{ID: "pi/directory//srv", Kind: assay.KindDirectory, Host: "pi", Name: "/srv", On: []string{"pi/drive/sda"}},
		},
	}
}

func TestTrials(t *testing.T) {
	good := assay.DirFacts{Path: "/srv", FileSystem: "ext4", Bytes: 100 << 30, Free: 50 << 30, Exists: true, Writable: true}
	full, ro, gone := good, good, good
	full.Free, ro.Writable, gone.Exists = 2<<30+1, false, false
	for name, c := range map[string]struct {
		dir    assay.DirFacts
		memory int64
		size   string
		want   int64
		absent assay.AbsenceWord
	}{
		"plenty":         {good, 64 << 30, "auto", 1 << 30, ""},
		"half of memory": {good, 900 * mib, "auto", 450 * mib, ""},
		"memory unknown": {good, 0, "auto", 256 * mib, ""},
		"explicit":       {good, 64 << 30, "2G", 4 << 30, ""},
		"explicit, full": {full, 64 << 30, "2G", 0, assay.Failed},
		"full":           {full, 64 << 30, "auto", 0, assay.Failed},
		"no memory":      {good, 40 * mib, "auto", 0, assay.Failed},
		"read-only":      {ro, 64 << 30, "auto", 0, assay.Failed},
		"gone":           {gone, 64 << 30, "auto", 0, assay.Failed},
		"not asked":      {assay.DirFacts{Path: "/other"}, 64 << 30, "auto", 0, assay.Unknown},
	} {
		set := map[string]string{"op": opReadCold, "size": c.size}
		trials, err := New().Trials(inventory(c.dir, c.memory), assay.Case{Probe: "dd", Name: "cold", On: assay.KindDirectory, Set: set, Seconds: 5})
		if err != nil || len(trials) != 1 {
			t.Fatalf("%s: %d trials, %v", name, len(trials), err)
		}
		got := trials[0]
		if got.ID != "dd/cold@pi/directory//srv" || got.Risk != assay.Writes || got.Volume != "dir" || got.Bound != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if !slices.Equal(got.Claims, []string{"pi/directory//srv", "pi/drive/sda", "pi/cpu/cpu"}) {
			t.Errorf("%s: claims %v", name, got.Claims)
		}
		if got.Settings["drop"] != "1" || len(set) != 2 {
			t.Errorf("%s: settings %v, the suite's %v", name, got.Settings, set)
		}
		if got.Scratch != c.want {
			t.Errorf("%s: scratch %d MiB, want %d", name, got.Scratch/mib, c.want/mib)
		}
		if (got.Absent == nil) != (c.absent == "") || got.Absent != nil && (got.Absent.Word != c.absent || got.Absent.Hint == "") {
			t.Errorf("%s: absent %+v", name, got.Absent)
		}
	}
	for _, c := range []assay.Case{
		{On: assay.KindDrive, Set: map[string]string{"op": opWrite}},
		{On: assay.KindDirectory},
		{On: assay.KindDirectory, Set: map[string]string{"op": "erase"}},
		{On: assay.KindDirectory, Set: map[string]string{"op": opWrite, "size": "1K"}},
		{On: assay.KindDirectory, Set: map[string]string{"op": opWrite, "size": "99999999G"}},
		{On: assay.KindDirectory, Set: map[string]string{"op": opWrite, "blocksize": "1"}},
	} {
		if _, err := New().Trials(assay.Inventory{}, c); err == nil {
			t.Errorf("%v was accepted", c)
		}
	}
}
