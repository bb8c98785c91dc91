package ingest

import (
	"bytes"

	"assay"
)

// excerpt is one output of one tool.
type excerpt struct {
	reader assay.Reader
	format assay.Format // the reader's
	line   int          // in the file, where the text begins
	text   []byte
	lines  int
	// sure means that something in it was recognised; else it merely follows a
	// command of that tool.
	sure    bool
	cut     bool // a document in it is truncated
	full    bool // of documents
	command *command
}

func (x *excerpt) add(line string) {
	x.lines++
	if x.text == nil {
		x.text = make([]byte, 0, usualText)
	}
	if len(x.text)+len(line) < mostText {
		x.text = append(append(x.text, line...), '\n')
	}
}

// addRest adds what follows a document on its last line.
func (x *excerpt) addRest(line string) {
	if len(x.text)+len(line) < mostText {
		x.text = append(append(append(bytes.TrimSuffix(x.text, []byte("\n")), ' '), line...), '\n')
	}
}

// heading is a line that names what the output below it is about. Line 0: there
// is none.
type heading struct {
	text string
	line int
}

// noteHeading keeps a line that is a heading of some tool.
func (c *cutter) noteHeading(line string) {
	for _, heads := range c.heads {
		if heads(line) {
			c.heading = heading{line, c.line}
			return
		}
	}
}

// under has an empty excerpt begin at its heading. Lines in between become
// blank: one line in is one line out.
func (x *excerpt) under(h heading) {
	blank := x.line - h.line - 1
	x.line = h.line
	x.add(h.text)
	for range blank {
		x.add("")
	}
}
