package failover

import (
	"context"
	"fmt"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/internal/sleep"
)

// PrepareRepeat rejects what is not running, and waits until redundancy is whole and what is
// to fail over is where it is stopped: until an earlier repeat's effects are over.
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
	if err := s.until(ctx, s.isBack(), beforeStop); err != nil {
		return tr, err
	}
	return tr, s.untilWhole(ctx) // a failback degrades it for a while
}

func (s scene) isBack() condition {
	return condition{"failback", s.Failback, s.Name + " to fail back to " + s.Host, s.Name + " did not fail back to " + s.Host, s.FailBack()}
}

// bringBack makes what failed over fail back once all is measured. A failure to do so spoils
// no figure: the transcript records it, and a repeat that follows stops nothing.
func (s scene) bringBack(ctx context.Context) error {
	if s.Failback == "" {
		return nil
	}
	err := s.until(ctx, s.isBack(), afterStop)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	s.tr.Steps = append(s.tr.Steps, assay.Step{Name: stepAway, Argv: s.FailBack().Argv, Output: assay.Output{Exit: 1, Stderr: []byte(err.Error())}})
	return nil
}

func (s scene) untilWhole(ctx context.Context) error {
	if s.Whole == "" {
		return nil
	}
	return s.until(ctx, condition{"whole", s.Whole, "redundancy to be whole", "redundancy of " + s.Name + " is not whole", s.IsWhole()}, beforeStop)
}

// moment is when a condition must hold: the words for what is waited for, and for what follows
// if it never holds.
type moment struct{ wait, otherwise string }

var (
	beforeStop = moment{", before anything is stopped", ": nothing is stopped"}
	afterStop  = moment{", now that it was measured", ""}
)

// condition is something that must hold.
type condition struct {
	key, command string // of the entry
	wait         string // what is waited for
	not          string // message if not
	ask          assay.Cmd
}

// until makes the first observer ask until the answer is yes.
func (s scene) until(ctx context.Context, c condition, when moment) error {
	at := s.observers[0]
	for w := s.waiting(c.wait+when.wait, wholeIn); ; {
		out, err := at.Run(ctx, c.ask)
		switch {
		case err != nil:
			return fmt.Errorf("%s: the command under %s: %w", at.Host().Name, c.key, err)
		case out.Exit == 0:
			return nil
		case w.over(ctx):
			return assay.WithHint("see what is wrong with it, and whether that command says so: "+c.command,
				"%s%s (on %s the command under %s: exited %d: %s)", c.not, when.otherwise, at.Host().Name, c.key, out.Exit, oneline.Brief(out.Stderr))
		}
		if err := sleep.For(ctx, time.Second); err != nil {
			return err
		}
	}
}
