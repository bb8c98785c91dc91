package failover

import (
	"context"
	"fmt"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/internal/sleep"
)

// PrepareRepeat refuses what does not run, and waits until redundancy is whole and what is to fail
// over is where it is stopped: what an earlier repeat did is over.
func (tool) PrepareRepeat(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: probeName}
	s, err := sceneOf(t, on, &tr)
	if err != nil {
		return tr, err
	}
	out, err := s.ask(ctx, "running", s.where, s.IsRunning())
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("%s does not run on %s: nothing is stopped", s.What(), s.Host)
	}
	if err != nil {
		return tr, err
	}
	if err := s.untilWhole(ctx); err != nil || s.Failback == "" {
		return tr, err
	}
	back := condition{"failback", s.Failback, s.Name + " to fail back to " + s.Host, s.Name + " did not fail back to " + s.Host, s.FailBack()}
	if err := s.until(ctx, back); err != nil {
		return tr, err
	}
	return tr, s.untilWhole(ctx) // what fails back is degraded for a while
}

func (s scene) untilWhole(ctx context.Context) error {
	if s.Whole == "" {
		return nil
	}
	return s.until(ctx, condition{"whole", s.Whole, "redundancy to be whole", "redundancy of " + s.Name + " is not whole", s.IsWhole()})
}

// condition is something without which nothing is stopped.
type condition struct {
	key, command string // of the entry
	wait         string // what is waited for
	not          string // that it is not so
	ask          assay.Cmd
}

// until has the first observer ask until the answer is yes.
func (s scene) until(ctx context.Context, c condition) error {
	at := s.observers[0]
	for w := s.waiting(c.wait+", before anything is stopped", wholeIn); ; {
		out, err := at.Run(ctx, c.ask)
		switch {
		case err != nil:
			return fmt.Errorf("%s: the command under %s: %w", at.Host().Name, c.key, err)
		case out.Exit == 0:
			return nil
		case w.over(ctx):
			return assay.WithHint("see what is wrong with it, and whether that command says so: "+c.command,
				"%s: nothing is stopped (on %s the command under %s: exited %d: %s)", c.not, at.Host().Name, c.key, out.Exit, oneline.Brief(out.Stderr))
		}
		if err := sleep.For(ctx, time.Second); err != nil {
			return err
		}
	}
}
