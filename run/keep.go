package run

import (
	"context"
	"errors"

	"assay"
	"assay/store"
)

// unstored is a repeat that could not be stored yet, and why.
type unstored struct {
	trial  string
	repeat assay.Repeat
	err    error
}

// storeRepeat stores a repeat. If the store fails (its server is away for a
// while, others keep it locked), the repeat waits for the end of the run.
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

// storeAgain retries the waiting repeats until one fails again.
func (e *Engine) storeAgain(ctx context.Context) {
	for len(e.waiting) > 0 {
		u := e.waiting[0]
		err := e.Store.AddRepeat(context.WithoutCancel(ctx), e.run.ID, u.trial, u.repeat)
		if err != nil && !errors.Is(err, store.ErrExists) { // it was stored, but the reply was lost
			e.keep(u.err)
			return
		}
		e.waiting = e.waiting[1:]
	}
}

// keep remembers the store's first error. The measurements are still printed: a
// full disk must not cost the figures.
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
