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

// directories are those with the programs of a lab, whatever PATH says: an
// ordinary user's PATH has no sbin.
const directories = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Path is the environment entry that finds a lab's programs.
const Path = "PATH=" + directories

// Output runs a program to completion and returns its output; the error includes
// its standard error. When ctx ends, its children end too. On Linux the program,
// but not its children, ends with this one, even if this one is killed.
func Output(ctx context.Context, stdin string, argv ...string) (string, error) {
	return OutputOf(ctx, strings.NewReader(stdin), argv...)
}

// OutputOf is Output for input too large for a string: the program reads a file.
func OutputOf(ctx context.Context, stdin io.Reader, argv ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // running commands is the purpose of a lab
	c.Env = []string{Path, "LC_ALL=C", "HOME=/root"}
	c.Stdin, c.Stdout, c.Stderr = stdin, &stdout, &stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(c.SysProcAttr)
	// The kernel treats the death of the thread that started it as the parent's.
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

// LastLine returns the last line that a script or service wrote to a file
// before it failed.
func LastLine(file string) string {
	b, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1]
}
