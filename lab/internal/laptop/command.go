package laptop

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Command is a running assay.
type Command struct {
	Laptop *Laptop
	cmd    *exec.Cmd
	out    syncBuffer // standard output
	said   syncBuffer // standard error
	began  time.Time
	over   chan struct{}
	err    error
	peak   chan int64 // sent once it has ended
}

// Result is how an assay ended.
type Result struct {
	Exit         int // 128 + the signal if a signal ended it
	Stdout, Said string
	Took         time.Duration
	Peak         int64 // peak memory of assay itself, in bytes
}

// Begin starts assay with these arguments.
func (l *Laptop) Begin(words ...string) *Command {
	l.T.Helper()
	file, err := Binary()
	if err != nil {
		l.T.Fatal(err)
	}
	argv := append([]string{file}, words...)
	if l.run != "" {
		argv = append([]string{"unshare", "--mount", "/bin/sh", "-c", `mount --bind "$0" /run && exec "$@"`, l.run}, argv...)
	}
	c := &Command{Laptop: l, cmd: exec.Command(argv[0], argv[1:]...), over: make(chan struct{}), peak: make(chan int64, 1)} //nolint:gosec // running assay is what a laptop is for
	c.cmd.Dir = l.home()
	c.cmd.Env = l.environ()
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.said
	c.cmd.WaitDelay = 5 * time.Second
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.began = time.Now()
	if err := c.cmd.Start(); err != nil {
		l.T.Fatal(err)
	}
	group := -c.cmd.Process.Pid
	go func() { c.peak <- peakUntil(c.over, -group) }()
	outlived := false // by others in its process group
	go func() {
		c.err = c.cmd.Wait()
		outlived = syscall.Kill(group, 0) == nil
		close(c.over)
	}()
	l.T.Cleanup(func() {
		select {
		case <-c.over:
			if !outlived {
				return // the group id may have been reused by now
			}
		default:
		}
		_ = syscall.Kill(group, syscall.SIGKILL)
		<-c.over
	})
	return c
}

// Signal sends a signal to assay alone, not to anything that it started.
func (c *Command) Signal(s syscall.Signal) {
	c.Laptop.T.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.Laptop.T.Fatal(err)
	}
}

// Said returns what assay has written to its standard error so far.
func (c *Command) Said() string { return c.said.String() }

// Printed returns what assay has written to its standard output so far.
func (c *Command) Printed() string { return c.out.String() }

// Over reports whether assay has ended.
func (c *Command) Over() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// AwaitWithin waits for a condition while assay runs, for at most that long, or for grace if
// that is longer.
func (c *Command) AwaitWithin(most time.Duration, what string, is func() bool) {
	c.Laptop.T.Helper()
	ended := false
	if !Eventually(most, func() bool {
		ended = c.Over()
		return ended || is()
	}) || ended {
		c.Laptop.T.Fatalf("assay ended or %s went by, and never: %s; it said\n%s", most, what, Brief(c.Said()))
	}
}

// grace is how long every wait lasts at least: a machine may be this busy.
const grace = 10 * time.Minute

// Wait waits for assay to end, until that long after its start, or for grace if that
// is later.
func (c *Command) Wait(most time.Duration) Result {
	c.Laptop.T.Helper()
	select {
	case <-c.over:
	case <-time.After(max(time.Until(c.began.Add(most)), grace)):
		c.Laptop.T.Fatalf("assay did not end within %s; it said:\n%s", most, Brief(c.Said()))
	}
	r := Result{Stdout: c.out.String(), Said: c.Said(), Took: time.Since(c.began), Exit: c.cmd.ProcessState.ExitCode()}
	if status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.Exit = 128 + int(status.Signal())
	}
	r.Peak = <-c.peak
	c.peak <- r.Peak // for whoever waits again
	var exited *exec.ExitError
	if c.err != nil && !errors.As(c.err, &exited) {
		c.Laptop.T.Fatalf("assay: %v", c.err)
	}
	return r
}

// Read reads JSON that assay printed.
func Read[T any](t testing.TB, r Result) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Stdout), &v); err != nil {
		t.Fatalf("no JSON (%v) of an assay that ended with %d and said\n%s\nand printed\n%s", err, r.Exit, Brief(r.Said), Brief(r.Stdout))
	}
	return v
}

// Brief shortens what assay printed to readable lines.
func Brief(said string) string {
	const most = 300
	var b strings.Builder
	for l := range strings.Lines(said) {
		if len(l) > most {
			l = l[:most] + "…\n"
		}
		b.WriteString(l)
	}
	return b.String()
}

// syncBuffer is a buffer that can be read while it is written to.
type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// Eventually polls until ok is true, and reports whether it was within bound, or within grace
// if that is longer. It rests for as long as a look takes: many start processes, and would
// keep a busy machine busy.
func Eventually(bound time.Duration, ok func() bool) bool {
	for end := time.Now().Add(max(bound, grace)); ; {
		began := time.Now()
		if ok() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
		time.Sleep(max(100*time.Millisecond, time.Since(began)))
	}
}
