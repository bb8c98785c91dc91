package main

import (
	"assay"
	"assay/run/session"
)

// follow returns what shows how a run goes: as its progress from the plan to the
// end, and as a line each before and after.
func (a *app) follow() func(session.Event) {
	var show *progress
	tell := a.tell
	if a.format == formatJSON {
		tell = a.tellJSON
	}
	return func(e session.Event) {
		switch {
		case e.Kind == session.EventPlan:
			show = newProgress(a.stderr.to, a.format, *e.Plan, *e.Inventory)
		case e.Kind == session.EventOver:
			show.end()
			show, tell = nil, a.tell
		case show != nil:
			show.tell(e.Progress)
		default:
			tell(e)
		}
	}
}

// tell says on stderr what is no event of the measuring.
func (a *app) tell(e session.Event) {
	switch e.Kind {
	case session.EventProblem:
		a.stderr.complain(e.Err)
	case session.EventNote:
		a.stderr.say("note: %s\n", e.Text)
	default:
		a.stderr.say("%s\n", e.Text)
	}
}

// tellJSON is tell for those who read events.
func (a *app) tellJSON(e session.Event) {
	text := e.Text
	if hint := assay.Hint(e.Err); hint != "" {
		text += "; " + hint
	}
	_ = a.stderr.event(eventLine{Event: string(session.EventNote), Text: text})
}
