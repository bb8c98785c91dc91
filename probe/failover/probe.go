package failover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/farclock"
	"assay/internal/oneline"
	"assay/internal/setting"
	"assay/internal/sleep"
	"assay/stacks/failover"
)

const probeName = "failover"

// The steps of a transcript. Those of several hosts end in the host's name; measure is the
// step that put it back, and reports what happened when.
const (
	stepClock   = "clock "
	stepBefore  = "holder before "
	stepDuring  = "holder during "
	stepObserve = "observe "
	stepWhole   = "whole "
	stepLoad    = "load "
	stepBegin   = "begin"
	stepMeasure = "measure"
	stepAway    = "away" // it did not fail back
)

// Tool is the probe.
type Tool interface{ assay.Probe }

// New returns the probe.
func New() Tool { return tool{} }

type tool struct{}

// Spec describes the probe. It names no tool: which are needed where depends on what is
// stopped, and is checked before anything is.
func (tool) Spec() assay.Spec {
	return assay.Spec{Name: probeName, Metrics: []string{
		"failover.time", "failover.time.least", "failover.lost", "failover.requests", "failover.back", "failover.restart", "failover.whole",
		"failover.latency.before", "failover.latency.during", "failover.back.lost", "failover.stopped", "failover.onset", assay.MetricMoment,
		"failover.load.before", "failover.load.stopped", "failover.load.recovery", "failover.load.after",
	}}
}

// Times of a repeat, besides those of its entry.
const (
	assumed  = 20 * time.Second        // planned, beyond the minimum that it stays stopped
	settling = 10 * time.Second        // limit for steady answers before it is stopped, or fewest slow ones
	look     = 100 * time.Millisecond  // between two checks of that
	wholeIn  = failover.MostWithin / 2 // limit for whole redundancy, before and after
	loading  = 5 * time.Second         // how long a load runs before the stop, and after recovery
	ending   = 30 * time.Second        // limit for ending an observer
)

// Trials returns one trial for each subject that may be stopped.
func (tool) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if c.On != assay.KindFailover {
		return nil, assay.WithHint("on: "+string(assay.KindFailover), "case %s: on: %s stops what a cluster.yaml lists under failover:, not %q", c.Name, probeName, c.On)
	}
	if err := setting.Of(c.Name, c.Set).Err(); err != nil {
		return nil, err
	}
	var trials []assay.Trial
	for _, s := range inv.Of(assay.KindFailover) {
		e, _, err := failover.Of(s.Params)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.ID, err)
		}
		t := assay.Trial{
			ID: probeName + "/" + c.Name + "@" + s.ID, Probe: probeName, Case: c.Name, Title: c.Title + " of " + e.Name, Subject: s,
			Claims: []string{s.ID}, Risk: assay.Writes, Volume: s.Volume, Scratch: 1,
			Overhead: e.AtLeast() + assumed, Bound: settles(e) + e.AtMost() + 2*wholeIn + time.Minute,
		}
		if e.Load != "" {
			t.Overhead += 2 * loading
			t.Bound += 2 * (loading + settles(e))
		}
		if e.Failback != "" {
			t.Bound += wholeIn
		}
		t.Helpers = slices.Clone(e.Observers)
		if e.Where() != s.Host && !slices.Contains(t.Helpers, e.Where()) {
			t.Helpers = append(t.Helpers, e.Where())
		}
		for _, host := range t.Helpers {
			if _, known := inv.Facts[host]; !known {
				t.Absent = &assay.Absence{Word: assay.Unknown, Why: host + ", which observes it or stops it, could not be asked", Hint: "see why with: assay hosts"}
			}
		}
		// The other hosts are asked whether the address is theirs.
		for _, h := range inv.Hosts {
			if e.Address == "" {
				break
			}
			if _, known := inv.Facts[h.Name]; known && h.Name != s.Host && !slices.Contains(t.Helpers, h.Name) {
				t.Helpers = append(t.Helpers, h.Name)
			}
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// settles returns how long to wait for steady answers before anything is
// stopped.
func settles(e failover.Entry) time.Duration { return max(settling, fewest*e.AnswerWithin()) }

// scene is the setting of a repeat.
type scene struct {
	failover.Entry
	dir       string        // of the guard
	where     assay.Place   // where it is stopped and put back
	observers []assay.Place // in the entry's order
	all       []assay.Place // each host once
	tr        *assay.Transcript
	say       func(string)
}

func sceneOf(t assay.Trial, on assay.Bench, tr *assay.Transcript) (s scene, err error) {
	if s.Entry, _, err = failover.Of(t.Subject.Params); err != nil {
		return s, fmt.Errorf("trial %s: %w", t.ID, err)
	}
	if on.Place == nil || on.Scratch.Bytes == 0 || on.Scratch.Dir == "" {
		return s, fmt.Errorf("trial %s: nothing was lent to be stopped", t.ID)
	}
	s.dir, s.tr, s.say = on.Scratch.Dir, tr, on.Say
	at := map[string]assay.Place{}
	for _, p := range append([]assay.Place{on.Place}, on.Helpers...) {
		if p != nil && at[p.Host().Name] == nil {
			at[p.Host().Name] = p
			s.all = append(s.all, p)
		}
	}
	s.where = at[s.Where()]
	for _, host := range s.Observers {
		s.observers = append(s.observers, at[host])
	}
	if s.where == nil || len(s.observers) == 0 || slices.Contains(s.observers, nil) {
		return s, fmt.Errorf("trial %s: there is no way to an observer, or to where it is stopped", t.ID)
	}
	return s, nil
}

// ask runs a command and records it in the transcript.
func (s scene) ask(ctx context.Context, step string, at assay.Place, c assay.Cmd) (assay.Output, error) {
	out, err := at.Run(ctx, c)
	s.tr.Steps = append(s.tr.Steps, assay.Step{Name: step, Argv: c.Argv, Output: out})
	if err != nil {
		err = fmt.Errorf("%s: %w", at.Host().Name, err)
	}
	return out, err
}

// Run stops it once, has it put back, and then makes what failed over fail
// back.
func (tool) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: probeName, Settings: t.Settings}
	s, err := sceneOf(t, on, &tr)
	if err != nil {
		return tr, err
	}
	if err = s.run(ctx); err == nil {
		err = s.bringBack(ctx)
	}
	return tr, err
}

