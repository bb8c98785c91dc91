package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"assay/run/session"
)

// The exit statuses.
const (
	exitFine        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitRejected    = 3
	exitRegression  = 4
	exitPartial     = 5
	exitInterrupted = 130
	exitUnread      = 141
)

// statuses is the only table of exit statuses: --help prints it, a test checks
// the README.
var statuses = []struct {
	code    int
	meaning string
}{
	{exitFine, "fine"},
	{exitFailed, "failed"},
	{exitUsage, "usage error, or an invalid input file"},
	{exitRejected, "the audit rejected a number"},
	{exitRegression, "a comparison found a regression"},
	{exitPartial, "partial: some results are missing, see the table"},
	{exitInterrupted, "interrupted; scratch space has been removed"},
	{exitUnread, "nobody read the output (broken pipe)"},
}

func statusTable() string {
	var b strings.Builder
	b.WriteString("Exit status:\n")
	for _, s := range statuses {
		fmt.Fprintf(&b, "  %3d  %s\n", s.code, s.meaning)
	}
	return strings.TrimRight(b.String(), "\n")
}

// statusError is an error with its exit status. A nil err means that no message
// is needed: everything has been printed.
type statusError struct {
	code int
	err  error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

func usage(err error) error { return &statusError{exitUsage, err} }

// statusOf maps errors to exit statuses, in one place.
func statusOf(err error) int {
	var s *statusError
	var input *session.InputError
	switch {
	case isBrokenPipe(err):
		return exitUnread
	case errors.As(err, &s):
		return s.code
	case errors.As(err, &input):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitFailed
	}
}

// isBrokenPipe reports whether an error says only that nobody reads stdout or stderr any
// more. Other programs end without a word then.
func isBrokenPipe(err error) bool {
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		return !slices.ContainsFunc(several.Unwrap(), func(err error) bool { return !isBrokenPipe(err) })
	}
	var at *fs.PathError
	return errors.As(err, &at) && (at.Path == os.Stdout.Name() || at.Path == os.Stderr.Name()) && errors.Is(at.Err, syscall.EPIPE)
}
