package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"assay"
)

// ErrLost is in the chain of Carry's error if the connection was lost while the
// command ran, or if the far side believed so and ended the command.
var ErrLost error = lost("the connection was lost")

// lost is an error that means the host is unreachable.
type lost string

func (l lost) Error() string        { return string(l) }
func (l lost) Is(target error) bool { return target == assay.ErrHostGone }

// unsentError is an ErrLost: why the far side did not get the whole command.
type unsentError struct{ why error }

func (e unsentError) Error() string        { return e.why.Error() }
func (e unsentError) Is(target error) bool { return target == ErrLost }

const (
	// parting is how long a terminated command may take to report its end, and
	// grace how long a session may take to close after that.
	parting = 4 * time.Second
	grace   = 700 * time.Millisecond
)

// Session is one connection to a sh that runs Reader, after its hello.
type Session struct {
	Host     string // for errors
	Stdin    io.WriteCloser
	Out, Err *Stream
	Done     <-chan struct{} // closed when the connection ends, for any reason
	End      func()          // ends it and waits for that
	// Reason returns what the transport knows of why it ended, "" for nothing.
	Reason func() string
}

// Carry sends o and waits for it to end. From here on nothing is retried.
func (s *Session) Carry(ctx context.Context, o Order) (assay.Output, error) {
	out := assay.Output{Started: time.Now()}
	s.Out.attend(o.OnStdout)
	over := make(chan struct{})
	opened, unsent := make(chan time.Time, 1), make(chan error, 1)
	go func() {
		if err := s.send(o, opened, over); err != nil {
			unsent <- err
			return
		}
		s.beat(o, over)
	}()
	why := s.await(ctx, o, opened, unsent, &out.Started)
	out.Elapsed = time.Since(out.Started)
	close(over)
	// Closing its stdin makes the far side kill whatever is left of the command.
	_ = s.Stdin.Close()
	s.part(why)

	out.Stdout, out.Stderr = s.Out.Output(), s.Err.Output()
	end := s.ending()
	out.Exit, out.CPU, out.Asked = end.exit, end.cpu, Closed(s.Out.enough)
	return out, s.judge(o, why, end)
}

// send sends the order, the command's stdin, and permission to begin. It sends the time
// at which a gate opened to opened.
func (s *Session) send(o Order, opened chan<- time.Time, over <-chan struct{}) error {
	if _, err := io.WriteString(s.Stdin, o.text()); err != nil {
		return err
	}
	if len(o.Stdin) > 0 {
		if _, err := s.Stdin.Write(o.Stdin); err != nil {
			return err
		}
	}
	if !o.held() {
		return nil
	}
	// The command gets nothing until all of its stdin has arrived: half a
	// script may do what the whole would not.
	select {
	case <-s.Out.eaten:
	case <-over:
		return nil
	}
	if o.Gate != nil {
		select {
		case <-o.Gate():
			opened <- time.Now()
		case <-over:
			return nil
		}
	}
	_, err := io.WriteString(s.Stdin, o.Key+" go\n")
	return err
}

// beat tells the far side now and again that we are here, and once if enough was heard.
// What fails is tried again with the next beat: some transports fail for a moment, and
// Done tells of one that has ended.
func (s *Session) beat(o Order, over <-chan struct{}) {
	next := time.NewTicker(o.Beat)
	defer next.Stop()
	enough, line := s.Out.enough, "\n"
	for {
		select {
		case <-enough:
			enough, line = nil, o.Key+" enough\n"
		case <-next.C:
		case <-over:
			return
		}
		if _, err := io.WriteString(s.Stdin, line); err == nil {
			line = "\n"
		}
	}
}

