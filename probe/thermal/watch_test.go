package thermal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/internal/interrupts"
)

// shell is a minimal Place: it runs commands here, each in its own process
// group, and passes output to seen as it arrives.
type shell struct {
	seen  func(line string, process *os.Process)
	group int // of the last command
}

func (*shell) Host() assay.Host { return assay.Host{Name: "here"} }
func (*shell) Close() error     { return nil }

func (s *shell) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdin = bytes.NewReader(c.Stdin)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out lineWriter
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	out.seen = func(line string) {
		if s.seen != nil {
			s.seen(line, cmd.Process)
		}
	}
	out.begun = make(chan struct{})
	if err := cmd.Start(); err != nil {
		return assay.Output{}, err
	}
	s.group = cmd.Process.Pid
	close(out.begun)
	over := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
			syscall.Kill(-s.group, syscall.SIGKILL)
		case <-over:
		}
	}()
	err := cmd.Wait()
	close(over)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return assay.Output{Stdout: out.all, Stderr: stderr.Bytes(), Exit: cmd.ProcessState.ExitCode()}, err
}

type lineWriter struct {
	all   []byte
	told  int
	seen  func(string)
	begun chan struct{}
}

func (w *lineWriter) Write(p []byte) (int, error) {
	<-w.begun
	w.all = append(w.all, p...)
	for {
		line, _, ok := bytes.Cut(w.all[w.told:], []byte("\n"))
		if !ok {
			return len(p), nil
		}
		w.told += len(line) + 1
		w.seen(string(line))
	}
}

// machine is a tree of sysfs and procfs, in a directory with a space and a
// quote in its name.
type machine struct {
	t    *testing.T
	root string
}

func newMachine(t *testing.T) machine {
	m := machine{t, filepath.Join(t.TempDir(), `a "fake" tree`)}
	for i, khz := range []int{1_000_000, 3_000_000} {
		m.write(fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", i), khz)
		m.write(fmt.Sprintf("sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", i), 5)
	}
	m.write("sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", 2)
	m.write("sys/class/hwmon/hwmon0/temp1_input", 40000)
	m.write("sys/class/hwmon/hwmon0/temp2_input", "08x 9\n$(id)")
	m.write("sys/class/hwmon/hwmon0/temp3_input", "0089")
	return m
}

// write replaces a file atomically: the script never sees half of it.
func (m machine) write(path string, value any) {
	file := filepath.Join(m.root, path)
	if err := errors.Join(
		os.MkdirAll(filepath.Dir(file), 0o755),
		os.WriteFile(file+".new", fmt.Appendln(nil, value), 0o644),
		os.Rename(file+".new", file),
	); err != nil {
		m.t.Error(err)
	}
}

// trial returns a short one, with one loop.
func (m machine) trial(settle string) (probe, assay.Trial) {
	sensors := []assay.Sensor{{Key: "chip/missing", Path: filepath.Join(m.root, "nowhere"), Kind: "other"}}
	for i, key := range []string{"coretemp/Package id 0", `odd 'name' $HOME/"x"`, "chip/octal"} {
		sensors = append(sensors, assay.Sensor{
			Key: key, Path: filepath.Join(m.root, fmt.Sprintf("sys/class/hwmon/hwmon0/temp%d_input", i+1)), Kind: "cpu",
		})
	}
	return probe{root: m.root, interval: "0.05"}, assay.Trial{Settings: map[string]string{
		"idle": "0.2", "settle": settle, "threads": "1", "sensors": encodeSensors(sensors),
	}}
}

// watched runs a trial on a machine that changes when the load begins. On a busy machine
// this process may react only after the load has ended: it retries with longer loads
// until the result is fine, and the last one counts.
func watched(t *testing.T, settle string, build func(t *testing.T) machine, change func(m machine, line string), fine func(assay.Transcript) bool) (tr assay.Transcript, group int) {
	t.Helper()
	for length := 300 * time.Millisecond; length < 10*time.Second; length *= 3 {
		m := build(t)
		at := &shell{seen: func(line string, _ *os.Process) { change(m, line) }}
		p, trial := m.trial(settle)
		var err error
		if tr, err = p.Run(t.Context(), trial, assay.Bench{Place: at, Length: length}); err != nil {
			t.Fatal(err)
		}
		if group = at.group; fine(tr) {
			break
		}
	}
	return tr, group
}

// endsAtBound reports whether it gave up waiting for the sensors.
func endsAtBound(tr assay.Transcript) bool {
	return bytes.Contains(tr.Steps[0].Output.Stdout, []byte("end bound"))
}

// value returns that of a metric and a sensor, -1 if there is none.
func value(tr assay.Transcript, metric, sensor string) float64 {
	ms, _ := probe{}.Parse(tr)
	if m := of(ms, metric, sensor); m != nil {
		return m.Value
	}
	return -1
}

func needsShell(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here")
	}
	if _, err := os.Stat("/proc/uptime"); err != nil {
		t.Skip("no /proc/uptime here")
	}
}

