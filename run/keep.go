package run

import (
	"context"
	"errors"

	"assay"
	"assay/store"
)

// unstored is a repeat that is not in the store yet, and why.
type unstored struct {
	trial  string
	repeat assay.Repeat
	err    error
}

// storeRepeat stores a repeat. One that the store does not take (its server is
// away for a while, others keep it locked) waits for the end of the run.
func (e *Engine) storeRepeat(ctx context.Context, trial string, rep assay.Repeat) {
	err := e.Store.AddRepeat(context.WithoutCancel(ctx), e.run.ID, trial, rep)
	if err == nil {
		return
	}
	e.mu.Lock()
	first := len(e.waiting) == 0 && e.storeErr == nil
	e.waiting = append(e.waiting, unstored{trial, rep, err})
	e.mu.Unlock()
	if first {
		e.tellOfStore(err)
	}
}

// storeAgain tries once more to store what waits, until the first that fails
// again.
func (e *Engine) storeAgain(ctx context.Context) {
	for len(e.waiting) > 0 {
		u := e.waiting[0]
		err := e.Store.AddRepeat(context.WithoutCancel(ctx), e.run.ID, u.trial, u.repeat)
		if err != nil && !errors.Is(err, store.ErrExists) { // it was stored, and the answer was lost
			e.keep(u.err)
			return
		}
		e.waiting = e.waiting[1:]
	}
}

// keep remembers the first error of the store. What was measured is still
// printed: a full disk must not cost the figures.
func (e *Engine) keep(err error) {
	if err == nil {
		return
	}
	e.mu.Lock()
	first := e.storeErr == nil
	if first {
		e.storeErr = err
	}
	e.mu.Unlock()
	if first && len(e.waiting) == 0 {
		e.tellOfStore(err)
	}
}

func (e *Engine) tellOfStore(err error) {
	e.tell(Event{Kind: EventNote, Text: "cannot store results: " + err.Error()})
}
