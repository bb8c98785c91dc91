package run

import (
	"context"
	"time"

	"assay"
	"assay/together"
)

// Readier is a Probe that has work to do before a repeat that must not be measured
// with it: removing what the repeats before wrote, writing what this one will
// delete. It is not for what is done once, which is Prepare's.
type Readier interface {
	// Ready leaves Run nothing to do but to measure. on.Length bounds what may be
	// left undone for want of time. It must be idempotent.
	Ready(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error)
}

// ready has the probe ready the repeat on all clients at the same time, so that
// they begin to measure at one moment. What was run stands for the repeat's
// transcript, also where it failed.
func (e *Engine) ready(ctx context.Context, t assay.Trial, clients []client) ([]assay.Step, error) {
	probe, ok := e.probe(t.Probe).(Readier)
	if !ok {
		return nil, nil
	}
	bounded, cancel := context.WithTimeoutCause(ctx, time.Until(e.deadline)+slack, assay.ErrTimeout)
	defer cancel()
	bench := assay.Bench{Scratch: common(t, clients), Length: max(min(e.plan.Prepare, time.Until(e.deadline)), time.Second)}
	tr, err := onEach(bounded, t, clients, bench, probe.Ready)
	for i := range tr.Steps {
		tr.Steps[i].Name = together.Preparing + tr.Steps[i].Name
	}
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		err = assay.WithHint("give it more time with --time-budget", "readying %s: %w", t.Subject.Name, context.Cause(bounded))
	}
	return tr.Steps, err
}
