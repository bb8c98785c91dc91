package main

import (
	"fmt"
	"io"

	"assay"
	"assay/internal/oneline"
)

// stream is stdout or stderr. It is no io.Writer, so that nothing can be printed on it
// that somebody else wrote and nobody has made printable: words are said, values are
// JSON, and documents go through a voice.
type stream struct {
	// to is for what is printable as it is: a voice's document, a live picture, help,
	// and what two programs tell each other.
	to io.Writer
}

// paragraph is text that may have several lines, of which all but the first are printed
// indented: a role to apply.
type paragraph string

// say prints as fmt.Fprintf does, with every argument printable: on one line, and an
// error or a paragraph with all lines but the first indented.
func (s stream) say(format string, args ...any) error {
	if false {
		_ = fmt.Sprintf(format, args...) // so that go vet checks the arguments
	}
	safe := make([]any, len(args))
	for i, arg := range args {
		safe[i] = printable(arg)
	}
	_, err := fmt.Fprintf(s.to, format, safe...)
	return err
}

// printable is an argument without what must not be printed raw.
func printable(arg any) any {
	switch arg := arg.(type) {
	case string:
		return oneline.Keep(arg, ' ')
	case paragraph:
		return oneline.Lines(string(arg), "  ")
	case error:
		return oneline.Lines(arg.Error(), "  ")
	case fmt.Stringer:
		return oneline.Keep(arg.String(), ' ')
	}
	return oneline.Deep(arg)
}

// complain prints an error and its hint.
func (s stream) complain(err error) {
	s.say("assay: %v\n", err)
	if hint := assay.Hint(err); hint != "" {
		s.say("hint: %s\n", paragraph(hint))
	}
}

// lines prints a text of several lines, such as a file that assay made.
func (s stream) lines(text []byte) error {
	_, err := io.WriteString(s.to, oneline.Lines(string(text), "")+"\n")
	return err
}

// json prints a value, indented.
func (s stream) json(v any) error { return writeJSON(s.to, v) }

// event prints a value as one line of JSON.
func (s stream) event(v any) error {
	text, err := oneline.JSON(v, "")
	if err == nil {
		_, err = s.to.Write(text)
	}
	return err
}

// writeJSON prints a value, indented.
func writeJSON(w io.Writer, v any) error {
	text, err := oneline.JSON(v, "  ")
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}
