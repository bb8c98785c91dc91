package command

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// Process is a program that runs beside this one.
type Process struct {
	process *os.Process
	died    chan struct{}
}

// Start starts a program that prints into a new file, with more in its environment
// than Output gives one. On Linux it ends with this one, also where this one is
// killed.
func Start(log string, env []string, argv ...string) (*Process, error) {
	return start(log, env, nil, nil, argv)
}

// StartWhole is Start for a program whose children end with it, whatever ends it, and which
// has these files open, the first of them as its descriptor 3. It is for Linux alone.
func StartWhole(log string, files []*os.File, argv ...string) (*Process, error) {
	return start(log, nil, files, endTogether, argv)
}

func start(log string, env []string, files []*os.File, more func(*syscall.SysProcAttr), argv []string) (*Process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c := exec.Command(argv[0], argv[1:]...) //nolint:gosec // running commands is what a lab is for
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
		// The kernel takes the death of the thread that started it for the parent's:
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

// Died is closed when the program has ended.
func (p *Process) Died() <-chan struct{} { return p.died }

// Kill ends the program, where it runs, and waits until it is gone.
func (p *Process) Kill() {
	_ = p.process.Kill() // it may be dead
	<-p.died
}
