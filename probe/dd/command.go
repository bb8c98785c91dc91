package dd

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"assay"
)

// session runs the commands of one repeat and keeps their output.
type session struct {
	on    assay.Bench
	bound time.Duration
	tr    assay.Transcript
}

func begin(t assay.Trial, on assay.Bench) *session {
	return &session{on: on, bound: t.Bound, tr: assay.Transcript{Probe: "dd", Settings: t.Settings}}
}

// source is the file that holds the incompressible data.
func (s *session) source() string { return path.Join(s.on.Scratch.Dir, "source") }

// run runs one step; a non-zero exit is the caller's to judge.
func (s *session) run(ctx context.Context, name string, argv ...string) (assay.Step, error) {
	out, err := s.on.Place.Run(ctx, assay.Cmd{Argv: argv, Env: []string{"LC_ALL=C"}, Timeout: s.bound})
	step := assay.Step{Name: name, Argv: argv, Output: out}
	s.tr.Steps = append(s.tr.Steps, step)
	if err != nil {
		return step, fmt.Errorf("%s on %s: %w", argv[0], s.on.Place.Host().Name, err)
	}
	return step, nil
}

// must runs one step that has to succeed.
func (s *session) must(ctx context.Context, name string, argv ...string) (assay.Step, error) {
	step, err := s.run(ctx, name, argv...)
	if err != nil {
		return step, err
	}
	if err := failure(step); err != nil {
		return step, fmt.Errorf("on %s: %w", s.on.Place.Host().Name, err)
	}
	return step, nil
}

// try runs one step that may fail or be missing; only what stops the whole
// repeat is an error.
func (s *session) try(ctx context.Context, name string, argv ...string) error {
	_, err := s.run(ctx, name, argv...)
	if errors.Is(err, assay.ErrNoCommand) {
		last := &s.tr.Steps[len(s.tr.Steps)-1]
		last.Output.Exit = max(last.Output.Exit, 127) // as in a shell
		return nil
	}
	return err
}
