package command

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// Process is a program running beside this one.
type Process struct {
	process *os.Process
	died    chan struct{}
}

// Start starts a program that prints to a new file, with env added to the
// environment that Output sets. On Linux it ends with this one, even if this one
// is killed.
func Start(log string, env []string, argv ...string) (*Process, error) {
	return start(log, env, nil, nil, argv)
}

// StartWhole is Start for a program whose children end with it, whatever ends it, and which
// inherits these files, from descriptor 3 on. It works only on Linux.
func StartWhole(log string, files []*os.File, argv ...string) (*Process, error) {
	return start(log, nil, files, endTogether, argv)
}

func start(log string, env []string, files []*os.File, more func(*syscall.SysProcAttr), argv []string) (*Process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c := exec.Command(argv[0], argv[1:]...) //nolint:gosec // running commands is the purpose of a lab
	c.Env = append([]string{Path, "LC_ALL=C", "HOME=/root"}, env...)
	c.Stdout, c.Stderr, c.ExtraFiles = file, file, files
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(c.SysProcAttr)
	if more != nil {
		more(c.SysProcAttr)
	}
	p := &Process{died: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel treats the death of the thread that started it as the parent's:
		// this one waits until the program has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.Start()
		p.process = c.Process
		started <- err
		if err == nil {
			_ = c.Wait()
			close(p.died)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// Died returns a channel that is closed when the program has ended.
func (p *Process) Died() <-chan struct{} { return p.died }

// Kill kills the program, if it is running, and waits until it is gone.
func (p *Process) Kill() {
	_ = p.process.Kill() // it may be dead
	<-p.died
}
