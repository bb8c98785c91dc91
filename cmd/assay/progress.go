package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/plan"
	"assay/report"
	"assay/report/term"
	"assay/run"
)

// progress shows how a run goes: one line that is rewritten on a terminal, a
// line per trial elsewhere.
type progress struct {
	w     io.Writer
	width int
	live  bool
	left  map[string]int // slots still to come, by trial
	many  bool           // hosts: each line says of which it is

	mu     sync.Mutex
	last   run.Event
	begun  time.Time // of last
	ticker *time.Ticker
	over   chan struct{}
}

func newProgress(w io.Writer, p plan.Plan) *progress {
	width, live := terminal(w)
	s := &progress{w: w, width: width, live: live, left: map[string]int{}, over: make(chan struct{})}
	for _, slot := range p.Schedule {
		s.left[p.Trials[slot.Trial].ID]++
		s.many = s.many || p.Trials[slot.Trial].Subject.Host != p.Trials[p.Schedule[0].Trial].Subject.Host
	}
	fmt.Fprintf(w, "%s: %s in about %s\n", p.Title, plural(len(p.Schedule), "repeat"), p.Estimate.Round(time.Second))
	if live {
		s.ticker = time.NewTicker(time.Second)
		go s.tick()
	}
	return s
}

// tick redraws once a second, so that the remaining time goes down meanwhile.
func (s *progress) tick() {
	for {
		select {
		case <-s.over:
			return
		case <-s.ticker.C:
			s.mu.Lock()
			s.draw()
			s.mu.Unlock()
		}
	}
}

func (s *progress) end() {
	if s.live {
		s.ticker.Stop()
		close(s.over)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.clear()
	}
}

// tell takes one event.
func (s *progress) tell(e run.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.Kind == run.EventNote:
		s.line("note: " + e.Text)
	case e.Kind == run.EventEnd && e.Outcome == assay.Broke:
		s.line(fmt.Sprintf("%s: repeat %d failed: %s", s.title(e.Trial), e.Repeat, e.Text))
	}
	if e.Kind == run.EventEnd {
		s.left[e.Trial.ID]--
		if s.left[e.Trial.ID] == 0 && e.Outcome == assay.Done {
			s.line(fmt.Sprintf("%-44s %-16s %s left", s.title(e.Trial), headline(e.Figures), clock(e.Remaining)))
		}
	}
	if e.Kind != run.EventNote {
		s.last, s.begun = e, time.Now()
	}
	if s.live {
		s.draw()
	}
}

// title names a trial, with its host where there are several.
func (s *progress) title(t *assay.Trial) string {
	if !s.many {
		return t.Title
	}
	return t.Subject.Host + ": " + t.Title
}

// headline is the first figure that people would ask for, of the last repeat.
func headline(figures []assay.Measurement) string {
	for _, f := range figures {
		if m, ok := assay.Describe(f.Metric); ok && !m.Support {
			return report.Quantity(f.Metric, f.Value)
		}
	}
	return ""
}

func (s *progress) line(text string) {
	if s.live {
		s.clear()
	}
	fmt.Fprintln(s.w, text)
}

func (s *progress) clear() { fmt.Fprint(s.w, "\r\x1b[K") }

// draw rewrites the one live line.
func (s *progress) draw() {
	e := s.last
	what := ""
	switch {
	case e.Kind == run.EventPrepare:
		what = "preparing " + e.Trial.Subject.Name
	case e.Kind == run.EventCleanUp:
		what = "taking back " + e.Text
	case e.Trial != nil && e.Repeat == 0:
		what = s.title(e.Trial) + ", warm-up"
	case e.Trial != nil:
		what = fmt.Sprintf("%s, repeat %d of %d", s.title(e.Trial), e.Repeat, e.Trial.Repeats)
	}
	left := max(e.Remaining-time.Since(s.begun), 0)
	const cells = 20
	full := 0
	if e.Of > 0 {
		full = cells * e.Done / e.Of
	}
	bar := strings.Repeat("█", full) + strings.Repeat("░", cells-full)
	s.clear()
	fmt.Fprint(s.w, term.Clip(fmt.Sprintf("%s %s left  %s", bar, clock(left), what), s.width-1))
}

// clock prints a remaining time as minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
