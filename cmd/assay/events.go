package main

import (
	"io"
	"math"
	"time"

	"assay"
	"assay/plan"
	"assay/run/session"
)

// events prints a run as JSON: one compact object per line, nothing in between.
//
// The first is "plan", the last is "over"; only "note"s may come before, about what
// is created for the run and what others left behind. Between them come "prepare"
// (scratch space is set up), "begin" and "end" of each repeat, "more" (a repeat is
// added to the schedule because a figure is not precise enough), "note", "gone"
// (nothing more is tried on that host; right after "plan" for one that was already
// down) and "clean-up" (scratch space is being removed). If a run is killed, "over" is
// missing.
type events struct {
	to    stream
	plan  plan.Plan
	tally *tally
}

// eventLine is one event. Times are seconds, values in the base unit beside
// them. Fields that an event lacks are omitted.
type eventLine struct {
	Event string  `json:"event"`
	At    float64 `json:"at"`             // since the run began
	Host  string  `json:"host,omitempty"` // where; of a link the end that begins it

	Trial   string        `json:"trial,omitempty"`   // probe/case@subject
	Case    string        `json:"case,omitempty"`    // probe/case, as --only takes it
	Subject string        `json:"subject,omitempty"` // host/kind/name
	Peer    string        `json:"peer,omitempty"`    // the host at the other end of a link
	Repeat  *int          `json:"repeat,omitempty"`  // from 1; 0 is the warm-up
	Repeats int           `json:"repeats,omitempty"` // of this trial, without the warm-up
	Outcome assay.Outcome `json:"outcome,omitempty"` // of "end": done, failed, interrupted
	Text    string        `json:"text,omitempty"`    // of a note, or why something went wrong
	Figures []eventFigure `json:"figures,omitempty"` // of "end"

	Suite    string   `json:"suite,omitempty"` // these five are of "plan"
	Title    string   `json:"title,omitempty"`
	Hosts    []string `json:"hosts,omitempty"` // those that are down too
	Slots    int      `json:"slots,omitempty"` // repeats to be made, warm-ups too
	Estimate float64  `json:"estimate,omitempty"`

	Done      int     `json:"done"`      // repeats behind us, those too that will not be made
	Of        int     `json:"of"`        // slots of the plan
	Remaining float64 `json:"remaining"` // an estimate
}

// eventFigure is one figure of a repeat; its value is null if it is not a
// number.
type eventFigure struct {
	Metric string     `json:"metric"`
	Value  *float64   `json:"value"`
	Unit   assay.Unit `json:"unit"`
}

func newEvents(w io.Writer, p plan.Plan, t *tally) *events {
	return &events{stream{w}, p, t}
}

func (v *events) begin() {
	v.put(eventLine{
		Event: "plan", Suite: v.plan.Suite, Title: v.plan.Title, Hosts: v.tally.hosts,
		Slots: v.tally.slots, Estimate: estimate(v.plan).Seconds(), Remaining: estimate(v.plan).Seconds(),
	})
	for _, host := range v.tally.absent {
		v.put(eventLine{
			Event: string(session.EventGone), Host: host, Text: v.tally.away[host], Remaining: estimate(v.plan).Seconds(),
		})
	}
}

func (v *events) tell(e session.Progress) {
	line := eventLine{
		Event: string(e.Kind), At: e.At.Seconds(), Host: e.Host, Outcome: e.Outcome, Text: e.Text,
		Done: e.Done, Remaining: v.tally.left(time.Now()).Seconds(),
	}
	if t := e.Trial; t != nil {
		line.Trial, line.Case, line.Subject, line.Peer = t.ID, t.Probe+"/"+t.Case, t.Subject.ID, t.Peer
		if e.Kind == session.EventBegin || e.Kind == session.EventEnd || e.Kind == session.EventMore {
			line.Repeat, line.Repeats = &e.Repeat, t.Repeats
		}
	}
	if e.Kind == session.EventCleanUp {
		line.Subject, line.Text = e.Text, ""
	}
	for _, f := range e.Figures {
		if m, known := assay.Describe(f.Metric); known && !m.Support {
			line.Figures = append(line.Figures, figureOf(f))
		}
	}
	v.put(line)
}

func figureOf(m assay.Measurement) eventFigure {
	f := eventFigure{Metric: m.Metric, Unit: m.Unit}
	if !math.IsNaN(m.Value) && !math.IsInf(m.Value, 0) {
		f.Value = &m.Value
	}
	return f
}

func (v *events) end() {
	last := v.tally.last
	v.put(eventLine{Event: "over", At: last.At.Seconds(), Done: last.Done})
}

func (v *events) put(line eventLine) {
	line.Of = v.tally.slots
	_ = v.to.event(line) // progress output never stops a run
}