func TestWatch(t *testing.T) {
	needsShell(t)
	tr, group := watched(t, "20", newMachine, func(m machine, line string) {
		switch {
		case strings.HasPrefix(line, "phase load"):
			m.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", 2_000_000)
			m.write("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", 9)
			m.write("sys/class/hwmon/hwmon0/temp1_input", 75500)
		case strings.HasPrefix(line, "phase after"):
			m.write("sys/class/hwmon/hwmon0/temp1_input", 41500)
		}
	}, func(tr assay.Transcript) bool {
		return value(tr, "thermal.load", "coretemp/Package id 0") == 75.5 && value(tr, "thermal.clock.load", "") == 2.5e9
	})
	out := tr.Steps[0].Output
	if out.Exit != 0 || len(out.Stderr) > 0 {
		t.Fatalf("exit %d: %s", out.Exit, out.Stderr)
	}
	ms, err := probe{}.Parse(tr)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out.Stdout)
	}
	for metric, want := range map[string]float64{
		"thermal.idle": 40, "thermal.load": 75.5, "thermal.rise": 35.5, "thermal.clock.idle": 2e9,
		"thermal.clock.load": 2.5e9, "thermal.throttles": 4,
	} {
		if m := (assay.Repeat{Measurements: ms}).Measurement(metric); m == nil || m.Value != want {
			t.Errorf("%s is %+v, want %v; output:\n%s", metric, m, want, out.Stdout)
		}
	}
	settle := of(ms, "thermal.settle", "coretemp/Package id 0")
	if settle == nil || settle.Value > 20 {
		t.Errorf("settled after %+v", settle)
	}
	for _, m := range ms {
		if s := m.Labels["sensor"]; s != "" && s != "coretemp/Package id 0" {
			t.Errorf("%s of %q, which cannot be read, is %v", m.Metric, s, m.Value)
		}
	}
	gone(t, group)
}

// A sensor that stops answering has not cooled down.
func TestWatchDoesNotTakeSilenceForCool(t *testing.T) {
	needsShell(t)
	tr, _ := watched(t, "0.2", newMachine, func(m machine, line string) {
		if strings.HasPrefix(line, "phase load") {
			os.Remove(filepath.Join(m.root, "sys/class/hwmon/hwmon0/temp1_input"))
		}
	}, endsAtBound)
	if !endsAtBound(tr) {
		t.Errorf("got\n%s", tr.Steps[0].Output.Stdout)
	}
}

func TestWatchGivesUpSettling(t *testing.T) {
	needsShell(t)
	tr, _ := watched(t, "0.2", newMachine, func(m machine, line string) {
		if strings.HasPrefix(line, "phase load") {
			m.write("sys/class/hwmon/hwmon0/temp1_input", 60000)
		}
	}, endsAtBound)
	if !endsAtBound(tr) {
		t.Errorf("got\n%s", tr.Steps[0].Output.Stdout)
	}
	ms, err := probe{}.Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	r := assay.Repeat{Measurements: ms}
	if r.Measurement("thermal.settle") != nil || r.Measurement("thermal.rise").Labels["settled"] != "no, not within 0.2 s" {
		t.Errorf("got %+v", ms)
	}
}

