package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"assay"
)

// session is the ssh of one command, on the shared connection.
type session struct {
	place    *Place
	client   *process
	stdin    io.WriteCloser
	out, err *stream
}

// open starts a session and waits until a sh reads on the far side. Where it
// fails, nothing was sent.
func (p *Place) open(ctx context.Context, key string) (*session, error) {
	socket, err := p.socketFor(ctx)
	if err != nil {
		return nil, err
	}
	// Where the server grants no more sessions on the connection, ssh makes
	// another one by itself.
	args := append(p.arguments(), "-o", "ControlMaster=no", "-S", escaped(socket),
		"--", p.options.Address, loginCommand(p.options.Sudo))
	cmd := exec.Command("ssh", args...) //nolint:gosec // names were checked, and the command is a fixed text
	s := &session{place: p, out: newStream(key), err: newStream(key)}
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
	case <-s.out.hello:
		return nil
	case <-s.client.done:
		if closed(s.out.hello) {
			return nil // carry will find that it is lost
		}
		return s.place.explainShell(s.client.status(), s.out.words(), s.err.words())
	case <-ctx.Done():
		return ctx.Err()
	case <-s.out.excess:
	case <-s.err.excess:
	case <-bound.C:
		return assay.WithHint("its login shell may wait for something: look at what '"+s.place.byHand()+" true' does",
			"host %s: %w: it did not start sh within %s", s.place.host.Name, ErrShell, helloTime)
	}
	return assay.WithHint("have its start files print only where the shell is interactive",
		"host %s: %w: it printed more than %d MiB before any command", s.place.host.Name, ErrShell, noiseLimit>>20)
}

// carry hands o over and waits for its end. From here on nothing is tried again.
func (s *session) carry(ctx context.Context, o order) (assay.Output, error) {
	out := assay.Output{Started: time.Now()}
	s.out.attend(o.Heed)
	over := make(chan struct{})
	go s.talk(o, over)
	why := s.await(ctx, o, &out.Started)
	out.Elapsed = time.Since(out.Started)
	close(over)
	// The end of its stdin has the far side kill whatever is left of the command.
	_ = s.stdin.Close()
	s.part(why)

	out.Stdout, out.Stderr = s.out.output(), s.err.output()
	end := s.ending()
	out.Exit, out.CPU, out.Asked = end.exit, end.cpu, closed(s.out.enough)
	return out, s.judge(o, why, end)
}

// talk sends the order, then the command's stdin, then a beat now and again.
func (s *session) talk(o order, over <-chan struct{}) {
	if _, err := io.WriteString(s.stdin, o.text()); err != nil {
		return // the client has ended: await sees that too
	}
	if len(o.Stdin) > 0 {
		if _, err := s.stdin.Write(o.Stdin); err != nil {
			return
		}
		// The command gets nothing until all of it is known to be there: half
		// of a script may do what the whole would not.
		select {
		case <-s.out.eaten:
		case <-over:
			return
		}
		if _, err := io.WriteString(s.stdin, o.key+" go\n"); err != nil {
			return
		}
	}
	beat := time.NewTicker(s.place.beat)
	defer beat.Stop()
	enough := s.out.enough
	for {
		select {
		case <-enough:
			if _, err := io.WriteString(s.stdin, o.key+" enough\n"); err != nil {
				return
			}
			enough = nil
		case <-beat.C:
			if _, err := io.WriteString(s.stdin, "\n"); err != nil {
				return
			}
		case <-over:
			return
		}
	}
}

// await waits for the last words on both streams, or for a reason not to: what
// it gives is ctx.Err(), assay.ErrTimeout, assay.ErrTooLong, or ErrLost.
func (s *session) await(ctx context.Context, o order, started *time.Time) error {
	var late <-chan time.Time
	if o.Timeout > 0 {
		// The far side keeps the bound; this is for one that does not answer.
		t := time.NewTimer(o.Timeout + o.silence)
		defer t.Stop()
		late = t.C
	}
	begun, outEnded, errEnded := s.out.begun, s.out.ended, s.err.ended
	for outEnded != nil || errEnded != nil {
		select {
		case <-begun:
			*started, begun = time.Now(), nil
		case <-outEnded:
			outEnded = nil
		case <-errEnded:
			errEnded = nil
		case <-s.out.excess:
			return assay.ErrTooLong
		case <-s.err.excess:
			return assay.ErrTooLong
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			return assay.ErrTimeout
		case <-s.client.done:
			if closed(s.out.ended) && closed(s.err.ended) {
				return nil
			}
			return ErrLost
		}
	}
	return nil
}

// part waits for the ssh to end. After a command that was ended early that is
// when all of it is dead; one that left processes behind may keep the streams
// open, and is not waited for.
func (s *session) part(why error) {
	patience := parting
	if why == nil {
		patience = grace
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-s.client.done:
	case <-t.C:
		s.client.end()
	}
}

// ending is far.sh's last line.
type ending struct {
	known bool
	word  string // none, denied, lost, or "" where there is an exit status
	exit  int
	fired string // lost, bound, or ""
	cpu   time.Duration
}

func (s *session) ending() ending {
	last := s.err.last()
	if last == "" {
		return ending{}
	}
	return parseEnding(last)
}

// parseEnding reads "status=0 fired= cpu=0m0.01s 0m0.02s": the exit status, who
// ended the command, and its user and system time as times(1p) prints them.
func parseEnding(line string) ending {
	status, rest, _ := strings.Cut(line, " fired=")
	fired, cpu, _ := strings.Cut(rest, " cpu=")
	e := ending{known: true, fired: fired, word: strings.TrimPrefix(status, "status=")}
	if n, err := strconv.Atoi(e.word); err == nil {
		e.word, e.exit = "", n
	}
	for _, t := range strings.Fields(cpu) {
		if d, err := time.ParseDuration(strings.ReplaceAll(t, ",", ".")); err == nil {
			e.cpu += d
		}
	}
	return e
}

// judge turns how it ended into Run's error.
func (s *session) judge(o order, why error, end ending) error {
	command, host := o.Argv[0], s.place.host.Name
	switch {
	case errors.Is(why, assay.ErrTooLong):
		return fmt.Errorf("%s on %s: %w (%d MiB)", command, host, why, Limit>>20)
	case errors.Is(why, assay.ErrTimeout), why == nil && end.fired == "bound":
		return fmt.Errorf("%s on %s: %w of %s", command, host, assay.ErrTimeout, o.Timeout)
	case errors.Is(why, ErrLost):
		return assay.WithHint(fmt.Sprintf("whatever still runs there ends itself within %s", o.silence),
			"host %s: %w while %s ran%s", host, ErrLost, command, reason(s.place.explain(s.err.words()+string(s.err.output()))))
	case why != nil:
		return why
	case end.word == "none":
		return fmt.Errorf("%s on %s: %w", command, host, assay.ErrNoCommand)
	case end.word == "denied":
		return fmt.Errorf("start %s on %s: permission denied", command, host)
	case end.fired == "lost":
		return fmt.Errorf("host %s: %w: it heard nothing from here for %s and ended %s", host, ErrLost, o.silence, command)
	case end.word != "":
		return fmt.Errorf("host %s: %w: the shell that ran %s was killed", host, ErrLost, command)
	}
	return nil
}
