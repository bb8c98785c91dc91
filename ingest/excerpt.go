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
