package run

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"assay"
	"assay/internal/quantity"
	"assay/plan"
	"assay/plan/multiclient"
)

// releaseBound is how long releasing scratch space may take: removing a large file
// from a slow card is not instant, and a bucket of many objects takes minutes.
const releaseBound = 15 * time.Minute

// lease is scratch space that a probe's trials on one subject share.
type lease struct {
	receipt assay.Receipt
	volume  assay.Volume
	place   assay.Place
	scratch assay.Scratch
	prepare []assay.Step   // for the first repeat's transcript
	err     error          // why there is none: every trial that needs it fails alike
	turned  *assay.Receipt // what is set on it now for a way of lending; nil if unchanged
}

// lease returns the scratch space of a trial. Space not shared with an earlier trial
// is journalled, lent and prepared first.
func (e *Engine) lease(ctx context.Context, t assay.Trial, place assay.Place) *lease {
	if t.Scratch == 0 {
		return &lease{}
	}
	key := plan.Space(t)
	e.mu.Lock()
	l, known := e.leases[key]
	if !known {
		l = &lease{place: place}
		e.leases[key] = l
	}
	e.mu.Unlock()
	if known {
		return l
	}
	l.err = e.lend(ctx, t, l)
	return l
}

func (e *Engine) lend(ctx context.Context, t assay.Trial, l *lease) error {
	l.volume = kindOf(e.volumes, t.Volume)
	if l.volume == nil {
		return fmt.Errorf("no volume of kind %q for %s", t.Volume, t.ID)
	}
	id := randomID()
	want := assay.Request{ID: id, Bytes: e.largest(plan.Space(t)), Way: t.Lend, Sharers: e.sharers(l.volume, t)}
	if t.Subject.Turns {
		want.Way = nil // set by turn
	}
	began := time.Now()
	receipt, err := l.volume.Reserve(ctx, l.place, t.Subject, want)
	if err != nil {
		return err
	}
	receipt.Kept = e.Keep
	// Without the journal nobody would find what a killed run left: no journal,
	// no scratch space.
	if err := e.Store.Journal(ctx, receipt, e.Owner); err != nil {
		return fmt.Errorf("nothing was created, because the journal cannot be written: %w", err)
	}
	l.receipt = receipt
	if l.scratch, err = l.volume.Lend(ctx, l.place, receipt); err != nil {
		return err
	}
	preparer, ok := e.probe(cmp.Or(t.FilledBy, t.Probe)).(assay.Preparer)
	if !ok {
		return nil
	}
	e.tell(Event{Kind: EventPrepare, Host: t.Subject.Host, Trial: &t})
	bound := min(e.plan.Prepare, time.Until(e.deadline))
	bounded, cancel := context.WithTimeoutCause(ctx, time.Until(e.deadline)+slack, assay.ErrTimeout)
	defer cancel()
	filling := time.Now()
	tr, scratch, err := preparer.Prepare(bounded, t, assay.Bench{Place: l.place, Scratch: l.scratch, Length: bound})
	for _, s := range tr.Steps {
		s.Name = multiclient.Preparing + s.Name
		l.prepare = append(l.prepare, s)
	}
	if err != nil {
		if bounded.Err() != nil && ctx.Err() == nil {
			return assay.WithHint("allow more time with --time-budget, or use a faster directory with --dir",
				"prepare %s: %w", t.Subject.Name, context.Cause(bounded))
		}
		return err
	}
	e.wasFilled(t, scratch, filling.Sub(began), time.Since(filling))
	l.scratch = scratch
	return nil
}

// wasFilled records how long scratch space took, to predict the rest, and notes if that
// of a tier is smaller than planned.
func (e *Engine) wasFilled(t assay.Trial, s assay.Scratch, lending, filling time.Duration) {
	e.mu.Lock()
	e.filled.Learn(s.Bytes, lending+max(filling-e.plan.Prepare, 0), filling)
	e.mu.Unlock()
	if s.Bytes < t.Scratch && t.Subject.Tier != "" {
		e.noteOnce("filling", fmt.Sprintf("%s on %s: %s of %s of scratch space were written in %s and are used; a larger --time-budget writes more",
			t.Subject.Tier, t.Subject.Host, quantity.Size(s.Bytes), quantity.Size(t.Scratch), quantity.Duration(filling.Seconds())))
	}
}

