package run

import (
	"context"
	"fmt"
	"maps"

	"assay"
	"assay/plan/multiclient"
)

// takeTurns sets the scratch space of a trial's hosts to the trial's way, if ways take
// turns on one space.
func (e *Engine) takeTurns(ctx context.Context, t assay.Trial, clients []client) error {
	for i, part := range multiclient.Parts(t) {
		if !part.Subject.Turns || t.Scratch == 0 {
			continue
		}
		if err := e.turn(ctx, clients[i].lease, t.Lend); err != nil {
			return ofClient(clients[i].host, err, len(clients))
		}
	}
	return nil
}

// turn sets a lent space to a way of lending, after undoing any other way. The change
// has its own receipt, so that the journal holds it only while it lasts.
func (e *Engine) turn(ctx context.Context, l *lease, way assay.Way) error {
	now := assay.Way{}
	if l.turned != nil {
		now = l.turned.Way
	}
	if maps.Equal(now, way) {
		return nil
	}
	if err := e.turnBack(ctx, l); err != nil || len(way) == 0 {
		return err
	}
	v, can := l.volume.(assay.Turner)
	if !can {
		return way.Check(l.volume.Kind())
	}
	receipt, err := v.ReserveTurn(ctx, l.place, l.receipt, assay.Request{ID: randomID(), Way: way})
	if err != nil {
		return err
	}
	if err := e.Store.Journal(ctx, receipt, e.Owner); err != nil {
		return fmt.Errorf("nothing was changed, because the journal cannot be written: %w", err)
	}
	l.turned = &receipt
	if err := v.Turn(ctx, l.place, receipt); err != nil {
		if back := e.turnBack(ctx, l); back != nil {
			return fmt.Errorf("%w (after: %v)", back, err) //nolint:errorlint // failing to restore is the graver error
		}
		return err
	}
	return nil
}

// turnBack restores a space to how it was found, even if ctx was cancelled.
func (e *Engine) turnBack(ctx context.Context, l *lease) error {
	if l.turned == nil {
		return nil
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseBound)
	defer cancel()
	if err := l.volume.Release(bounded, l.place, *l.turned); err != nil {
		return err
	}
	id := l.turned.ID
	l.turned = nil
	return e.Store.Strike(bounded, id)
}

// turnAllBack restores all spaces: those that are kept are kept as they were
// found.
func (e *Engine) turnAllBack(ctx context.Context) (errs []error) {
	for _, l := range e.leases {
		if err := e.turnBack(ctx, l); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// unsupported records why a trial has no figure, and stops it.
func (e *Engine) unsupported(ctx context.Context, trial int, why error) {
	r := &e.run.Results[trial]
	absent := assay.Absence{Word: assay.NotSupported, Why: why.Error(), Hint: assay.Hint(why)}
	e.keep(e.Store.SetAbsent(context.WithoutCancel(ctx), e.run.ID, r.Trial, absent))
	r.Trial.Absent = &absent
	e.mu.Lock()
	e.failures[trial] = giveUpAfter
	e.mu.Unlock()
}
