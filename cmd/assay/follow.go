package main

import (
	"assay"
	"assay/run/session"
)

// follow returns a function that shows a run: as progress from the plan to the
// end, and as one line per event before and after.
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

// tell prints events not about the measuring to stderr.
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

// tellJSON is tell for consumers of JSON events.
func (a *app) tellJSON(e session.Event) {
	text := e.Text
	if hint := assay.Hint(e.Err); hint != "" {
		text += "; " + hint
	}
	_ = a.stderr.event(eventLine{Event: string(session.EventNote), Text: text})
}
