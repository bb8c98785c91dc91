// Package drain runs commands and loses nothing of what they print, however
// late this process gets to read it.
package drain

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Start starts cmd, whose Stdout and Stderr must be set. The function it
// returns waits for cmd to end, like cmd.Wait, and until these writers have all
// that it printed. If another process still has an output open then, wait does
// not wait for it for more than patience.
//
// With cmd.WaitDelay alone, what is in the pipe when it has passed is lost: on a
// busy machine, the last that the command itself printed.
func Start(cmd *exec.Cmd, patience time.Duration) (wait func() error, err error) {
	stdout, err := newPipe(cmd.Stdout)
	if err != nil {
		return nil, err
	}
	stderr, err := newPipe(cmd.Stderr)
	if err != nil {
		stdout.close()
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = stdout.in, stderr.in
	cmd.WaitDelay = patience // for its stdin
	if err := cmd.Start(); err != nil {
		stdout.close()
		stderr.close()
		return nil, err
	}
	stdout.begin()
	stderr.begin()
	return func() error {
		err := cmd.Wait()
		late := time.Now().Add(patience)
		return errors.Join(err, stdout.finish(late), stderr.finish(late))
	}, nil
}

// pipe is an output of a command.
type pipe struct {
	to      io.Writer
	in, out *os.File
	read    chan error // gets why reading ended, nil at the end of the output
}

func newPipe(to io.Writer) (*pipe, error) {
	out, in, err := os.Pipe()
	return &pipe{to: to, in: in, out: out, read: make(chan error, 1)}, err
}

func (p *pipe) close() {
	_ = p.in.Close()
	_ = p.out.Close()
}

// begin starts reading. Our own end for writing would keep the pipe open.
func (p *pipe) begin() {
	_ = p.in.Close()
	go func() {
		_, err := io.Copy(p.to, p.out)
		p.read <- err
	}()
}

// finish waits for the end of the output until late, and then reads no more
// than the pipe holds.
func (p *pipe) finish(late time.Time) error {
	defer p.out.Close()
	if err := p.out.SetReadDeadline(late); err != nil {
		return err
	}
	if err := <-p.read; !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return p.rest()
}

// mostHeld is the most that a pipe holds, unless root raised its limit. Whoever has it
// open may go on printing: there might be no end to it.
const mostHeld = 1 << 20

// rest reads what the pipe holds, without waiting for more: after a deadline,
// reads through os.File fail even where there is something to read.
func (p *pipe) rest() error {
	raw, err := p.out.SyscallConn()
	if err != nil {
		return err
	}
	held := make([]byte, mostHeld)
	n := 0
	err = raw.Control(func(fd uintptr) {
		for n < len(held) {
			got, err := syscall.Read(int(fd), held[n:])
			if err == syscall.EINTR {
				continue
			}
			if got <= 0 {
				return // nothing more for now (EAGAIN), or the end
			}
			n += got
		}
	})
	_, writing := p.to.Write(held[:n])
	return errors.Join(err, writing)
}
