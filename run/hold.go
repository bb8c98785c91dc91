package run

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/internal/sleep"
)

//go:embed hold.sh
var holdScript string

const (
	holdDir = "/run" // what is locked
	// holdBound is how long a host may take to confirm that it is held.
	holdBound = 2 * time.Minute
	// reholds is how often a host is claimed again after its connection was
	// lost.
	reholds = 3
	// reholdPause is the pause between two such attempts: together they last
	// longer than our orphaned process needs to notice.
	reholdPause = 10 * time.Second
)

// exit statuses of hold.sh
const (
	exitTaken   = 75
	exitNoFlock = 127
)

// TakenError means that another run holds a host. It matches assay.ErrBusy.
type TakenError struct {
	Host string
	By   string // its own words, or "another run"
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("host %s: %v by %s", e.Host, assay.ErrBusy, e.By)
}

// Unwrap returns assay.ErrBusy.
func (e *TakenError) Unwrap() error { return assay.ErrBusy }

// Hold claims a host for one run, against runs of other users, from other machines
// and with other databases. It runs a command on the host that sleeps while holding
// a lock, so that it ends with assay or with the connection. who is shown to others.
//
// The error is a TakenError if another run has the host, and wraps
// assay.ErrNoCommand if the host has no flock(1): then nothing guards it. Other
// users cannot keep off a run of root: beside then names who else claims the host,
// otherwise it is "". release waits until the host is free and is idempotent.
func Hold(ctx context.Context, at assay.Place, who string) (release func(), beside string, err error) {
	return hold(ctx, at, holdDir, who, reholdPause)
}

// holding is one hold of one host.
type holding struct {
	at       assay.Place
	dir, who string
	key      string // distinguishes it from all others, even of the same run
	ended    chan error
}

func hold(ctx context.Context, at assay.Place, dir, who string, pause time.Duration) (release func(), beside string, err error) {
	key := randomID()
	h := holding{at, dir, who, key, make(chan error, 1)}
	held, end := context.WithCancel(context.WithoutCancel(ctx))
	go h.keep(held)
	if beside, err = h.await(ctx); err != nil {
		end()
		return nil, "", err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.again(held, pause)
	}()
	return func() { end(); <-done; tidy(ctx, at, dir) }, beside, nil
}

// tidyBound is how long a host may take to remove root's lock.
const tidyBound = 30 * time.Second

// tidyScript removes the lock that hold.sh makes for root, unless somebody holds
// it: hold.sh could not if it was killed with all that it had started.
const tidyScript = `[ -d "$1" ] || set -- /tmp
[ "$(id -u)" = 0 ] && exec 8<"$1/assay-lock" && flock -n 8 8<&8 && [ /proc/self/fd/8 -ef "$1/assay-lock" ] && rm -f "$1/assay-lock/end" && rmdir "$1/assay-lock"`

// tidy leaves no lock of root behind in dir, unless somebody holds it. What it cannot
// remove is an empty directory, which the next run reuses.
func tidy(ctx context.Context, at assay.Place, dir string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyBound)
	defer cancel()
	_, _ = at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", tidyScript, "sh", dir}})
}

// again reclaims the host after the connection was lost. Our orphaned process
// there may hold the lock until it notices.
func (h holding) again(ctx context.Context, pause time.Duration) {
	for range reholds {
		err := <-h.ended
		var taken *TakenError
		own := errors.As(err, &taken) && taken.By == h.who
		if ctx.Err() != nil || !own && !errors.Is(err, assay.ErrHostGone) {
			return // if another run was faster, its lease is as good
		}
		if sleep.For(ctx, pause) != nil {
			return
		}
		go h.keep(ctx)
	}
	if err := <-h.ended; err != nil {
		return // out of attempts
	}
}

// keep holds the host until ctx ends. It sends the reason if it fails to get or
// to keep it.
func (h holding) keep(ctx context.Context) {
	out, err := h.at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", holdScript, "sh", h.dir, h.who, h.key}})
	host := h.at.Host().Name
	switch {
	case err != nil:
	case out.Exit == exitTaken:
		err = &TakenError{host, holder(string(out.Stdout))}
	case out.Exit == exitNoFlock:
		err = assay.WithHint("install util-linux on it", "host %s: flock: %w", host, assay.ErrNoCommand)
	default:
		err = fmt.Errorf("host %s: cannot claim it: sh exited %d: %s", host, out.Exit, oneline.Brief(out.Stderr))
	}
	h.ended <- err
}

// holder returns the first holder named; others cannot always be read.
func holder(words string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(words), "\n")
	if first = oneline.Brief([]byte(first)); first == "" {
		return "another run"
	}
	return first
}

// await polls the host until it confirms the hold, and returns who else claims
// it.
func (h holding) await(ctx context.Context) (beside string, err error) {
	bounded, cancel := context.WithTimeoutCause(ctx, holdBound,
		fmt.Errorf("host %s: cannot claim it: no answer within %s", h.at.Host().Name, holdBound))
	defer cancel()
	look := assay.Cmd{
		Argv:    []string{"sh", "-c", `cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | sed -n 's/^ASSAY_HOLD_KEY=//p'`},
		Timeout: holdBound,
	}
	for {
		out, err := h.at.Run(bounded, look)
		for line := range strings.Lines(string(out.Stdout)) {
			if key, beside, _ := strings.Cut(strings.TrimSpace(line), " "); err == nil && key == h.key {
				return oneline.Brief([]byte(beside)), nil
			}
		}
		select {
		case why := <-h.ended:
			return "", why
		case <-bounded.Done():
			return "", context.Cause(bounded)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
