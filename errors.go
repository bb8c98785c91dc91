package assay

import (
	"errors"
	"fmt"
)

// The errors that callers tell apart.
var (
	ErrNoCommand = errors.New("command not found")
	ErrTimeout   = errors.New("ran longer than its bound")
	ErrTooLong   = errors.New("printed more than can be kept")
	ErrNoSpace   = errors.New("not enough space")
	ErrReadOnly  = errors.New("not writable")
	ErrNotFound  = errors.New("not found")
	ErrNoOutput  = errors.New("printed nothing that can be read")
	ErrBusy      = errors.New("already in use")
	// ErrHostGone is in the chain of what a place gives where its host could not
	// be reached, or was lost while a command ran there.
	ErrHostGone = errors.New("host is gone")
)

// HintError is an error with a hint: what to try next.
type HintError struct {
	Err  error
	Hint string
}

func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap gives the error without its hint.
func (e *HintError) Unwrap() error { return e.Err }

// WithHint makes an error that carries a hint. format is as for fmt.Errorf.
func WithHint(hint, format string, args ...any) error {
	return &HintError{Err: fmt.Errorf(format, args...), Hint: hint}
}

// Hint gives the hint of the first error in the chain that has one, or "".
func Hint(err error) string {
	var h *HintError
	if errors.As(err, &h) {
		return h.Hint
	}
	return ""
}