// largest returns the most that any trial of a lease asks for.
func (e *Engine) largest(key string) int64 {
	most := int64(0)
	for _, t := range e.plan.Trials {
		for _, part := range multiclient.Parts(t) {
			if plan.Space(part) == key {
				most = max(most, part.Scratch)
			}
		}
	}
	return most
}

// sharers counts the plan's spaces on the same storage as the trial's.
func (e *Engine) sharers(v assay.Volume, of assay.Trial) int {
	storage, shared := sharedStorage(v, of.Subject)
	if !shared {
		return 0
	}
	spaces := map[string]bool{}
	for _, t := range e.plan.Trials {
		for _, part := range multiclient.Parts(t) {
			on, shared := sharedStorage(kindOf(e.volumes, part.Volume), part.Subject)
			if shared && on == storage && part.Scratch > 0 {
				spaces[plan.Space(part)] = true
			}
		}
	}
	return len(spaces)
}

// sharedStorage names the storage that a volume's space is on, if spaces share it.
func sharedStorage(v assay.Volume, s assay.Subject) (string, bool) {
	if sharer, is := v.(assay.Sharer); is {
		return sharer.Shares(s), true
	}
	return "", false
}

// releaseAll releases every scratch space, even if ctx was cancelled, and returns the
// subjects that are cleared and those that are restored. A host that does not answer costs
// the others no time; what it has stays in the journal.
func (e *Engine) releaseAll(ctx context.Context) (cleared, restored []string, left int, errs []error) {
	ctx = context.WithoutCancel(ctx)
	if e.Keep {
		return nil, nil, 0, e.turnAllBack(ctx)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	for _, l := range e.leases {
		if l.receipt.ID == "" {
			continue
		}
		e.tell(Event{Kind: EventCleanUp, Host: l.receipt.Host, Text: l.receipt.Subject})
		all.Go(func() {
			err := e.release(ctx, l)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil && (errors.Is(err, assay.ErrHostGone) || e.isGone(l.receipt.Host)):
				left++
				what := "scratch space is left in %s; a later run or 'assay cleanup' removes it: %v"
				if l.receipt.SettingAlone() {
					what = "%s is not as it was; a later run or 'assay cleanup' restores it: %v"
				}
				e.note("scratch", fmt.Sprintf(what, l.receipt.Subject, err))
				return
			case err != nil:
				errs = append(errs, err)
				return
			}
			if l.receipt.SettingAlone() {
				restored = append(restored, l.receipt.Subject)
			} else {
				cleared = append(cleared, l.receipt.Subject)
			}
		})
	}
	all.Wait()
	slices.Sort(cleared)
	slices.Sort(restored)
	return slices.Compact(cleared), slices.Compact(restored), left, errs
}

func (e *Engine) release(ctx context.Context, l *lease) error {
	bounded, cancel := context.WithTimeout(ctx, releaseBound)
	defer cancel()
	e.recheck(bounded, l)
	turned := e.turnBack(bounded, l)
	if err := l.volume.Release(bounded, l.place, l.receipt); err != nil {
		return errors.Join(turned, err)
	}
	return errors.Join(turned, e.Store.Strike(bounded, l.receipt.ID))
}

// recheck notes what changed about the space during the run. If the check fails, the space
// is still released.
func (e *Engine) recheck(ctx context.Context, l *lease) {
	v, can := l.volume.(assay.Rechecker)
	if !can || l.err != nil || e.isGone(l.receipt.Host) {
		return
	}
	notes, err := v.Recheck(ctx, l.place, l.receipt)
	for _, n := range notes {
		e.noteOnce(n.ID, n.Text)
	}
	if err != nil {
		e.noteOnce("recheck", fmt.Sprintf("can't tell whether %s changed during the run: %v", l.receipt.Subject, err))
	}
}

func randomID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}
