package iperf3

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/setting"
)

// lookBound limits a command that only looks.
const lookBound = time.Minute

// session is one repeat.
type session struct {
	t    assay.Trial
	on   assay.Bench
	set  settings
	link link
	tr   assay.Transcript
}

func begin(t assay.Trial, on assay.Bench) (*session, error) {
	s := &session{t: t, on: on, tr: assay.Transcript{Probe: tool, Settings: t.Settings}}
	var ok bool
	switch s.link, ok = linkOf(t.Settings); {
	case !ok:
		return s, fmt.Errorf("trial %s: its settings do not name two addresses", t.ID)
	case on.Place == nil || on.Peer == nil:
		return s, fmt.Errorf("trial %s: no connection to %s was provided", t.ID, s.link.to.host)
	}
	var err error
	s.set, err = readSettings(setting.Stored(t.Case, t.Settings))
	return s, err
}

// here runs one command on the trial's host and returns it as a step.
func (s *session) here(ctx context.Context, name string, bound time.Duration, argv ...string) (assay.Step, error) {
	return s.run(ctx, s.on.Place, name, bound, argv)
}

// there runs one command at the other end. Its CPU time is dropped, since only
// the trial's host is watched.
func (s *session) there(ctx context.Context, name string, bound time.Duration, argv ...string) (assay.Step, error) {
	step, err := s.run(ctx, s.on.Peer, name, bound, argv)
	step.Output.CPU = 0
	return step, err
}

func (s *session) run(ctx context.Context, at assay.Place, name string, bound time.Duration, argv []string) (assay.Step, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Env: []string{"LC_ALL=C"}, Timeout: bound})
	step := assay.Step{Name: name, Argv: argv, Output: out}
	if err != nil {
		return step, s.broken(at, argv[0], err)
	}
	return step, nil
}

func (s *session) keep(steps ...assay.Step) { s.tr.Steps = append(s.tr.Steps, steps...) }

// broken adds both ends to an error of a place.
func (s *session) broken(at assay.Place, program string, err error) error {
	host := at.Host().Name
	hint := ""
	switch {
	case errors.Is(err, assay.ErrNoCommand):
		hint = "install " + program + " on " + host
	case errors.Is(err, assay.ErrTimeout):
		hint = "the link may have gone down: try ping " + s.link.to.address + " on " + s.link.from.host
	}
	return assay.WithHint(hint, "%s: on %s: %w", s.link, host, err)
}

// complaint returns the first line that a command printed about what went wrong.
func complaint(out assay.Output) string {
	for line := range strings.Lines(string(out.Stderr) + "\n" + string(out.Stdout)) {
		if line = strings.TrimSpace(line); line != "" {
			return strings.ToValidUTF8(line[:min(len(line), 200)], "")
		}
	}
	return fmt.Sprintf("nothing, and exited %d", out.Exit)
}

// pause separates two looks.
const pause = 20 * time.Millisecond

// runner is here or there.
type runner func(ctx context.Context, name string, bound time.Duration, argv ...string) (assay.Step, error)
