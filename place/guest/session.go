package guest

import (
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/place/remote"
)

var (
	//go:embed begin.sh
	beginScript string
	//go:embed session.sh
	sessionScript string
	//go:embed poll.sh
	pollScript string
)

const (
	// write passes stdin on to the session in $1, and remove removes one that is over and
	// read. hangUp ends its stdin, and end the whole session: without its pipe, the
	// session's sh kills what it started.
	writeScript  = `cat >"$1/in"`
	removeScript = `rm -rf "$1"`
	hangUpScript = `[ ! -e "$1/holder" ] || { kill "$(cat "$1/holder")"; rm -f "$1/holder"; } 2>/dev/null; :`
	endScript    = hangUpScript + `; n=0; while [ -d "$1" ] && [ ! -e "$1/over" ] && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done; rm -rf "$1"`

	// pieceLimit is how much is written or read at once, in bytes. Agents accept and
	// return some megabytes, in base64 of base64.
	pieceLimit = 512 << 10
	// greetTime limits the time until a sh reads, and unheard how long the agent may
	// be silent before the session counts as lost.
	greetTime = time.Minute
	unheard   = 30 * time.Second
	// lastPoll is how long a poll may still take once nobody needs its answer. An agent
	// keeps what is not fetched, and tells it when the guest uses the process id again.
	lastPoll = 5 * time.Second
)

// session carries one command through the agent.
type session struct {
	remote.Session
	place *Place
	pid   int // of its sh in the guest
	dir   string
	done  chan struct{}
	stop  context.CancelFunc // of reading
	fate  error              // why reading ended; valid once done is closed
}

// open starts a session and waits until a sh reads. If it fails, nothing was sent.
func (p *Place) open(ctx context.Context, o remote.Order) (*session, error) {
	answer, err := p.sh(ctx, beginScript, nil)
	if err != nil {
		return nil, err
	}
	dir := strings.TrimSpace(string(answer))
	pid, err := p.start(ctx, script(sessionScript, dir, remote.Reader), nil)
	if err != nil {
		return nil, fmt.Errorf("host %s: %w", p.host.Name, err)
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &session{place: p, pid: pid, dir: dir, done: make(chan struct{}), stop: stop}
	s.Session = remote.Session{
		Host: p.host.Name, Stdin: stdin{s}, Out: remote.NewStream(o.Key, o.PrintLimit()), Err: remote.NewStream(o.Key, o.PrintLimit()), Done: s.done,
		End: s.end, Reason: s.reason,
	}
	go s.read(life)
	if err := s.greet(ctx); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// greet waits for the far sh's hello.
func (s *session) greet(ctx context.Context) error {
	bound := time.NewTimer(greetTime)
	defer bound.Stop()
	select {
	case <-s.Out.Hello:
		return nil
	case <-s.done:
		if remote.Closed(s.Out.Hello) {
			return nil // Carry will find it lost
		}
		if s.fate != nil {
			return s.fate
		}
		return fmt.Errorf("host %s: sh did not start in the guest: %.200q", s.Host, strings.TrimSpace(s.Err.Words()))
	case <-ctx.Done():
		return ctx.Err()
	case <-bound.C:
		return fmt.Errorf("host %s: %w: sh did not start in the guest within %s", s.Host, assay.ErrTimeout, greetTime)
	}
}

// read forwards the session's output until the session ends.
func (s *session) read(ctx context.Context) {
	defer close(s.done)
	polls, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastPoll, cut) })()
	var out, err int64 // bytes read
	heard, pause := time.Now(), shortPause
	for ctx.Err() == nil {
		answer, failure := s.place.sh(polls, pollScript, nil, s.dir, offset(out), offset(err), strconv.Itoa(pieceLimit))
		var now look
		if failure == nil {
			now, failure = parseLook(answer)
		}
		switch {
		case failure == nil && now.gone:
			s.fate = fmt.Errorf("the session directory %s no longer exists in the guest", s.dir)
			return
		case failure == nil:
		case time.Since(heard) > unheard:
			s.fate = failure
			return
		default:
			_ = sleep.For(ctx, longPause)
			continue
		}
		heard = time.Now()
		_, _ = s.Out.Write(now.out)
		_, _ = s.Err.Write(now.err)
		out, err = out+int64(len(now.out)), err+int64(len(now.err))
		switch {
		case now.over:
			// Not earlier: had the answer been lost, it would have to be asked for again.
			_, _ = s.place.sh(polls, removeScript, nil, s.dir)
			s.forget(polls)
			return
		case now.more:
			continue
		case len(now.out)+len(now.err) > 0:
			pause = shortPause
		default:
			pause = min(pause*3/2, longPause)
		}
		_ = sleep.For(ctx, pause)
	}
}

// forget has the agent forget the session's sh, which it remembers until its exit status is
// read.
func (s *session) forget(ctx context.Context) { _, _ = s.place.look(ctx, s.pid) }

// offset returns the first unread byte, counted as tail does.
func offset(read int64) string { return strconv.FormatInt(read+1, 10) }

// look is the output of poll.sh.
type look struct {
	out, err []byte
	more     bool // more can be read at once
	over     bool // and all is read
	gone     bool // nothing is known of the session
}

// parseLook parses the output of poll.sh. It is pure and total.
func parseLook(text []byte) (l look, err error) {
	ended := false
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		var failure error
		switch word {
		case "out":
			l.out, failure = base64.StdEncoding.DecodeString(rest)
		case "err":
			l.err, failure = base64.StdEncoding.DecodeString(rest)
		case "running":
			ended, l.more = true, rest == "yes"
		case "over":
			ended, l.over = true, true
		case "gone":
			ended, l.gone = true, true
		default:
			failure = errors.New("unknown word")
		}
		if failure != nil {
			return look{}, fmt.Errorf("unexpected reply from the guest: %w in %.40q", failure, line)
		}
	}
	if !ended {
		return look{}, fmt.Errorf("truncated reply from the guest: %w", assay.ErrNoOutput)
	}
	return l, nil
}

// end ends the session and everything running in it, and waits for that.
func (s *session) end() {
	s.stop()
	<-s.done
	_, _ = s.place.sh(context.Background(), endScript, nil, s.dir)
	s.forget(context.Background())
}

func (s *session) reason() string {
	if remote.Closed(s.done) && s.fate != nil {
		return s.fate.Error()
	}
	return ""
}

// stdin is the pipe to the session.
type stdin struct{ s *session }

// Write returns when all of p is in the pipe.
func (w stdin) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		piece := p[:min(len(p), pieceLimit)]
		if _, err := w.s.place.sh(context.Background(), writeScript, piece, w.s.dir); err != nil {
			return n, err
		}
		n, p = n+len(piece), p[len(piece):]
	}
	return n, nil
}

// Close closes the session's stdin, unless the session has ended.
func (w stdin) Close() error {
	if remote.Closed(w.s.done) {
		return nil
	}
	_, err := w.s.place.sh(context.Background(), hangUpScript, nil, w.s.dir)
	return err
}
