package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// patience is how long a command that was told to end may take.
const patience = 2 * time.Second

// command is a command of nobody's but the kernel's.
type command struct {
	argv     []string
	env      []string      // all of its environment; nil is this program's, in the C locale
	stdin    []byte        // what it is given to read; nil is nothing
	fine     []int         // exit statuses besides 0 that are no error
	patience time.Duration // 0 is patience
	// watch, if set, is called with the process id once the command runs, and
	// its ctx is over when the command is.
	watch func(ctx context.Context, pid int)
}

// executed is what a command printed, and the CPU time in seconds of it and the
// children it waited for.
type executed struct {
	stdout []byte
	cpu    float64
}

// execute runs a command of which nothing but its words is to be said.
func execute(ctx context.Context, argv []string, fine ...int) (executed, error) {
	return command{argv: argv, fine: fine}.run(ctx)
}

// run runs it. It ends with ctx and with this program, as do its children.
func (c command) run(ctx context.Context) (executed, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...) //nolint:gosec // measuring programs is what this one is for
	if cmd.Env = c.env; c.env == nil {
		cmd.Env = append(os.Environ(), "LC_ALL=C")
	}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.stdin != nil {
		cmd.Stdin = bytes.NewReader(c.stdin)
	}
	// Of a terminal's Ctrl-C the command learns from us, not from the terminal:
	// else it would end before it could be told apart from one that failed.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	if cmd.WaitDelay = c.patience; c.patience == 0 {
		cmd.WaitDelay = patience
	}
	runtime.LockOSThread() // the kernel sends Pdeathsig when the thread ends
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	if err == nil {
		seen := c.watched(ctx, cmd.Process.Pid)
		err = cmd.Wait()
		seen()
	}
	if ctx.Err() != nil {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what did not heed the first
		}
		return executed{}, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && slices.Contains(c.fine, exit.ExitCode()) {
		err = nil
	}
	if err != nil {
		return executed{}, fmt.Errorf("%s: %w: %s", strings.Join(c.argv, " "), err, lastWords(stderr.Bytes()))
	}
	return executed{stdout: stdout.Bytes(), cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}, nil
}

// watched begins to watch and gives what ends that and waits for it.
func (c command) watched(ctx context.Context, pid int) (end func()) {
	if c.watch == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.watch(ctx, pid)
	}()
	return func() {
		cancel()
		<-done
	}
}

// lastWords is the end of what was said: a command that talks of each host says
// why it failed last.
func lastWords(b []byte) string {
	const most = 2000
	b = bytes.TrimSpace(b)
	if len(b) > most {
		return "… " + string(b[len(b)-most:])
	}
	return string(b)
}

// cpuTime is the CPU time so far of this program and of all children that it
// waited for, in seconds.
func cpuTime() float64 {
	total := 0.
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err == nil {
			total += float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
		}
	}
	return total
}
