package run

import (
	"time"

	"assay"
)

// EventKind is what happened.
type EventKind string

// The event kinds.
const (
	EventPrepare EventKind = "prepare" // scratch space is being prepared
	EventMore    EventKind = "more"    // a repeat is added to the schedule
	EventBegin   EventKind = "begin"   // a repeat begins
	EventEnd     EventKind = "end"     // a repeat ended: done, failed or interrupted
	EventNote    EventKind = "note"    // useful information that is no figure
	EventGone    EventKind = "gone"    // a host went away: its trials end
	EventCleanUp EventKind = "clean-up"
)

// Event is something that happened, for progress displays.
type Event struct {
	Kind      EventKind           `json:"event"`
	At        time.Duration       `json:"at"`             // since the run began
	Host      string              `json:"host,omitempty"` // where; of a link the end that begins it
	Trial     *assay.Trial        `json:"trial,omitempty"`
	Repeat    int                 `json:"repeat"`
	Outcome   assay.Outcome       `json:"outcome,omitempty"`
	Figures   []assay.Measurement `json:"-"`
	Text      string              `json:"text,omitempty"`
	Done      int                 `json:"done"` // slots of the schedule behind us
	Of        int                 `json:"of"`
	Remaining time.Duration       `json:"remaining"` // an estimate, from how the run has gone so far
}
