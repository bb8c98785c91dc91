package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/internal/quantity"
	"assay/plan"
	"assay/plan/multiclient"
	"assay/run/watch"
	"assay/stats"
	"assay/store"
)

// giveUpAfter is how many repeats of a trial may fail in a row before the rest
// is skipped.
const giveUpAfter = 2

// slack is how far past the budget a hanging repeat may run before it is
// stopped, so that a merely slow one still ends.
const slack = 10 * time.Second

// never is longer than any replay takes.
const never = 24 * time.Hour

// Engine carries out a plan. Its exported fields are set by the caller and not
// changed while it runs.
type Engine struct {
	Places  map[string]assay.Place
	Inside  func(at assay.Place, kind, guest string) assay.Place // for probes: see assay.Bench
	Probes  []assay.Probe
	Volumes []assay.Volume
	Away    map[string]error // hosts known to be unreachable, and why
	Store   *store.Store
	Owner   store.Owner
	Tell    func(Event) // may be nil
	Keep    bool        // leave the scratch space in place for inspection
	// Recorded means that the places answer from a recording. Its time is not this
	// machine's, so the budget never ends.
	Recorded bool
	// Investigate returns the trials that would decide between the causes that results
	// leave open, and what may be wrong with each suspect; nil to skip this.
	Investigate func(measured assay.Run) (trials []assay.Trial, why map[string]string)
	// Now holds the present facts of the hosts of a resumed run, whose inventory is
	// the old one. Names maps the present kernel names of their block devices to
	// those in the inventory, by host. Both are nil for a new run.
	Now   map[string]assay.Facts
	Names map[string]map[string]string

	plan     plan.Plan
	volumes  []assay.Volume // Volumes, with access to all hosts
	deadline time.Time
	began    time.Time

	// Slots on different hosts run concurrently. Each touches only the results
	// of its own trial in run; mu guards the rest.
	run      assay.Run
	mu       sync.Mutex
	leases   map[string]*lease
	watchers map[string]*watch.Watcher
	failures map[int]int      // consecutive, by trial
	blind    map[string]bool  // hosts that could not be watched
	gone     map[string]error // why hosts were given up, by name
	over     []bool           // by slot of the schedule
	pace     pace
	filled   plan.Filled   // time scratch space took so far
	lacking  time.Duration // estimated time of added repeats
	storeErr error
	waiting  []unstored // repeats that could not be stored
}

// Run carries out p. head is the run as begun in the store: id, inventory,
// times; for a resumed run also its results, in the order of p.Trials, and the
// time it had taken. What is done is what p says: the trials of such results were
// read from a database and are only a record. The returned run holds whatever was
// measured, even if the error is non-nil: ctx.Err() after a cancellation, or why
// scratch space could not be released.
func (e *Engine) Run(ctx context.Context, p plan.Plan, head assay.Run) (assay.Run, error) {
	e.plan, e.run = p, head
	e.volumes = among(e.Volumes, e.Places)
	e.leases = map[string]*lease{}
	e.watchers = map[string]*watch.Watcher{}
	e.failures = map[int]int{}
	e.gone = map[string]error{}
	maps.Copy(e.gone, e.Away)
	e.over = make([]bool, len(p.Schedule))
	e.began = time.Now()
	e.deadline = e.began.Add(p.Budget)
	if e.Recorded {
		e.deadline = e.began.Add(never)
	}
	if len(head.Results) == 0 {
		for _, t := range p.Trials {
			e.run.Results = append(e.run.Results, assay.Result{Trial: t})
		}
		e.keep(e.Store.AddTrials(ctx, head.ID, p.Trials))
	}
	e.run.Notes = append(e.run.Notes, p.Notes...)

	cut := e.slots(ctx, 0)
	planned := len(p.Schedule)
	e.investigate(ctx)
	e.refine(ctx)
	missed := e.tellGone(ctx)
	cleared, restored, left, errs := e.releaseAll(ctx)
	for _, err := range errs {
		e.note("scratch", err.Error())
	}
	if len(cleared) > 0 {
		e.note("scratch", "scratch space removed (verified): "+strings.Join(cleared, ", "))
	}
	if len(restored) > 0 {
		e.note("scratch", "back as before (verified): "+strings.Join(restored, ", "))
	}
	if cut > 0 {
		e.note("budget", fmt.Sprintf("the time budget of %s ran out: %d of %d repeats were skipped", quantity.Span(p.Budget), cut, planned))
	}
	e.storeAgain(ctx)
	if e.storeErr != nil {
		e.note("store", fmt.Sprintf("some results could not be stored: %v", e.storeErr))
	}
	e.run.Elapsed = head.Elapsed + time.Since(e.began)
	e.run.Status = e.status(ctx, missed+left+len(errs))
	e.keep(e.Store.Finish(context.WithoutCancel(ctx), head.ID, e.run.Status, e.run.Elapsed, e.run.Notes))
	return e.run, errors.Join(append(errs, ctx.Err())...)
}