// await waits for the end markers on both streams, or for a reason to give up: its error is
// ctx.Err(), assay.ErrTimeout, assay.ErrTooLong, or ErrLost, with the reason if the command
// could not be sent. The command starts when its gate opens, or else when it reports so:
// some transports are slow to pass that on.
func (s *Session) await(ctx context.Context, o Order, opened <-chan time.Time, unsent <-chan error, started *time.Time) error {
	// The far side enforces the timeout; this is for one that does not answer. Time spent
	// waiting for a gate does not count.
	var late <-chan time.Time
	limit := func() {
		if o.Timeout > 0 {
			late = time.After(o.Timeout + o.silence())
		}
	}
	if o.Gate == nil {
		limit()
	}
	// A write fails too if the session has ended; then its last words are on their way.
	var failure error
	var hopeless <-chan time.Time
	begun, outEnded, errEnded := s.Out.begun, s.Out.ended, s.Err.ended
	for outEnded != nil || errEnded != nil {
		select {
		case at := <-opened:
			*started, begun, opened = at, nil, nil
			limit()
		case <-begun:
			*started, begun = time.Now(), nil
		case <-outEnded:
			outEnded = nil
		case <-errEnded:
			errEnded = nil
		case <-s.Out.Excess:
			return assay.ErrTooLong
		case <-s.Err.Excess:
			return assay.ErrTooLong
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			return assay.ErrTimeout
		case failure = <-unsent:
			hopeless = time.After(parting)
		case <-hopeless:
			return unsentError{failure}
		case <-s.Done:
			if Closed(s.Out.ended) && Closed(s.Err.ended) {
				return nil
			}
			return ErrLost
		}
	}
	return nil
}

// part waits for the session to end. If the command was ended early, that is when
// all of it is dead; a command that left processes behind may keep the streams
// open, and part does not wait for those.
func (s *Session) part(why error) {
	patience := parting
	if why == nil {
		patience = grace
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-s.Done:
	case <-t.C:
		s.End()
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

func (s *Session) ending() ending {
	last := s.Err.last()
	if last == "" {
		return ending{}
	}
	return parseEnding(last)
}

// parseEnding parses "status=0 fired= cpu=0m0.01s 0m0.02s": the exit status,
// who ended the command, and its user and system time as times(1p) prints them.
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

// judge maps how the command ended to Run's error.
func (s *Session) judge(o Order, why error, end ending) error {
	command, host := o.Argv[0], s.Host
	var unsent unsentError
	switch {
	case errors.Is(why, assay.ErrTooLong):
		if !Closed(s.Out.begun) || !Closed(s.Err.begun) {
			return fmt.Errorf("host %s: %w: more than %d MiB before %s began", host, assay.ErrTooLong, NoiseLimit>>20, command)
		}
		return fmt.Errorf("%s on %s: %w (%d MiB)", command, host, why, o.PrintLimit()>>20)
	case errors.Is(why, assay.ErrTimeout), why == nil && end.fired == "bound":
		return fmt.Errorf("%s on %s: %w of %s", command, host, assay.ErrTimeout, o.Timeout)
	case errors.As(why, &unsent):
		reason := cmp.Or(s.Reason(), strings.TrimPrefix(why.Error(), "host "+host+": "))
		return assay.WithHint(assay.Hint(unsent.why), "host %s: %w before %s began%s", host, ErrLost, command, after(reason))
	case errors.Is(why, ErrLost):
		return assay.WithHint(fmt.Sprintf("anything still running there will end within %s", o.silence()),
			"host %s: %w while %s ran%s", host, ErrLost, command, after(s.Reason()))
	case why != nil:
		return why
	case end.word == "none":
		return fmt.Errorf("%s on %s: %w", command, host, assay.ErrNoCommand)
	case end.word == "denied":
		return fmt.Errorf("start %s on %s: permission denied", command, host)
	case end.fired == "lost":
		return fmt.Errorf("host %s: %w: it lost contact with this machine for %s and ended %s", host, ErrLost, o.silence(), command)
	case end.word != "":
		return fmt.Errorf("host %s: %w: the shell that ran %s was killed", host, ErrLost, command)
	}
	return nil
}

func after(words string) string {
	if words == "" {
		return ""
	}
	return ": " + words
}
