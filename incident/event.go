package incident

import (
	"cmp"
	"time"

	"assay/internal/order"
)

// Event is something that a host logged, once or often.
type Event struct {
	Kind   Kind    `json:"kind"`
	Host   string  `json:"host,omitempty"`
	Device string  `json:"device,omitempty"` // its kernel name, or that of the interface, pool or process
	Value  float64 `json:"value,omitempty"`  // of a counter
	Text   string  `json:"text"`             // the first such line, without what came before the message
	Source Source  `json:"source"`
	Count  int     `json:"count"`
	First  When    `json:"first,omitzero"`
	Last   When    `json:"last,omitzero"`
	// Until is the line of the last one, in the same file.
	Until int `json:"until,omitempty"`
}

// Source is where a line stands.
type Source struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// When is when something was logged, as far as the line says.
type When struct {
	// Wall is the host's clock. Its year is 0 or 1 where the line gives none.
	Wall time.Time `json:"wall,omitzero"`
	// Up is the time since boot; negative where the line does not give it.
	Up time.Duration `json:"up,omitempty"`
}

// Known reports whether the line had a time.
func (w When) Known() bool { return !w.Wall.IsZero() || w.Up > 0 }

// yearless is the last year that stands for none.
const yearless = 1

// HasYear reports whether the date is whole.
func (w When) HasYear() bool { return !w.Wall.IsZero() && w.Wall.Year() > yearless }

// Since returns the time from other to w, if the two can be compared.
func (w When) Since(other When) (time.Duration, bool) {
	switch {
	case w.Up > 0 && other.Up > 0 && (w.Wall.IsZero() || other.Wall.IsZero()):
		return w.Up - other.Up, true
	case !w.Wall.IsZero() && !other.Wall.IsZero() && w.HasYear() == other.HasYear():
		return w.Wall.Sub(other.Wall), true
	}
	return 0, false
}

// After reports whether e began after other did: by their times, else by their place in
// one file. It is false where neither says.
func (e Event) After(other Event) bool {
	if d, ok := e.First.Since(other.First); ok && d != 0 {
		return d > 0
	}
	return e.Source.File == other.Source.File && e.Source.Line > other.Source.Line
}

// Compare orders events by time where both have one, else by where they stand.
func Compare(a, b Event) int {
	if d, ok := a.First.Since(b.First); ok && d != 0 {
		return cmp.Compare(d, 0)
	}
	return cmp.Or(cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
}

// Log is all that was read.
type Log struct {
	Events []Event `json:"events"`
	Stack  Stack   `json:"-"`
	Lines  int     `json:"lines"` // that were looked at
	Bytes  int64   `json:"bytes"`
	// Dropped counts lines that were recognised, of devices beyond what is kept apart.
	Dropped int `json:"dropped,omitempty"`
	// Complaints are lines near the begin in which programs complain of something that was
	// not recognised, of programs of which no line was.
	Complaints []Complaint `json:"complaints,omitempty"`
	// Head is the first lines as they were read, without what came before the message.
	Head []Line `json:"-"`
}

// HeadLines is how many lines the head of a text has. What has no more is an excerpt: a few
// lines that somebody picked.
const HeadLines = 64

// Line is one of a text.
type Line struct {
	Text   string
	Source Source
}

// Excerpt reports whether the texts are no longer than their head.
func (l Log) Excerpt() bool { return l.Lines <= HeadLines }

// Complaint is a line that says that something failed, in words that no form knows.
type Complaint struct {
	Text   string `json:"text"` // with the program that says so
	Source Source `json:"source"`
}

// Merge returns the events and devices of several logs as one, in the order of time.
func Merge(logs ...Log) Log {
	var all Log
	for _, l := range logs {
		all.Events = append(all.Events, l.Events...)
		all.Lines += l.Lines
		all.Bytes += l.Bytes
		all.Dropped += l.Dropped
		all.Complaints = append(all.Complaints, l.Complaints...)
		all.Head = append(all.Head, l.Head...)
		for _, d := range l.Stack.All() {
			*all.Stack.Device(d.Host, d.Name) = d
		}
	}
	order.Stable(all.Events, Compare)
	return all
}