// repeat makes one repeat of one trial, parses it and stores it. over is called
// with its duration before anybody learns that it ended.
func (e *Engine) repeat(ctx context.Context, slot plan.Slot, over func(took time.Duration)) {
	result, t := &e.run.Results[slot.Trial], e.plan.Trials[slot.Trial]
	clients := e.clients(ctx, t)
	err := lacking(clients)
	if err == nil {
		err = e.renew(ctx, clients)
	}
	if err == nil {
		err = e.takeTurns(ctx, t, clients)
	}
	if errors.Is(err, assay.ErrNotSupported) && ctx.Err() == nil {
		e.unsupported(ctx, slot.Trial, err)
		over(e.plan.Cost(slot))
		return
	}
	t.Repeats = max(t.Repeats, slot.Repeat) // for displays: it may be an added one
	e.tell(Event{Kind: EventBegin, Host: t.Subject.Host, Trial: &t, Repeat: slot.Repeat})

	rep := assay.Repeat{N: slot.Repeat, Started: time.Now()}
	if err == nil {
		if space := common(t, clients); t.Scratch > 0 && !result.Scratch.Same(space) {
			if was := result.Scratch.Bytes; was > 0 && was != space.Bytes {
				e.note("scratch-size", fmt.Sprintf("%s: the scratch space was resized from %[3]d to %[2]d MiB: repeats before and after used different sizes",
					t.Title, space.Bytes>>20, was>>20))
			}
			result.Scratch = space
			e.keep(e.Store.SetScratch(context.WithoutCancel(ctx), e.run.ID, t.ID, space))
		}
		err = e.measure(ctx, t, clients, &rep)
	}
	rep.Elapsed = time.Since(rep.Started)
	switch {
	case ctx.Err() != nil:
		rep.Outcome, rep.Error = assay.Interrupted, "interrupted"
	case err != nil:
		rep.Outcome, rep.Error, rep.Hint = assay.Broke, err.Error(), assay.Hint(err)
		e.failed(slot.Trial, true)
	default:
		rep.Outcome = assay.Done
		e.failed(slot.Trial, false)
	}
	result.Repeats = append(result.Repeats, rep)
	e.storeRepeat(ctx, t.ID, rep)
	over(rep.Elapsed)
	e.tell(Event{Kind: EventEnd, Host: t.Subject.Host, Trial: &t, Repeat: slot.Repeat, Outcome: rep.Outcome, Text: rep.Error, Figures: rep.Measurements})
	if rep.Outcome == assay.Broke {
		e.lookForHosts(ctx, t, err)
	}
}

// measure runs the probe while the hosts are watched, and parses its output.
func (e *Engine) measure(ctx context.Context, t assay.Trial, clients []client, rep *assay.Repeat) error {
	bench := e.bench(t, clients, t.Length)
	bench.Enough = enough(t, rep.N)
	if rep.N == 0 {
		bench.Length = t.Warmup
	}
	prepared := readied(clients)
	before, err := e.ready(ctx, t, clients)
	if prepared = append(prepared, before...); err != nil {
		rep.Transcript = assay.Transcript{Probe: t.Probe, Settings: t.Settings, Steps: prepared}
		return err
	}
	t.Bound = max(min(t.Bound, time.Until(e.deadline)+slack), bench.Length+time.Second).Round(time.Second / 10)
	probe := e.probe(t.Probe)
	clock := time.Now()
	var runErr, ended error
	watched, blind := context.WithCancel(ctx)
	defer blind()
	e.watched(watched, t, clients, rep, func(ctx context.Context) {
		// The probe's own bound is better, as it stops the tool on its host; this
		// one is for a probe that waits between commands.
		bounded, cancel := context.WithTimeoutCause(ctx, t.Bound+slack/2, assay.ErrTimeout)
		defer cancel()
		rep.Transcript, runErr = perform(bounded, probe, t, clients, bench)
		if ended = context.Cause(bounded); errors.Is(runErr, assay.ErrHostGone) {
			blind() // nothing is left to watch, and asking costs the whole bound
		}
	})
	if jump := clockJump(clock, time.Now()); jump.Abs() > tolerableJump {
		e.note("clock", fmt.Sprintf("the clock jumped by %s during %s; results are unaffected, since durations are monotonic", jump.Round(time.Millisecond), t.ID))
	}
	rep.Transcript.Steps = append(rep.Transcript.Steps, prepared...)
	if n, ok := probe.(assay.Noter); ok {
		e.noteWhatToolsSay(n, t, rep.Transcript)
	}
	if runErr != nil {
		if ended != nil && ctx.Err() == nil && !errors.Is(runErr, assay.ErrHostGone) {
			return fmt.Errorf("%s: %w of %s", t.ID, ended, t.Bound)
		}
		return runErr
	}
	if rep.Measurements, err = multiclient.Parse(probe, rep.Transcript); err != nil || rep.N == 0 {
		return err
	}
	labelWay(rep.Measurements, t.Lend)
	if err = e.apart(t, *rep, bench.Length); err != nil {
		rep.Measurements = nil
	}
	return err
}

