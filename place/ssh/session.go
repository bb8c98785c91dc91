package ssh

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"

	"assay"
	"assay/place/remote"
)

// session is the ssh of one command, on the shared connection.
type session struct {
	place    *Place
	client   *process
	stdin    io.WriteCloser
	out, err *remote.Stream
}

// open starts a session and waits until a sh reads on the far side. If it
// fails, nothing was sent.
func (p *Place) open(ctx context.Context, o remote.Order) (*session, error) {
	socket, err := p.socketFor(ctx)
	if err != nil {
		return nil, err
	}
	// If the server allows no more sessions on the connection, ssh opens
	// another connection by itself.
	args := append(p.arguments(), "-o", "ControlMaster=no", "-S", escaped(socket),
		"--", p.options.Address, loginCommand(p.options.Sudo))
	cmd := exec.Command("ssh", args...) //nolint:gosec // names were checked, and the command is a fixed text
	s := &session{place: p, out: remote.NewStream(o.Key, o.PrintLimit()), err: remote.NewStream(o.Key, o.PrintLimit())}
	cmd.Stdout, cmd.Stderr = s.out, s.err
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("host %s: start ssh: %w", p.host.Name, err)
	}
	if s.client, err = start(cmd, syscall.SIGKILL); err != nil {
		return nil, fmt.Errorf("host %s: start ssh: %w", p.host.Name, err)
	}
	if err := s.greet(ctx); err != nil {
		s.client.end()
		return nil, err
	}
	return s, nil
}

// greet waits for the far sh's hello.
func (s *session) greet(ctx context.Context) error {
	bound := time.NewTimer(helloTime)
	defer bound.Stop()
	select {
	case <-s.out.Hello:
		return nil
	case <-s.client.done:
		if remote.Closed(s.out.Hello) {
			return nil // Carry will notice the loss
		}
		return s.place.explainShell(s.client.status(), s.out.Words(), s.err.Words())
	case <-ctx.Done():
		return ctx.Err()
	case <-s.out.Excess:
	case <-s.err.Excess:
	case <-bound.C:
		return assay.WithHint("its login shell may be waiting for something: check what '"+s.place.byHand()+" true' does",
			"host %s: %w: it did not start sh within %s", s.place.host.Name, ErrShell, helloTime)
	}
	return assay.WithHint("make its startup files print only in interactive shells",
		"host %s: %w: it printed more than %d MiB before any command", s.place.host.Name, ErrShell, remote.NoiseLimit>>20)
}

// carry sends o and waits for it to end. From here on nothing is retried.
func (s *session) carry(ctx context.Context, o remote.Order) (assay.Output, error) {
	carrier := remote.Session{
		Host: s.place.host.Name, Stdin: s.stdin, Out: s.out, Err: s.err, Done: s.client.done, End: s.client.end,
		Reason: func() string { return reason(s.place.explain(s.err.Words() + string(s.err.Output()))) },
	}
	return carrier.Carry(ctx, o)
}
