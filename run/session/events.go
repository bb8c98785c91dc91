package session

import (
	"strings"

	"assay"
	"assay/plan"
	"assay/run"
)

// Event is one thing that happened in a session.
type Event struct {
	Progress
	Plan      *plan.Plan       // of EventPlan
	Inventory *assay.Inventory // of EventPlan: the hosts, including those that are down
	Err       error            // of EventProblem
}

// Progress is what the engine reports while it measures. Other events use only
// Kind, Host and Text.
type Progress = run.Event

// EventKind is what happened.
type EventKind = run.EventKind

// The kinds of event. The first is EventPlan and the last EventOver; before and
// after come only steps, notes and problems. In between, events of different hosts
// may be slightly out of order.
const (
	EventPlan EventKind = "plan" // the run begins
	EventOver EventKind = "over" // nothing more is measured

	EventStep    EventKind = "step"    // something that takes a while has begun
	EventProblem EventKind = "problem" // something cannot be done, the rest goes on

	EventNote    = run.EventNote    // worth knowing
	EventPrepare = run.EventPrepare // scratch space is being prepared
	EventBegin   = run.EventBegin   // a repeat begins
	EventEnd     = run.EventEnd     // a repeat ended: done, failed or interrupted
	EventMore    = run.EventMore    // a repeat is added to the schedule
	EventGone    = run.EventGone    // a host went away: its trials end
	EventCleanUp = run.EventCleanUp // scratch space is being released
)

// tell reports an event to the front end, one event at a time.
func (s *Session) tell(e Event) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if s.options.Tell != nil {
		s.options.Tell(e)
	}
}

func (s *Session) note(text string) {
	s.tell(Event{Progress: Progress{Kind: EventNote, Text: text}})
}

// step reports a slow step, or a note if the text begins so.
func (s *Session) step(text string) {
	if note, is := strings.CutPrefix(text, "note: "); is {
		s.note(note)
		return
	}
	s.tell(Event{Progress: Progress{Kind: EventStep, Text: text}})
}

func (s *Session) problem(err error) {
	s.tell(Event{Progress: Progress{Kind: EventProblem, Text: err.Error()}, Err: err})
}
