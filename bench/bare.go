package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"assay"
)

// bareArgv is the command line that somebody without assay would have typed for
// the same job: plain JSON, once, at the end.
func bareArgv(argv []string) []string {
	var bare []string
	for _, word := range argv {
		switch {
		case strings.HasPrefix(word, "--status-interval="):
		case word == "--output-format=json+":
			bare = append(bare, "--output-format=json")
		default:
			bare = append(bare, word)
		}
	}
	return bare
}

// readIOPS reads the read operations a second of all jobs from fio's JSON.
func readIOPS(b []byte) (float64, error) {
	var doc struct {
		Jobs []struct {
			Read struct {
				IOPS float64 `json:"iops"`
			} `json:"read"`
		} `json:"jobs"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return 0, err
	}
	total := 0.
	for _, j := range doc.Jobs {
		total += j.Read.IOPS
	}
	if total <= 0 {
		return 0, fmt.Errorf("no reads: %w", assay.ErrNoOutput)
	}
	return total, nil
}

// executed is what a command printed, and the CPU time in seconds of it and the
// children it waited for.
type executed struct {
	stdout []byte
	cpu    float64
}

// execute runs a command of nobody's but the kernel's. It ends with ctx and with
// this program, as do its children. A status that is neither 0 nor in fine is
// an error.
func execute(ctx context.Context, argv []string, fine ...int) (executed, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // measuring programs is what this one is for
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// Of a terminal's Ctrl-C the command learns from us, not from the terminal:
	// else it would end before it could be told apart from one that failed.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = patience
	runtime.LockOSThread() // the kernel sends Pdeathsig when the thread ends
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	if ctx.Err() != nil {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what did not heed the first
		}
		return executed{}, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		for _, status := range fine {
			if exit.ExitCode() == status {
				err = nil
			}
		}
	}
	if err != nil {
		return executed{}, fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, strings.TrimSpace(stderr.String()))
	}
	return executed{stdout: stdout.Bytes(), cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}, nil
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
