package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// directories are those that hold the programs of a lab, whatever PATH says: an
// ordinary user's has no sbin.
const directories = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Path is the entry of an environment that finds the programs of a lab.
const Path = "PATH=" + directories

// Output runs a program to its end and gives what it printed; its standard error
// is in the error. When ctx ends, so do its children. On Linux the program, not
// its children, ends with this one, also where this one is killed.
func Output(ctx context.Context, stdin string, argv ...string) (string, error) {
	return OutputOf(ctx, strings.NewReader(stdin), argv...)
}

// OutputOf is Output for what is too much for a string: what the program reads is a file.
func OutputOf(ctx context.Context, stdin io.Reader, argv ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // running commands is what a lab is for
	c.Env = []string{Path, "LC_ALL=C", "HOME=/root"}
	c.Stdin, c.Stdout, c.Stderr = stdin, &stdout, &stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(c.SysProcAttr)
	// The kernel takes the death of the thread that started it for the parent's.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 10 * time.Second
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return stdout.String(), fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}

// LastLine is what a script or a service that prints into a file said before it
// failed.
func LastLine(file string) string {
	b, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1]
}
