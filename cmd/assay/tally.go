package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/prose"
	"assay/plan"
	"assay/report"
	"assay/report/term"
	"assay/run/session"
)

// tally tracks the state of a run from its plan and the engine's events. Events
// of different hosts may arrive slightly out of order: its counts never go
// back.
type tally struct {
	hosts   []string // in the inventory's order
	columns []term.BoardColumn
	trials  []*standing // in the plan's order
	byID    map[string]*standing
	names   map[string]string // subjects, by ID
	doing   map[string]doing  // by host
	away    map[string]string // why, by host
	absent  []string          // those away when the run began

	slots, ended int
	last         session.Progress // including its derived counts
	step         session.Progress // the last except notes
	told         time.Time        // when last came
}

// standing is the progress of one trial, in counted repeats.
type standing struct {
	trial       *assay.Trial
	row, column int
	slots       int // still scheduled, including warm-up
	cell        term.Cell
	at          time.Duration // of its last figure
}

// doing is what a host is doing.
type doing struct {
	what  string
	with  string // on what, or with whom
	trial string // ID, "" for what is no trial
	since time.Time
}

func newTally(p plan.Plan, inv assay.Inventory) *tally {
	t := &tally{
		byID: map[string]*standing{}, names: map[string]string{}, doing: map[string]doing{}, away: map[string]string{},
		slots: len(p.Schedule), told: time.Now(),
	}
	t.last.Of, t.last.Remaining = t.slots, estimate(p)
	for _, h := range inv.Hosts {
		t.hosts = append(t.hosts, h.Name)
		if h.Absent != nil {
			t.away[h.Name] = "down: " + aboutIt(h.Absent.Why, h.Name)
			t.absent = append(t.absent, h.Name)
		}
	}
	for _, s := range inv.Subjects {
		t.names[s.ID] = s.Name
	}
	for i := range p.Trials {
		t.add(&p.Trials[i])
	}
	for _, slot := range p.Schedule {
		s := t.trials[slot.Trial]
		s.slots++
		if slot.Repeat > 0 {
			s.cell.Ended-- // not in the schedule: measured earlier
		}
	}
	return t
}

// estimate returns how long the plan takes. The budget is a hard limit: if too
// small, something is left out.
func estimate(p plan.Plan) time.Duration {
	if p.Budget > 0 {
		return min(p.Estimate, p.Budget)
	}
	return p.Estimate
}

func (t *tally) add(trial *assay.Trial) {
	s := &standing{trial: trial, row: slices.Index(t.hosts, trial.Subject.Host)}
	if s.row < 0 {
		s.row, t.hosts = len(t.hosts), append(t.hosts, trial.Subject.Host)
	}
	c := term.BoardColumn{Name: trial.Case, Group: trial.Probe}
	if s.column = slices.Index(t.columns, c); s.column < 0 {
		s.column, t.columns = len(t.columns), append(t.columns, c)
	}
	if trial.Absent == nil {
		s.cell.Of, s.cell.Ended = trial.Repeats, trial.Repeats
	}
	t.trials, t.byID[trial.ID] = append(t.trials, s), s
}

// many reports whether there are several hosts, so that each must be named.
func (t *tally) many() bool { return len(t.hosts) > 1 }

// twin reports whether the host has another drive that is measured the same way.
func (t *tally) twin(of *assay.Trial) bool {
	return of.Subject.Kind == assay.KindBlock && of.Subject.Tier == "" && slices.ContainsFunc(t.trials, func(s *standing) bool {
		return s.trial.Probe == of.Probe && s.trial.Case == of.Case && s.trial.Subject.Host == of.Subject.Host && s.trial.Subject.Kind == of.Subject.Kind && s.trial.Subject.ID != of.Subject.ID
	})
}

// take counts an event and returns it with its host and the state of the whole
// run filled in.
func (t *tally) take(e session.Progress) session.Progress {
	if e.Host == "" && e.Trial != nil {
		e.Host = e.Trial.Subject.Host
	}
	switch e.Kind {
	case session.EventPrepare:
		t.doing[e.Host] = doing{"preparing " + e.Trial.Subject.Name, "", e.Trial.ID, time.Now()}
	case session.EventMore:
		t.more(e)
	case session.EventBegin:
		t.begin(e)
	case session.EventEnd:
		t.end(e)
	case session.EventGone:
		t.away[e.Host] = "gone: " + aboutIt(e.Text, e.Host)
		delete(t.doing, e.Host)
	case session.EventCleanUp:
		t.doing[e.Host] = doing{"removing " + t.nameOf(e.Text), "", "", time.Now()}
	}
	e.Of = t.slots
	e.At = max(e.At, t.last.At)
	// The engine's count excludes the repeat whose end it reports.
	e.Done = min(max(e.Done, t.ended, t.last.Done), t.slots)
	if e.Done == e.Of {
		e.Remaining = 0
	}
	t.last, t.told = e, time.Now()
	if e.Kind != session.EventNote && e.Kind != session.EventMore {
		t.step = e
	}
	return e
}

// more counts a repeat added to the plan.
func (t *tally) more(e session.Progress) {
	t.slots++
	s := t.byID[e.Trial.ID]
	if s == nil { // whole trial added
		added := *e.Trial
		t.add(&added)
		s = t.byID[added.ID]
		s.cell.Of, s.cell.Ended = 0, 0
	}
	s.slots++
	s.cell.Of++
}

