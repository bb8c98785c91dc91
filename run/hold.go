package run

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
)

//go:embed hold.sh
var holdScript string

const (
	holdDir = "/run" // what is locked
	// holdBound is how long a host may take to say that it is held.
	holdBound = 30 * time.Second
	// reholds is how often a host is taken again after its connection was lost.
	reholds = 3
)

// exits of hold.sh
const (
	exitTaken   = 75
	exitNoFlock = 127
)

// TakenError says that another run has a host. It matches assay.ErrBusy.
type TakenError struct {
	Host string
	By   string // its own words, or "another run"
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("host %s: %v by %s", e.Host, assay.ErrBusy, e.By)
}

// Unwrap gives assay.ErrBusy.
func (e *TakenError) Unwrap() error { return assay.ErrBusy }

// Hold claims a host for one run, against runs of other users, from other
// machines and with other databases. It is a command that sleeps over there with
// a lock in its hand, so that it ends with assay or with the connection, and
// nothing has to be removed. who is what others are told.
//
// The error is a TakenError where another run has the host, and wraps
// assay.ErrNoCommand where the host has no flock(1): then nothing guards it.
// release waits until the host is free and is idempotent.
func Hold(ctx context.Context, at assay.Place, who string) (release func(), err error) {
	return hold(ctx, at, holdDir, who)
}

func hold(ctx context.Context, at assay.Place, dir, who string) (release func(), err error) {
	held, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- keep(held, at, dir, who) }()
	if err := awaitHold(ctx, at, who, ended); err != nil {
		end()
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range reholds {
			// Where another was faster there is nothing to do: its lease is as good.
			if err := <-ended; held.Err() != nil || !errors.Is(err, assay.ErrHostGone) {
				return
			}
			go func() { ended <- keep(held, at, dir, who) }()
		}
		_ = <-ended
	}()
	return func() { end(); <-done }, nil
}

// keep holds the host until ctx ends. It says why it could not, or no more.
func keep(ctx context.Context, at assay.Place, dir, who string) error {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", holdScript, "sh", dir, who}})
	host := at.Host().Name
	switch {
	case err != nil:
		return err
	case out.Exit == exitTaken:
		return &TakenError{host, holder(string(out.Stdout))}
	case out.Exit == exitNoFlock:
		return assay.WithHint("install util-linux there", "host %s: flock: %w", host, assay.ErrNoCommand)
	}
	return fmt.Errorf("host %s: it cannot be claimed: sh exited %d: %s", host, out.Exit, strings.TrimSpace(string(out.Stderr)))
}

// holder is the first that is named; others cannot always be read.
func holder(words string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(words), "\n")
	if first == "" {
		return "another run"
	}
	return first
}

// awaitHold asks the host until it says that who has it.
func awaitHold(ctx context.Context, at assay.Place, who string, ended chan error) error {
	bounded, cancel := context.WithTimeoutCause(ctx, holdBound,
		fmt.Errorf("host %s: it cannot be claimed: no answer within %s", at.Host().Name, holdBound))
	defer cancel()
	look := assay.Cmd{
		Argv:    []string{"sh", "-c", `cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | sed -n 's/^ASSAY_HOLD=//p'`},
		Timeout: holdBound,
	}
	for {
		out, err := at.Run(bounded, look)
		if err == nil && slices.Contains(strings.Split(string(out.Stdout), "\n"), who) {
			return nil
		}
		select {
		case why := <-ended:
			return why
		case <-bounded.Done():
			return context.Cause(bounded)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
