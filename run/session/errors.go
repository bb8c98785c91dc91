package session

import (
	"errors"
	"fmt"
)

// InputError means that the request, or a file that it names, is wrong. Nothing
// was measured.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *InputError) Unwrap() error { return e.Err }

func invalid(err error) error { return &InputError{err} }

func invalidf(format string, args ...any) error { return invalid(fmt.Errorf(format, args...)) }

// Errors of tool installation.
var (
	// ErrDeclined means that the installation was not confirmed: nothing was
	// run.
	ErrDeclined = errors.New("nothing was installed")
	// ErrToolsMissing means that no host has the tools that the suite needs. Each
	// host was reported.
	ErrToolsMissing = errors.New("required tools are missing on every host")
)
