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

// patience is how long a command may take to end once it is told to.
const patience = 2 * time.Second

// command is a command that runs directly under the kernel.
type command struct {
	argv     []string
	env      []string      // whole environment; nil is this program's, in the C locale
	stdin    []byte        // its input; nil is none
	fine     []int         // exit statuses besides 0 that are not errors
	patience time.Duration // 0 is patience
	// watch, if set, is called with the process ID once the command runs; its
	// ctx ends with the command.
	watch func(ctx context.Context, pid int)
}

// executed is a command's output, and the CPU time in seconds of it and the
// children it waited for.
type executed struct {
	stdout []byte
	cpu    float64
}

// execute runs a command that needs nothing but its arguments.
func execute(ctx context.Context, argv []string, fine ...int) (executed, error) {
	return command{argv: argv, fine: fine}.run(ctx)
}

// run runs the command. It and its children end with ctx and with this program.
func (c command) run(ctx context.Context) (executed, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...) //nolint:gosec // measuring programs is the purpose here
	if cmd.Env = c.env; c.env == nil {
		cmd.Env = append(os.Environ(), "LC_ALL=C")
	}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.stdin != nil {
		cmd.Stdin = bytes.NewReader(c.stdin)
	}
	// A terminal's Ctrl-C reaches the command through us, not directly:
	// otherwise it would end before it could be told apart from one that
	// failed.
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
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // whatever ignored the first
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

// watched starts watching and returns what stops it and waits for it.
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

// lastWords returns the end of the output: a command that reports on each host
// says last why it failed.
func lastWords(b []byte) string {
	const most = 2000
	b = bytes.TrimSpace(b)
	if len(b) > most {
		return "… " + string(b[len(b)-most:])
	}
	return string(b)
}

// cpuTime returns the CPU time so far, in seconds, of this program and all
// children that it waited for.
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