func (t *tally) begin(e session.Progress) {
	trial := e.Trial
	what := trial.Case
	if e.Repeat == 0 {
		what = "warm-up of " + what
	}
	if trial.Peer == "" {
		on := ""
		if trial.Subject.Name != string(trial.Subject.Kind) {
			on = "on " + trial.Subject.Name
		}
		t.doing[e.Host] = doing{what, on, trial.ID, time.Now()}
	} else {
		on := ""
		if trial.Subject.Network != "" {
			on = " on " + trial.Subject.Network
		}
		t.doing[trial.Peer] = doing{what, "← " + trial.Subject.Host + on, trial.ID, time.Now()}
		t.doing[trial.Subject.Host] = doing{what, "→ " + trial.Peer + on, trial.ID, time.Now()}
	}
	if s := t.byID[trial.ID]; s != nil {
		s.cell.Running, s.cell.Warming = 1, 0
		if e.Repeat == 0 {
			s.cell.Running, s.cell.Warming = 0, 1
		}
	}
}

func (t *tally) end(e session.Progress) {
	t.ended++
	for _, host := range []string{e.Trial.Subject.Host, e.Trial.Peer} {
		if t.doing[host].trial == e.Trial.ID {
			delete(t.doing, host)
		}
	}
	s := t.byID[e.Trial.ID]
	if s == nil {
		return
	}
	s.slots--
	c := &s.cell
	c.Running, c.Warming = 0, 0
	if e.Repeat == 0 {
		return
	}
	c.Ended++
	switch e.Outcome {
	case assay.Broke:
		c.Failed++
	case assay.Done:
		c.Figure, s.at = headline(e.Trial, e.Figures), e.At
	}
}

// over reports whether a trial that went well has no repeats left.
func (t *tally) over(trial *assay.Trial) bool {
	s := t.byID[trial.ID]
	return s != nil && s.slots == 0
}

// planned returns the originally planned number of repeats.
func (t *tally) planned(trial *assay.Trial) int {
	if s := t.byID[trial.ID]; s != nil {
		return s.trial.Repeats
	}
	return 0
}

// left returns the time remaining at now. The engine's estimate counts every
// running repeat in full, so the age of the youngest one is subtracted.
func (t *tally) left(now time.Time) time.Duration {
	since := t.told
	first := true
	for _, d := range t.doing {
		if first || d.since.After(since) {
			since, first = d.since, false
		}
	}
	return max(t.last.Remaining-now.Sub(since), 0)
}

// aboutIt drops the host's name from a reason that is shown next to it.
func aboutIt(why, host string) string {
	return strings.ReplaceAll(why, "host "+host+": ", "")
}

// nameOf returns a subject's display name.
func (t *tally) nameOf(id string) string {
	if name := t.names[id]; name != "" {
		return name
	}
	return id
}

// board returns the run's state as a board.
func (t *tally) board(now time.Time) term.Board {
	b := term.Board{Columns: t.columns, Left: t.left(now)}
	if t.slots > 0 {
		b.Share = float64(t.last.Done) / float64(t.slots)
	}
	if !t.many() {
		b.Text = t.text()
		return b
	}
	b.Text = fmt.Sprintf("%d of %s", t.last.Done, prose.Plural(t.slots, "repeat"))
	if n := len(t.away); n > 0 {
		b.Text += ", " + prose.Plural(n, "host") + " down"
	}
	waiting := make([]bool, len(t.hosts))
	for _, host := range t.hosts {
		d, busy := t.doing[host]
		b.Rows = append(b.Rows, term.BoardRow{
			Name: host, Cells: make([]term.Cell, len(t.columns)), Now: d.what, With: d.with, Busy: busy, Away: t.away[host],
		})
	}
	latest := make(map[[2]int]*standing, len(t.hosts)*len(t.columns))
	for _, s := range t.trials {
		c := s.cell
		if c.Of > 0 && (t.gone(s.trial.Subject.Host) || t.gone(s.trial.Peer)) {
			c.Lost = c.Of - c.Ended - c.Running
		}
		waiting[s.row] = waiting[s.row] || c.Of > c.Ended+c.Lost
		cell := &b.Rows[s.row].Cells[s.column]
		*cell = cell.Plus(c)
		at := [2]int{s.row, s.column}
		if l := latest[at]; c.Figure != "" && (l == nil || s.at >= l.at) {
			latest[at] = s
		}
	}
	for at, s := range latest {
		b.Rows[at[0]].Cells[at[1]].Figure = s.cell.Figure
	}
	for i := range b.Rows {
		r := &b.Rows[i]
		if r.Now == "" {
			r.Now = map[bool]string{true: "waiting", false: "done"}[waiting[i]]
		}
	}
	return b
}

// text returns what a host is doing.
func (t *tally) text() string {
	e := t.step
	switch {
	case e.Kind == session.EventPrepare:
		return "preparing " + e.Trial.Subject.Name
	case e.Kind == session.EventCleanUp:
		return "removing " + t.nameOf(e.Text)
	case e.Trial == nil:
		return ""
	case e.Repeat == 0:
		return e.Trial.Title + ", warm-up"
	}
	return fmt.Sprintf("%s, repeat %d of %d", e.Trial.Title, e.Repeat, e.Trial.Repeats)
}

func (t *tally) gone(host string) bool { return t.away[host] != "" }

// headline returns the headline figure of a repeat, or else the first.
func headline(t *assay.Trial, figures []assay.Measurement) string {
	if t != nil {
		r := assay.Result{Trial: *t, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: figures}}}
		if i := slices.IndexFunc(figures, r.Headline); i >= 0 {
			return report.Quantity(figures[i].Metric, figures[i].Value)
		}
	}
	for _, f := range figures {
		if m, ok := assay.Describe(f.Metric); ok && !m.Support {
			return report.Quantity(f.Metric, f.Value)
		}
	}
	return ""
}
