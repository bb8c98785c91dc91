package main

import (
	"context"

	"assay/internal/quantity"
	"assay/run/session"
)

// confirmOverwrite shows what is about to be overwritten, and asks for its serial.
// --yes does not answer it.
func (a *app) confirmOverwrite(ctx context.Context, d session.Overwritten) bool {
	named := d.Named
	if d.OfData {
		a.stderr.say("%s on %s is not empty: %s\n", d.Path, d.Host, d.Data)
		return a.answer(ctx, "type "+named+" again to lose what is on it: ") == named
	}
	model := d.Model
	if model == "" {
		model = "model unknown"
	}
	a.stderr.say("everything on %s of %s will be overwritten:\n  %s, %s, %s\n", d.Path, d.Host, model, quantity.Bytes(d.Bytes), named)
	return a.answer(ctx, "type "+named+" to confirm: ") == named
}