// However the script ends, no loop may outlive it: if the place kills the
// group, if the shell is asked to end, or if only the shell is killed.
func TestNoLoopSurvives(t *testing.T) {
	needsShell(t)
	interrupts.Reach()
	for name, end := range map[string]func(cancel func(), sh *os.Process){
		"cancelled":    func(cancel func(), _ *os.Process) { cancel() },
		"terminated":   func(_ func(), sh *os.Process) { sh.Signal(syscall.SIGTERM) },
		"interrupted":  func(_ func(), sh *os.Process) { sh.Signal(syscall.SIGINT) },
		"killed alone": func(_ func(), sh *os.Process) { sh.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			loading, burning := false, 0
			at := &shell{}
			at.seen = func(line string, sh *os.Process) {
				switch {
				case strings.HasPrefix(line, "phase load"):
					loading = true
				case loading && burning == 0 && strings.HasPrefix(line, "tick"):
					burning = len(members(t, sh.Pid)) // the shell and its loop, at least
					end(cancel, sh)
				}
			}
			p, trial := m.trial("1")
			tr, err := p.Run(ctx, trial, assay.Bench{Place: at, Length: time.Minute})
			if name == "cancelled" != errors.Is(err, context.Canceled) {
				t.Errorf("Run gave %v", err)
			}
			if burning < 2 {
				t.Errorf("%d processes under load: the loop never began", burning)
			}
			if _, err := p.Parse(tr); err == nil {
				t.Error("what broke off was measured")
			}
			gone(t, at.group)
		})
	}
}

// gone waits until no process of the group is left.
func gone(t *testing.T, group int) {
	t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(10 * time.Minute)
	for {
		left := members(t, group)
		if len(left) == 0 {
			return
		}
		select {
		case <-look.C:
		case <-deadline:
			syscall.Kill(-group, syscall.SIGKILL)
			t.Fatalf("still there: %v", left)
		}
	}
}

// members lists the processes of a group that are not zombies.
func members(t *testing.T, group int) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (name) state ppid pgrp …; the name may hold anything.
		rest := string(stat[bytes.LastIndexByte(stat, ')')+1:])
		var state string
		var parent, pgrp int
		if _, err := fmt.Sscan(rest, &state, &parent, &pgrp); err == nil && pgrp == group && state != "Z" {
			found = append(found, strings.TrimSpace(string(stat[:bytes.LastIndexByte(stat, ')')+1])))
		}
	}
	return found
}

// Two packages of two cores of two threads. Siblings and all CPUs of a package
// count the same event, and one of them may have missed some.
func TestAThrottlingEventCountsOnce(t *testing.T) {
	needsShell(t)
	events := func(m machine, extra int) {
		for cpu := range 8 {
			core := cpu % 4 // cpu and cpu+4 are siblings
			dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/", cpu)
			m.write(dir+"topology/physical_package_id", core/2)
			m.write(dir+"topology/core_id", core%2)
			m.write(dir+"cpufreq/scaling_cur_freq", 1_000_000)
			m.write(dir+"thermal_throttle/core_throttle_count", 10*core+extra+1-cpu/4)
			m.write(dir+"thermal_throttle/package_throttle_count", 100*(core/2)+extra+1-cpu/4)
		}
	}
	tr, _ := watched(t, "0.2", func(t *testing.T) machine {
		m := machine{t, filepath.Join(t.TempDir(), `a "fake" tree`)}
		events(m, 0)
		return m
	}, func(m machine, line string) {
		if strings.HasPrefix(line, "phase load") {
			events(m, 3)
		}
	}, func(tr assay.Transcript) bool { return value(tr, "thermal.throttles", "") == 18 })
	out := tr.Steps[0].Output
	ms, err := probe{}.Parse(tr)
	if err != nil || len(out.Stderr) > 0 {
		t.Fatalf("%v, %s", err, out.Stderr)
	}
	// Before: cores 1 + 11 + 21 + 31, packages 1 + 101.
	if !bytes.Contains(out.Stdout, []byte(" throttles=166")) {
		t.Errorf("want 166 events before the load:\n%s", out.Stdout)
	}
	if got := of(ms, "thermal.throttles", ""); got == nil || got.Value != 4*3+2*3 {
		t.Errorf("got %+v, want 18 events under load", got)
	}
}
