package kube

import (
	"bytes"
	"context"
	_ "embed" // the script of the first processes
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

//go:embed host.sh
var hostScript string

const (
	// The marks of the lab's first processes, in their environment.
	markLab  = "ASSAY_KUBE_LAB"
	markHost = "ASSAY_KUBE_HOST"

	binaries = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

	// The script adds a control group namespace, from inside the group.
	namespaces = syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC |
		syscall.CLONE_NEWPID | syscall.CLONE_NEWNET
)

// start starts the first process of new namespaces and waits until its script
// says that it is ready. The process outlives this program. The script lies in a
// file, so that a list of processes stays readable.
func (l *Lab) start(ctx context.Context, name string, env ...string) error {
	log, err := os.OpenFile(l.file(name, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	says, tells, err := os.Pipe()
	if err != nil {
		return err
	}
	defer says.Close()
	if err := os.WriteFile(l.file(name, "sh"), []byte(hostScript), 0o600); err != nil {
		return err
	}
	c := exec.Command("sh", l.file(name, "sh")) //nolint:gosec // the script is the package's own
	c.Dir = "/"
	c.Env = append([]string{binaries, markLab + "=" + l.state.ID, markHost + "=" + name}, env...)
	c.Stdout, c.Stderr = log, log
	c.ExtraFiles = []*os.File{tells}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Cloneflags: namespaces}
	err = c.Start()
	_ = tells.Close()
	if err != nil {
		return fmt.Errorf("%s: new namespaces: %w", name, err)
	}
	// Buried when it dies, in the time of this program.
	go func() { _ = c.Wait() }()
	stop := context.AfterFunc(ctx, func() { _ = says.SetReadDeadline(time.Now()) })
	defer stop()
	word, _ := io.ReadAll(says)
	if string(word) != "ready\n" {
		_ = c.Process.Kill()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s did not come up: %s", name, lastLine(log.Name()))
	}
	return nil
}

// lastLine is what a script or service said before it failed.
func lastLine(file string) string {
	b, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1]
}

// firsts finds the first processes of a lab that are alive, by name. The kernel
// is asked each time: process ids are reused, marks are not.
func firsts(id string) map[string]int {
	found := map[string]int{}
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environs {
		dir := filepath.Dir(file)
		b, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(b, []byte(markLab+"="+id+"\x00")) || !isFirst(dir) {
			continue
		}
		for entry := range strings.SplitSeq(string(b), "\x00") {
			if name, ok := strings.CutPrefix(entry, markHost+"="); ok {
				found[name], _ = strconv.Atoi(filepath.Base(dir))
			}
		}
	}
	return found
}

// isFirst says whether a process is number 1 in the innermost of its process
// namespaces, and not dead already.
func isFirst(proc string) bool {
	b, _ := os.ReadFile(filepath.Join(proc, "status"))
	first := false
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		switch {
		case len(f) > 1 && f[0] == "State:" && (f[1] == "Z" || f[1] == "X"):
			return false
		case len(f) > 2 && f[0] == "NSpid:":
			first = f[len(f)-1] == "1"
		}
	}
	return first
}

// end kills first processes, and with them all that lives in their namespaces,
// and waits until they are gone. It looks twice: while one becomes another
// program it has no mark for a moment.
func end(ctx context.Context, id string) error {
	for empty := 0; empty < 2; {
		alive := firsts(id)
		for _, pid := range alive {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if empty++; len(alive) > 0 {
			empty = 0
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("%d hosts do not die: %w", len(alive), err)
		}
	}
	return nil
}

// pause waits between two looks at something.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Run runs a command as root inside a host, a node or Control, and gives what it
// printed; its standard error is in the error.
func (l *Lab) Run(ctx context.Context, host string, argv ...string) (string, error) {
	pid := firsts(l.state.ID)[host]
	if pid == 0 {
		return "", fmt.Errorf("%s is not up", host)
	}
	return output(ctx, "", append([]string{"nsenter", "--target", strconv.Itoa(pid),
		"--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--"}, argv...)...)
}

// output runs a program to its end; when ctx ends, so do its children.
func output(ctx context.Context, stdin string, argv ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // running commands is what a lab is for
	c.Env = []string{binaries, "LC_ALL=C", "HOME=/root"}
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &stdout, &stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return stdout.String(), fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