// bench returns the bench of a trial, without the place of each client.
func (e *Engine) bench(t assay.Trial, clients []client, length time.Duration) assay.Bench {
	b := assay.Bench{Scratch: common(t, clients), Length: length, Inside: e.Inside, Say: func(text string) {
		e.tell(Event{Kind: EventNote, Host: t.Subject.Host, Text: text})
	}}
	if t.Peer != "" {
		b.Peer = e.Places[t.Peer]
	}
	for _, h := range t.Helpers {
		b.Helpers = append(b.Helpers, e.Places[h])
	}
	return b
}

// labelWay labels figures with how their scratch space was lent: lend.sync, beside
// a probe's own sync.
func labelWay(figures []assay.Measurement, way assay.Way) {
	for i := range figures {
		for name, value := range way {
			if figures[i].Labels == nil {
				figures[i].Labels = map[string]string{}
			}
			figures[i].Labels["lend."+name] = value
		}
	}
}

// enough returns what ends a repeat early: the mean of its samples, one a second,
// is known with the requested precision. Repeats that are too short for that are
// not checked, since that costs CPU time; nor are those on several hosts, none of
// which knows the mean of all.
func enough(t assay.Trial, n int) func(assay.Sample) bool {
	if t.Precision <= 0 || n == 0 || t.Length <= plan.EndsFrom || len(t.Others) > 0 {
		return nil
	}
	stopper := stats.NewStopper(stats.StopRule{Precision: t.Precision})
	return func(s assay.Sample) bool {
		look, _ := stopper.Add(s.Value)
		return look.State == stats.Converged
	}
}

func (e *Engine) probe(name string) assay.Probe {
	for _, p := range e.Probes {
		if p.Spec().Name == name {
			return p
		}
	}
	return nil // plan.Make uses no others
}

// status returns the status of the run: partial if something that could have
// been measured has no number, failed, or was left behind.
func (e *Engine) status(ctx context.Context, left int) assay.RunStatus {
	if ctx.Err() != nil {
		return assay.RunInterrupted
	}
	measured, lacking := 0, left
	for _, r := range e.run.Results {
		switch {
		case r.Trial.Decides != "":
			continue // a question left open counts as nothing missing
		case len(r.Counted()) > 0:
			measured++ // even if the budget cut off its last repeats
		case r.Trial.Absent == nil:
			lacking++
		}
		if r.Trial.Absent != nil && r.Trial.Absent.Word != assay.NotSupported {
			lacking++
		}
		for _, rep := range r.Repeats {
			if rep.Outcome != assay.Done {
				lacking++
			}
		}
	}
	switch {
	case measured == 0:
		return assay.RunFailed
	case lacking > 0 || e.storeErr != nil:
		return assay.RunPartial
	}
	return assay.RunDone
}

func (e *Engine) note(id, text string) {
	e.mu.Lock()
	e.run.Notes = append(e.run.Notes, assay.Note{ID: id, Text: text})
	e.mu.Unlock()
	e.tell(Event{Kind: EventNote, Text: text})
}

// noteOnce adds a note unless it is there already.
func (e *Engine) noteOnce(id, text string) {
	e.mu.Lock()
	known := slices.Contains(e.run.Notes, assay.Note{ID: id, Text: text})
	e.mu.Unlock()
	if !known {
		e.note(id, text)
	}
}

func (e *Engine) tell(ev Event) {
	if e.Tell == nil {
		return
	}
	e.mu.Lock()
	ev.At = time.Since(e.began)
	ev.Of = len(e.plan.Schedule)
	var left []plan.Slot
	for i, s := range e.plan.Schedule {
		if e.over[i] {
			ev.Done++
		} else {
			left = append(left, s)
		}
	}
	ev.Remaining = e.remaining(left)
	e.mu.Unlock()
	e.Tell(ev)
}

// remaining is the planned duration of what is left, scaled by how much slower
// than planned the run has been so far, and never past the deadline. e.mu is held.
func (e *Engine) remaining(slots []plan.Slot) time.Duration {
	left := e.plan.CourseFrom(slots, e.lent, e.filled)
	return max(min(max(e.pace.stretch(left), e.lacking), time.Until(e.deadline)), 0)
}
