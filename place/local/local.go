package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"assay"
	"assay/internal/procmark"
	"assay/place/drain"
)

// grace is how long a command may take to exit after SIGTERM. Ctrl-C must end
// everything within two seconds.
const grace = 700 * time.Millisecond

// Place runs commands on this machine.
type Place struct {
	host assay.Host
	mark string
}

// New returns the place called host. Every command it starts carries mark in its
// environment, so that Reap can find what a killed assay left running.
func New(host, mark string) *Place {
	return &Place{host: assay.Host{Name: host}, mark: mark}
}

// Host names the machine.
func (p *Place) Host() assay.Host { return p.host }

// Close does nothing: there is no connection to hold.
func (p *Place) Close() error { return nil }

// Run starts c in a process group of its own and waits for it.
func (p *Place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if len(c.Argv) == 0 {
		return assay.Output{}, errors.New("no command was given")
	}
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	stop := make(chan error, 1)
	tooLong := func() {
		select {
		case stop <- assay.ErrTooLong:
		default:
		}
	}
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...) //nolint:gosec // running given commands is a place's purpose
	asked := false                                // read only after all Writes
	stdout := &bounded{limit: c.PrintLimit(), full: tooLong, heed: func(piece []byte) {
		if c.OnStdout != nil && !asked && c.OnStdout(piece) {
			asked = true
			_ = cmd.Process.Signal(os.Interrupt) // a finished process needs no signal
		}
	}}
	stderr := &bounded{limit: c.PrintLimit(), full: tooLong}
	cmd.Env = append(os.Environ(), c.Env...)
	if p.mark != "" {
		cmd.Env = append(cmd.Env, procmark.Name+"="+p.mark)
	}
	cmd.Stdin = bytes.NewReader(c.Stdin)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	// Setpgid lets the whole group be killed; Pdeathsig ends the command when
	// assay itself is killed. The kernel sends it when the starting *thread*
	// ends, so this goroutine keeps its thread until the command is over.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if c.Gate != nil {
		select {
		case <-c.Gate():
		case <-ctx.Done():
			return assay.Output{}, ctx.Err()
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	out := assay.Output{Started: time.Now()}
	wait, err := drain.Start(cmd, grace) // a grandchild that keeps the pipes open must not block us
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			return out, fmt.Errorf("%s: %w", c.Argv[0], assay.ErrNoCommand)
		}
		return out, fmt.Errorf("start %s on %s: %w", c.Argv[0], p.host.Name, err)
	}
	ended := make(chan struct{})
	reason := make(chan error, 1)
	go func() { reason <- watchOver(ctx, c.Timeout, stop, ended, cmd.Process.Pid) }()
	err = wait()
	close(ended)
	// Processes that outlive the command must not outlive Run.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)

	out.Elapsed, out.Asked = time.Since(out.Started), asked
	out.Stdout, out.Stderr = stdout.buf.Bytes(), stderr.buf.Bytes()
	if s := cmd.ProcessState; s != nil {
		out.CPU = s.UserTime() + s.SystemTime()
		out.Exit = exitStatus(s)
	}
	switch why := <-reason; {
	case why != nil && errors.Is(why, assay.ErrTimeout):
		return out, fmt.Errorf("%s on %s: %w of %s", c.Argv[0], p.host.Name, why, c.Timeout)
	case why != nil && errors.Is(why, assay.ErrTooLong):
		return out, fmt.Errorf("%s on %s: %w (%d MiB)", c.Argv[0], p.host.Name, why, c.PrintLimit()>>20)
	case why != nil:
		return out, why
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return out, fmt.Errorf("wait for %s on %s: %w", c.Argv[0], p.host.Name, err)
	}
	return out, nil
}

// watchOver waits until the command ends or there is a reason to end it, and then
// ends its process group and all its descendants: politely first, by force after
// grace.
func watchOver(ctx context.Context, timeout time.Duration, stop <-chan error, ended <-chan struct{}, pgid int) error {
	var bound <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		bound = t.C
	}
	var why error
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		why = ctx.Err()
	case <-bound:
		why = assay.ErrTimeout
	case why = <-stop:
	}
	tree := descendants(pgid)
	_ = syscall.Kill(-pgid, syscall.SIGTERM)
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-ended:
	case <-t.C:
		tree = append(tree, descendants(pgid)...)
		_ = syscall.Kill(-pgid, syscall.SIGKILL)
	}
	for _, p := range tree {
		p.kill()
	}
	return why
}

func exitStatus(s *os.ProcessState) int {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return s.ExitCode()
}

// bounded keeps up to limit bytes and calls full beyond that. heed, if set,
// sees every write.
type bounded struct {
	buf   bytes.Buffer
	limit int
	full  func()
	heed  func(piece []byte)
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.heed != nil {
		b.heed(p)
	}
	if room := b.limit - b.buf.Len(); len(p) > room {
		b.buf.Write(p[:room])
		b.full()
		return len(p), nil
	}
	return b.buf.Write(p)
}
