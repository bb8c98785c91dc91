package ssh

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"assay/place/drain"
)

// grace is how long an ssh may take to exit after SIGTERM, and how long to keep
// reading pipes that somebody else holds open.
const grace = 700 * time.Millisecond

// process is a program that assay has started.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// start starts cmd in its own session: Ctrl-C does not reach it before assay
// has acted, and without a terminal no ssh asks for a password, not even one
// that ProxyJump starts, which does not know BatchMode. If assay is killed, cmd
// gets the signal dying: the kernel sends it when the starting *thread* ends,
// so the thread is kept.
func start(cmd *exec.Cmd, dying syscall.Signal) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: dying}
	cmd.Env = append(os.Environ(), "SSH_ASKPASS_REQUIRE=never")
	p := &process{cmd: cmd, done: make(chan struct{})}
	begun := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		wait, err := drain.Start(cmd, grace)
		begun <- err
		if err == nil {
			_ = wait()
		}
		close(p.done)
	}()
	if err := <-begun; err != nil {
		return nil, err
	}
	return p, nil
}

// over reports whether it has ended.
func (p *process) over() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// status returns the exit status of an ended process; -1 if a signal ended it.
func (p *process) status() int { return p.cmd.ProcessState.ExitCode() }

// end terminates it and its children (such as a ProxyCommand) and waits for it
// to end.
func (p *process) end() {
	if p.over() {
		return
	}
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM)
	t := time.AfterFunc(grace, func() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) })
	defer t.Stop()
	<-p.done
}

// bounded keeps the first limit bytes written to it.
type bounded struct {
	mu    sync.Mutex
	limit int
	text  []byte
}

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, p[:min(len(p), b.limit-len(b.text))]...)
	return len(p), nil
}

func (b *bounded) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.text)
}
