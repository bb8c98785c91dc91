package block

import "assay/internal/oneline"

// Document is everything that a verb prints.
type Document struct {
	// Name is what a page is called; Title also appears above the blocks.
	Name   string     `json:"name,omitempty"`
	Title  string     `json:"title,omitempty"`
	About  []string   `json:"about,omitempty"` // under the title: which run, when, how long
	Tally  []Sentence `json:"tally,omitempty"` // counts at the top of a page
	Blocks Blocks     `json:"blocks"`
	// Data is the same content in the verb's own terms. Only JSON shows it: its
	// members appear beside those of the document.
	Data any `json:"-" oneline:"-"`
}

// Printable returns the document with each text of its blocks on one line and without
// anything that a terminal or a browser would interpret, whatever the fields. A voice
// renders nothing else; JSON, which loses nothing, escapes instead.
func (d Document) Printable() Document { return oneline.Deep(d) }

// Add appends blocks.
func (d *Document) Add(blocks ...Block) { d.Blocks = append(d.Blocks, blocks...) }

// Block is one of the types of this package. Kind names it.
type Block interface{ Kind() string }

// Kind is how a reader should take something.
type Kind string

// The kinds. The zero Kind is plain text.
const (
	Good  Kind = "good"
	Bad   Kind = "bad"   // a figure is rejected, a host is broken
	Doubt Kind = "doubt" // a warning
	Limit Kind = "limit" // what limits
	Note  Kind = "note"  // worth knowing
	Next  Kind = "next"  // what to do, or what is absent
)

// Heading begins a part. Level 1 is below the document's title; a deeper one is
// a part of the last shallower one.
type Heading struct {
	Level int    `json:"level"`
	Text  string `json:"text"`
	Aside string `json:"aside,omitempty"` // behind it, less loud
}

// Sentence is a paragraph, or a list item if it has a kind.
type Sentence struct {
	Is     Kind   `json:"is,omitempty"`
	Word   string `json:"word,omitempty"` // a label: "rejects", "host3"; the kind where it is empty
	Text   string `json:"text"`
	Sum    string `json:"sum,omitempty"`    // the arithmetic
	Advice string `json:"advice,omitempty"` // what to do next
	Quiet  bool   `json:"quiet,omitempty"`  // explains what stands beside it: a legend
}

// List is an unordered list of words.
type List struct {
	Items []string `json:"items"`
}

// Code is text as typed or printed, line by line.
type Code struct {
	Text string `json:"text" oneline:"lines"`
}

// Details may be folded away where possible. A terminal, which cannot fold,
// prints Brief instead, or everything if that is empty.
type Details struct {
	Summary string `json:"summary"`
	Brief   string `json:"brief,omitempty"`
	Apart   bool   `json:"-"`              // Brief is not about the block above it
	Open    bool   `json:"open,omitempty"` // not folded away at first
	Blocks  Blocks `json:"blocks"`
}

// Footnotes are the notes that cells cite by number.
type Footnotes struct {
	Notes []Footnote `json:"notes"`
}

// Footnote is one of them. Notes of the same rule are adjacent and share the
// text: only the first has it, and the advice for all of them.
type Footnote struct {
	Number int    `json:"number"`
	Is     Kind   `json:"is,omitempty"`
	Word   string `json:"word,omitempty"` // rejects, warns, informs
	Name   string `json:"name,omitempty"` // of the rule
	Text   string `json:"text,omitempty"` // what it means
	About  string `json:"about,omitempty"`
	Sum    string `json:"sum,omitempty"`
	Advice string `json:"advice,omitempty"`
	Shared string `json:"shared,omitempty"` // advice on all that share the text
}

// Bars are figures shown as lengths side by side.
type Bars struct {
	Title string `json:"title,omitempty"`
	// Mark is the share at which a line is drawn across all bars: 1 is a ceiling.
	Mark float64 `json:"mark,omitempty"`
	Bars []Bar   `json:"bars"`
	Told bool    `json:"told,omitempty"` // a table has the figures: what cannot draw leaves the bars out
}

// Bar is one of them, or says why it is missing.
type Bar struct {
	Group  string  `json:"group,omitempty"` // bars of one group follow each other
	Title  string  `json:"title"`
	Cell   Cell    `json:"cell"`
	From   Number  `json:"from,omitempty"`   // where it begins, of the full length
	Share  Number  `json:"share"`            // of the full length
	Beyond bool    `json:"beyond,omitempty"` // it is longer than the full length
	Low    Number  `json:"low,omitempty"`
	High   Number  `json:"high,omitempty"` // of the interval, as shares; equal where there is none
	Aside  string  `json:"aside,omitempty"`
	Absent *Absent `json:"absent,omitempty"`
}

// Absent says why something has no figure.
type Absent struct {
	Word string `json:"word"` // not supported, no data, failed, unknown
	Why  string `json:"why,omitempty"`
	Hint string `json:"hint,omitempty"`
}

// Kind names the block.
func (Heading) Kind() string { return "heading" }

// Kind names the block.
func (Sentence) Kind() string { return "sentence" }

// Kind names the block.
func (List) Kind() string { return "list" }

// Kind names the block.
func (Code) Kind() string { return "code" }

// Kind names the block.
func (Details) Kind() string { return "details" }

// Kind names the block.
func (Footnotes) Kind() string { return "footnotes" }

// Kind names the block.
func (Bars) Kind() string { return "bars" }

// Kind names the block.
func (Table) Kind() string { return "table" }

// Kind names the block.
func (Values) Kind() string { return "values" }

// Kind names the block.
func (Matrix) Kind() string { return "matrix" }

// Kind names the block.
func (Links) Kind() string { return "links" }

// Kind names the block.
func (Plot) Kind() string { return "plot" }

// Kind names the block.
func (Timeline) Kind() string { return "timeline" }
