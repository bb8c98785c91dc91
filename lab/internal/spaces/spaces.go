package spaces

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"assay/lab/internal/command"
	"assay/lab/internal/marked"
)

const flags = syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC |
	syscall.CLONE_NEWPID | syscall.CLONE_NEWNET

// Missing returns why this machine cannot make namespaces, or nil if it can.
func Missing(what string) error {
	c := exec.Command("true")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s needs namespaces: %w", what, err)
	}
	return nil
}

// First describes a first process to start.
type First struct {
	Family marked.Family
	Name   string
	// Script is a shell script that writes "ready" to file descriptor 3, and
	// then keeps running. It is written to File + ".sh", so that process lists
	// stay readable, and its output to File + ".log".
	Script string
	File   string
	Env    []string // in addition to the marks and PATH
}

// Start starts the first process of new namespaces (mount, UTS, IPC, process,
// network) and waits until its script reports that it is ready. The process
// outlives this program.
func Start(ctx context.Context, f First) error {
	log, err := os.OpenFile(f.File+".log", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	says, tells, err := os.Pipe()
	if err != nil {
		return err
	}
	defer says.Close()
	if err := os.WriteFile(f.File+".sh", []byte(f.Script), 0o600); err != nil {
		return err
	}
	c := exec.Command("sh", f.File+".sh") //nolint:gosec // the script is a lab's own
	c.Dir = "/"
	c.Env = append(append([]string{command.Path}, f.Family.Mark(f.Name)...), f.Env...)
	c.Stdout, c.Stderr = log, log
	c.ExtraFiles = []*os.File{tells}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Cloneflags: flags}
	err = c.Start()
	_ = tells.Close()
	if err != nil {
		return fmt.Errorf("%s: new namespaces: %w", f.Name, err)
	}
	// Reap it if it dies while this program runs.
	go func() { _ = c.Wait() }()
	stop := context.AfterFunc(ctx, func() { _ = says.SetReadDeadline(time.Now()) })
	defer stop()
	word, _ := io.ReadAll(says)
	if string(word) != "ready\n" {
		_ = c.Process.Kill()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s did not come up: %s", f.Name, command.LastLine(log.Name()))
	}
	return nil
}

// Run runs a command as root in the namespaces of a first process, including the
// extra ones in more ("--cgroup"), and returns its output.
func Run(ctx context.Context, pid int, stdin io.Reader, more []string, argv ...string) (string, error) {
	enter := append([]string{"nsenter", "--target", strconv.Itoa(pid), "--mount", "--uts", "--ipc", "--net", "--pid"}, more...)
	return command.OutputOf(ctx, stdin, append(append(enter, "--"), argv...)...)
}