func (s scene) run(ctx context.Context) (err error) {
	if err := s.clocks(ctx); err != nil {
		return err
	}
	s.holders(ctx, stepBefore)
	var watches []*watch
	for _, at := range s.observers {
		watches = append(watches, begin(ctx, at, stepObserve, s.Observe(), isAnswer))
	}
	seen := slices.Clone(watches)
	whole := new(watch)
	if s.Whole != "" {
		whole = begin(ctx, s.observers[0], stepWhole, s.WatchWhole(), isWhole)
		watches = append(watches, whole)
	}
	load := new(watch)
	if s.Load != "" {
		load = begin(ctx, s.observers[len(s.observers)-1], stepLoad, s.RunLoad(), isWork)
		watches = append(watches, load)
	}
	defer func() {
		for _, w := range watches {
			step, ended := w.end()
			s.tr.Steps = append(s.tr.Steps, step)
			if err == nil {
				err = ended
			}
		}
	}()
	if err := s.await(ctx, "steady answers", settles(s.Entry), seen...); err != nil {
		return s.complaint(ctx, s.silent(ctx, err, "before it was stopped"))
	}
	if err := s.keepLoading(ctx, load, "before it was stopped"); err != nil {
		return err
	}
	out, err := s.ask(ctx, stepBegin, s.where, s.Begin(s.dir))
	if !strings.Contains(string(out.Stdout), failover.Armed) {
		if err == nil {
			err = assay.WithHint("see that /run can be written to there", "%s: no guard was set, and nothing stopped: %s", s.where.Host().Name, oneline.Brief(out.Stderr))
		}
		return errors.Join(err, s.giveUp(ctx))
	}
	stopped := time.Now().Add(failover.Head)
	err = s.whileStopped(ctx, stopped, seen, whole)
	back, undone := s.Undo(ctx, s.where, s.dir)
	back.Name = stepMeasure
	s.tr.Steps = append(s.tr.Steps, back)
	if err := errors.Join(err, undone); err != nil {
		if ctx.Err() == nil && undone != nil {
			err = errors.Join(err, s.giveUp(ctx))
		}
		return err
	}
	if times, err := failover.ReadTimes(back.Output.Stdout); err != nil || times.Status != 0 {
		return errors.Join(err, fmt.Errorf("%s: what was to stop %s exited %d: %s", s.where.Host().Name, s.What(), times.Status, oneline.Brief(back.Output.Stderr)))
	}
	for _, w := range seen {
		w.afresh()
	}
	if err := s.await(ctx, "steady answers, now that it is put back", s.AtMost(), seen...); err != nil {
		return s.silent(ctx, err, "after it was put back")
	}
	if s.Whole != "" {
		if err := s.await(ctx, "redundancy to be whole again", wholeIn, whole); err != nil {
			return s.notWhole(ctx, err)
		}
	}
	load.afresh()
	return s.keepLoading(ctx, load, "after it was put back")
}

// keepLoading waits until the load, if there is one, makes progress, and lets it run for a
// while.
func (s scene) keepLoading(ctx context.Context, load *watch, when string) error {
	if s.Load == "" {
		return nil
	}
	switch err := s.await(ctx, "the load to go on", settles(s.Entry), load); {
	case errors.Is(err, errNotYet) && ctx.Err() == nil:
		return assay.WithHint("try it there; it has to print a line for each thing that it has done, and at once (stdbuf -oL): "+s.Load,
			"the load on %s did not go on %s", s.Loader(), when)
	case err != nil:
		return err
	}
	return sleep.For(ctx, loading)
}

