package main

import (
	"fmt"
	"io"

	"assay"
	"assay/internal/oneline"
)

// stream is stdout or stderr. It is not an io.Writer, so that no foreign text reaches
// it without being made printable: words go through say, values through JSON, and
// documents through a voice.
type stream struct {
	// to is for output that is printable as is: a voice's document, a live display,
	// help, and what two programs exchange.
	to io.Writer
}

// paragraph is text of possibly several lines, printed with all but the first indented,
// such as a role to apply.
type paragraph string

// say prints like fmt.Fprintf, with every argument printable: on one line, or for an
// error or paragraph with all lines but the first indented.
func (s stream) say(format string, args ...any) error {
	if false {
		_ = fmt.Sprintf(format, args...) // lets go vet check the arguments
	}
	safe := make([]any, len(args))
	for i, arg := range args {
		safe[i] = printable(arg)
	}
	_, err := fmt.Fprintf(s.to, format, safe...)
	return err
}

// printable returns an argument made safe to print.
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
