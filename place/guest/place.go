package guest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/place/remote"
)

// Options specify a guest and how to reach it.
type Options struct {
	// Hypervisor is where the guest runs. It is closed with the place.
	Hypervisor assay.Place
	Agent      Agent
	// Mark is in the environment of every command, so that Reap can find what a
	// killed assay left running.
	Mark string
}

// way is the path to a guest.
type way struct {
	host    assay.Host
	options Options
	// asking serializes requests: an agent answers one at a time.
	asking sync.Mutex
}

// Host returns the guest.
func (w *way) Host() assay.Host { return w.host }

// Hypervisor returns where the guest runs, even while it is off.
func (w *way) Hypervisor() assay.Place { return w.options.Hypervisor }

// Close closes the connection to the hypervisor. It is idempotent.
func (w *way) Close() error { return w.options.Hypervisor.Close() }

// Place runs commands in a Linux guest.
type Place struct{ way }

// New returns the place. The agent is first contacted when the first command
// runs.
func New(host assay.Host, o Options) *Place { return &Place{way{host: host, options: o}} }

// Run runs c in the guest, in a session of its own and in the C locale unless
// c.Env names another. Beyond the errors of every place, its errors wrap
// assay.ErrHostGone if the guest is off or its agent does not answer.
func (p *Place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	return p.run(ctx, c, p.options.Mark)
}

// Reap kills everything started with that mark: see [remote.Reap].
func (p *Place) Reap(ctx context.Context, mark string) (int, error) {
	return remote.Reap(ctx, p.host.Name, mark, func(ctx context.Context, c assay.Cmd) (assay.Output, error) {
		return p.run(ctx, c, "")
	})
}

func (p *Place) run(ctx context.Context, c assay.Cmd, mark string) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	o := remote.Order{Cmd: c, Mark: mark, Key: remote.NewKey(), Beat: remote.BeatTime}
	if err := o.Check(); err != nil {
		return assay.Output{}, fmt.Errorf("host %s: %w", p.host.Name, err)
	}
	s, err := p.open(ctx, o)
	if err != nil {
		return assay.Output{}, err
	}
	return s.Carry(ctx, o)
}

const (
	// askTime limits one request to the agent, and helperTime a small program that is
	// run to its end through several.
	askTime    = 30 * time.Second
	helperTime = time.Minute
	// The first and the longest pause between two polls of a running program.
	shortPause, longPause = 20 * time.Millisecond, time.Second
)

// ask sends the agent one request.
func (w *way) ask(ctx context.Context, question assay.Cmd) (assay.Output, error) {
	w.asking.Lock()
	defer w.asking.Unlock()
	question.Timeout = askTime
	out, err := w.options.Hypervisor.Run(ctx, question)
	if errors.Is(err, assay.ErrNoCommand) {
		return out, fmt.Errorf("hypervisor %s has no %s: %w", w.options.Hypervisor.Host().Name, question.Argv[0], err)
	}
	return out, err
}

// sh runs one of assay's scripts in the guest to its end, and returns its
// output.
func (p *Place) sh(ctx context.Context, text string, stdin []byte, words ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, helperTime)
	defer cancel()
	opening := []byte(remote.NewKey() + "\n")
	end, err := p.program(ctx, script("echo "+string(opening)+text, words...), stdin, func(s state) bool {
		return bytes.HasPrefix(s.out, opening)
	})
	if err == nil && end.exit != 0 {
		err = fmt.Errorf("%s: sh exited %d in the guest", p.options.Agent.what, end.exit)
	}
	if err != nil {
		return nil, fmt.Errorf("host %s: %w", p.host.Name, err)
	}
	return end.out[len(opening):], nil
}

// script returns the command that runs a script with these arguments.
func script(text string, words ...string) []string {
	return append([]string{"/bin/sh", "-c", text, "sh"}, words...)
}

// start starts a program in the guest, and returns its process id there.
func (w *way) start(ctx context.Context, argv []string, stdin []byte) (int, error) {
	out, err := w.ask(ctx, w.options.Agent.exec(argv, stdin))
	if err != nil {
		return 0, err
	}
	return w.options.Agent.pid(out)
}

// program runs a small program in the guest to its end, which is the one that is ours: guests
// reuse process ids, and an agent that still remembers an earlier program of that id tells of it
// first. It forgets what it has told, so it is asked again.
func (w *way) program(ctx context.Context, argv []string, stdin []byte, ours func(state) bool) (state, error) {
	agent := w.options.Agent
	pid, err := w.start(ctx, argv, stdin)
	if err != nil {
		return state{}, err
	}
	var other state
	for pause := shortPause; ; pause = min(2*pause, longPause) {
		now, err := w.look(ctx, pid)
		switch {
		case err != nil && other.over:
			return state{}, fmt.Errorf("%s: unexpected reply from the guest: exit status %d, output %.100q", agent.what, other.exit, other.out)
		case err != nil:
			return state{}, err
		case now.over && ours(now):
			return now, nil
		case now.over:
			other = now
		}
		if err := sleep.For(ctx, pause); err != nil {
			return state{}, err
		}
	}
}

// look asks once about a started program.
func (w *way) look(ctx context.Context, pid int) (state, error) {
	out, err := w.ask(ctx, w.options.Agent.status(pid))
	if err != nil {
		return state{}, err
	}
	return w.options.Agent.look(out)
}