// whileStopped waits for what must be seen while it is stopped: answers, and healing.
func (s scene) whileStopped(ctx context.Context, stopped time.Time, seen []*watch, whole *watch) error {
	// Leave enough of the guard's time to tell what is seen from the effect of its
	// end.
	left := func() time.Duration { return time.Until(stopped.Add(s.AtMost() - steady)) }
	least := time.Until(stopped.Add(s.AtLeast()))
	for _, w := range seen {
		least = max(least, 2*w.patience()) // slow answers are slow to be missed
	}
	if err := sleep.For(ctx, min(least, left())); err != nil {
		return err
	}
	if err := s.await(ctx, "steady answers while it is stopped", left(), seen...); err != nil {
		return s.silent(ctx, err, "while it was stopped")
	}
	s.holders(ctx, stepDuring)
	if !s.Heals {
		return nil
	}
	if err := s.await(ctx, "redundancy to heal while it is stopped", left(), whole); err != nil {
		return s.notWhole(ctx, err)
	}
	return nil
}

// giveUp puts back what may be stopped, after something went wrong.
func (s scene) giveUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ending)
	defer cancel()
	_, err := s.Undo(ctx, s.where, s.dir)
	return err
}

var errNotYet = errors.New("not in time")

// await returns once all have been well for a while, or with an error.
func (s scene) await(ctx context.Context, what string, most time.Duration, all ...*watch) error {
	for w := s.waiting(what, most); ; {
		ready := true
		for _, seen := range all {
			if err := seen.broke(); err != nil {
				return err
			}
			ready = ready && seen.well(time.Now())
		}
		switch {
		case ready:
			return nil
		case w.over(ctx):
			return errNotYet
		}
		if err := sleep.For(ctx, look); err != nil {
			return err
		}
	}
}

// silent returns the error of what does not answer.
func (s scene) silent(ctx context.Context, err error, when string) error {
	if !errors.Is(err, errNotYet) || ctx.Err() != nil {
		return err
	}
	var who []string
	for _, at := range s.observers {
		who = append(who, at.Host().Name)
	}
	keys := "address:, port:, http:"
	if s.Command != "" {
		keys = "command:"
	}
	return assay.WithHint("ask from there by hand; see "+keys+", timeout: and within: under failover:",
		"%s gave no steady answer to %s %s", s.Asked(), strings.Join(who, " and "), when)
}

// complaint returns the error of a command that does not answer, with its message if it fails
// once more: nobody has seen that yet.
func (s scene) complaint(ctx context.Context, err error) error {
	if s.Command == "" || ctx.Err() != nil {
		return err
	}
	at := s.observers[0]
	out, failed := at.Run(ctx, s.Try())
	switch {
	case failed != nil:
		return fmt.Errorf("%w; on %s: %w", err, at.Host().Name, failed)
	case out.Exit != 0:
		return fmt.Errorf("%w; on %s it exited %d: %s", err, at.Host().Name, out.Exit, oneline.Brief(out.Stderr))
	}
	return err
}

func (s scene) notWhole(ctx context.Context, err error) error {
	if !errors.Is(err, errNotYet) || ctx.Err() != nil {
		return err
	}
	return assay.WithHint("see what is wrong with it, and whether that command says so: "+s.Whole, "redundancy of %s did not become whole in time", s.Name)
}

// clocks reads the clock of each host that reports times.
func (s scene) clocks(ctx context.Context) error {
	asked := map[string]bool{}
	for _, at := range append([]assay.Place{s.where}, s.observers...) {
		host := at.Host().Name
		if asked[host] {
			continue
		}
		asked[host] = true
		step, err := farclock.Ask(ctx, at, stepClock+host)
		if err != nil {
			return err
		}
		s.tr.Steps = append(s.tr.Steps, step)
	}
	return nil
}

// holders asks all hosts whether the address is theirs. One that does not answer
// counts as no.
func (s scene) holders(ctx context.Context, step string) {
	if s.Address == "" {
		return
	}
	type answer struct {
		step assay.Step
		is   bool
	}
	answers := make([]chan answer, len(s.all))
	for i, at := range s.all {
		answers[i] = make(chan answer, 1)
		if step == stepDuring && at.Host().Name == s.Host {
			answers[i] <- answer{} // it may be off, or cut off
			continue
		}
		go func() {
			c := s.Holder()
			out, err := at.Run(ctx, c)
			answers[i] <- answer{assay.Step{Name: step + at.Host().Name, Argv: c.Argv, Output: out}, err == nil && out.Exit == 0 && len(out.Stdout) > 0}
		}()
	}
	for _, a := range answers {
		if got := <-a; got.is {
			s.tr.Steps = append(s.tr.Steps, got.step)
		}
	}
}
