package main

import (
	"context"

	"assay/internal/oneline"
	"assay/internal/prose"
	"assay/run/session"
)

// confirmStop shows what is about to be stopped, and asks for the name of its host. --yes does
// not answer it.
func (a *app) confirmStop(ctx context.Context, s session.Stopping) bool {
	a.stderr.say("failover %s: %s will be stopped on %s, and with it whatever only that host does:\n", s.Name, s.What, s.Host)
	a.stderr.say("  to stop it, on %s: %s\n  to put it back, within %s: %s\n", s.By, oneline.Clean(s.Stop), s.AtMost, oneline.Clean(s.Start))
	if s.Command != "" {
		a.stderr.say("  meanwhile, on %s, again and again: %s\n", prose.And(s.Observers), oneline.Clean(s.Command))
	}
	if s.Failback != "" {
		a.stderr.say("  before and after each stop, on %s: %s\n", s.Observers[0], oneline.Clean(s.Failback))
	}
	if s.Load != "" {
		a.stderr.say("  as a load, on %s: %s\n", s.Loader, oneline.Clean(s.Load))
	}
	return a.answer(ctx, "type "+s.Host+" to confirm: ") == s.Host
}
