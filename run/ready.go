package run

import (
	"context"
	"time"

	"assay"
	"assay/plan/multiclient"
)

// ready has the probe prepare the repeat on all clients concurrently, so that
// they start to measure at the same moment. The returned steps belong in the
// repeat's transcript, even on failure.
func (e *Engine) ready(ctx context.Context, t assay.Trial, clients []client) ([]assay.Step, error) {
	probe, ok := e.probe(t.Probe).(assay.RepeatPreparer)
	if !ok {
		return nil, nil
	}
	bounded, cancel := context.WithTimeoutCause(ctx, time.Until(e.deadline)+slack, assay.ErrTimeout)
	defer cancel()
	bench := e.bench(t, clients, max(min(e.plan.Prepare, time.Until(e.deadline)), time.Second))
	tr, err := onEach(bounded, t, clients, bench, probe.PrepareRepeat)
	for i := range tr.Steps {
		tr.Steps[i].Name = multiclient.Preparing + tr.Steps[i].Name
	}
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		err = assay.WithHint("allow more time with --time-budget", "prepare %s: %w", t.Subject.Name, context.Cause(bounded))
	}
	return tr.Steps, err
}
