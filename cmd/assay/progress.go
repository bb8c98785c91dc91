package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"sync"
	"time"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/plan"
	"assay/report/term"
	"assay/run/session"
)

// progress shows how a run is going: on a terminal as a display redrawn in
// place, elsewhere as one line per notable event, or as JSON if that is the
// format.
type progress struct {
	mu    sync.Mutex
	tally *tally
	voice voice
}

// voice is one way to show progress. Its methods are never called concurrently.
type voice interface {
	begin()
	tell(e session.Progress)
	end()
}

// newProgress starts showing a run on w. The hosts are the inventory's,
// including absent ones.
func newProgress(w io.Writer, format string, p plan.Plan, inv assay.Inventory) *progress {
	s := &progress{tally: newTally(p, inv)}
	lines := &lines{w: stream{w}, plan: p, tally: s.tally}
	_, tty := terminal(w)
	switch {
	case format == formatJSON:
		s.voice = newEvents(w, p, s.tally)
	case tty && os.Getenv("TERM") != "dumb":
		s.voice = &live{lines: lines, size: sizeOf(w), color: colour(w)}
	default:
		s.voice = lines
	}
	s.voice.begin()
	if l, ok := s.voice.(*live); ok {
		l.keepDrawing(&s.mu)
	}
	return s
}

// tell handles one event. It may be called from several goroutines.
func (s *progress) tell(e session.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.voice.tell(s.tally.take(e))
}

// end stops the display and removes what it drew.
func (s *progress) end() {
	if l, ok := s.voice.(*live); ok {
		l.stopDrawing()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.voice.end()
}

// lines shows a run as plain lines.
type lines struct {
	w     stream
	plan  plan.Plan
	tally *tally
}

func (l *lines) begin() {
	size := prose.Plural(len(l.plan.Schedule), "repeat")
	if l.tally.many() {
		size = prose.Plural(len(l.tally.hosts), "host") + ", " + size
	}
	l.w.say("%s: %s in about %s\n", l.plan.Title, size, quantity.Span(estimate(l.plan).Round(time.Second)))
	for _, host := range l.tally.absent {
		l.put(host + " is " + l.tally.away[host])
	}
}

func (l *lines) tell(e session.Progress) {
	for _, text := range append(l.steps(e), l.alarms(e)...) {
		l.put(text)
	}
}

func (l *lines) end() {}

func (l *lines) put(text string) { l.w.say("%s\n", text) }

// alarms returns the lines for what did not go as planned.
func (l *lines) alarms(e session.Progress) []string {
	switch {
	case e.Kind == session.EventNote && e.Host != "":
		return []string{"note: " + l.at(e.Host) + e.Text}
	case e.Kind == session.EventNote:
		return []string{"note: " + e.Text}
	case e.Kind == session.EventGone:
		return []string{e.Host + " is " + l.tally.away[e.Host]}
	case e.Kind == session.EventEnd && e.Outcome == assay.Broke && e.Repeat == 0:
		return []string{fmt.Sprintf("%s: warm-up failed: %s", l.title(e.Trial), e.Text)}
	case e.Kind == session.EventEnd && e.Outcome == assay.Broke:
		return []string{fmt.Sprintf("%s: repeat %d failed: %s", l.title(e.Trial), e.Repeat, e.Text)}
	}
	return nil
}

// results returns the lines for trials that finished successfully: once for
// each, even if repeats are added later.
func (l *lines) results(e session.Progress) []string {
	if e.Trial == nil || e.Repeat > l.tally.planned(e.Trial) || e.Kind != session.EventEnd || e.Outcome != assay.Done || !l.tally.over(e.Trial) {
		return nil
	}
	return []string{fmt.Sprintf("%-44s %-16s %s left", l.title(e.Trial), headline(e.Trial, e.Figures), term.Clock(l.tally.left(time.Now())))}
}

// steps returns the lines for what goes as planned.
func (l *lines) steps(e session.Progress) []string {
	switch e.Kind {
	case session.EventPrepare:
		return []string{l.at(e.Host) + "preparing " + e.Trial.Subject.Name}
	case session.EventCleanUp:
		return []string{l.at(e.Host) + "removing " + l.tally.nameOf(e.Text)}
	}
	return l.results(e)
}

// title names a trial, with its host if there are several; a link's title
// already has its hosts.
func (l *lines) title(t *assay.Trial) string {
	if t.Peer != "" {
		return t.Title
	}
	title := l.at(t.Subject.Host) + t.Title
	if l.tally.twin(t) {
		title += " (" + path.Base(t.Subject.Name) + ")"
	}
	return title
}

func (l *lines) at(host string) string {
	if !l.tally.many() || host == "" {
		return ""
	}
	return host + ": "
}
