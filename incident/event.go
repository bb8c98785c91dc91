package incident

import (
	"cmp"
	"time"

	"assay/internal/order"
)

// Event is something that a host logged, once or repeatedly.
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
	// Until is the line number of the last occurrence in the same file.
	Until int `json:"until,omitempty"`
}

// Source is the position of a line.
type Source struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// When is the time of a log line, as far as the line gives one.
type When struct {
	// Wall is the host's wall clock. Its year is 0 or 1 if the line has none.
	Wall time.Time `json:"wall,omitzero"`
	// Up is the time since boot; negative if the line has none.
	Up time.Duration `json:"up,omitempty"`
}

// Known reports whether the line had a time.
func (w When) Known() bool { return !w.Wall.IsZero() || w.Up > 0 }

// yearless is the highest year that means no year.
const yearless = 1

// HasYear reports whether the date includes a year.
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

// After reports whether e began after other, by their times, else by line order within
// the same file. It returns false if neither decides.
func (e Event) After(other Event) bool {
	if d, ok := e.First.Since(other.First); ok && d != 0 {
		return d > 0
	}
	return e.Source.File == other.Source.File && e.Source.Line > other.Source.Line
}

// Compare orders events by time if both have one, else by position.
func Compare(a, b Event) int {
	if d, ok := a.First.Since(b.First); ok && d != 0 {
		return cmp.Compare(d, 0)
	}
	return cmp.Or(cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
}

// Log is everything that was read.
type Log struct {
	Events []Event `json:"events"`
	Stack  Stack   `json:"-"`
	Lines  int     `json:"lines"` // that were looked at
	Bytes  int64   `json:"bytes"`
	// Dropped counts recognised lines of devices beyond the limit of devices tracked
	// separately.
	Dropped int `json:"dropped,omitempty"`
	// Complaints are unrecognised error lines near the beginning, from programs with no
	// recognised line.
	Complaints []Complaint `json:"complaints,omitempty"`
	// Head is the first lines as read, without the prefix before the message.
	Head []Line `json:"-"`
}

// HeadLines is the number of lines in the head of a text. A text with no more than that is
// an excerpt: a few hand-picked lines.
const HeadLines = 64

// Line is one line of a text.
type Line struct {
	Text   string
	Source Source
}

// Excerpt reports whether the texts are no longer than a head.
func (l Log) Excerpt() bool { return l.Lines <= HeadLines }

// Complaint is a line that reports a failure in unrecognised words.
type Complaint struct {
	Text   string `json:"text"` // with the program that says so
	Source Source `json:"source"`
}

// Merge combines the events and devices of several logs, ordered by time.
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
