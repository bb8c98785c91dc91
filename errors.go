package assay

import (
	"errors"
	"fmt"
)

// The errors that callers distinguish.
var (
	ErrNoCommand = errors.New("command not found")
	ErrTimeout   = errors.New("exceeded its time limit")
	ErrTooLong   = errors.New("printed too much output")
	ErrNoSpace   = errors.New("not enough space")
	ErrReadOnly  = errors.New("not writable")
	ErrNotFound  = errors.New("not found")
	ErrNoOutput  = errors.New("printed no usable output")
	ErrBusy      = errors.New("already in use")
	// ErrNotSupported is wrapped if something has no such setting: there will be no
	// figure, and nothing is wrong.
	ErrNotSupported = errors.New("not supported")
	// ErrHostGone is wrapped by a place's error if its host could not be reached, or
	// was lost while running a command.
	ErrHostGone = errors.New("host is gone")
	// ErrDestroyed is wrapped with it if the host was created for a run and has been
	// destroyed with its disks and all scratch space on them.
	ErrDestroyed = errors.New("destroyed with its disks")
)

// HintError is an error with a hint on what to try next.
type HintError struct {
	Err  error
	Hint string
}

func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap returns the error without its hint.
func (e *HintError) Unwrap() error { return e.Err }

// WithHint returns an error with a hint. The other arguments are as for fmt.Errorf.
func WithHint(hint, format string, args ...any) error {
	return &HintError{Err: fmt.Errorf(format, args...), Hint: hint}
}

// Hint returns the hint of the first error in the chain that has one, or "".
func Hint(err error) string {
	var h *HintError
	if errors.As(err, &h) {
		return h.Hint
	}
	return ""
}
