package session

import (
	"errors"
	"fmt"
)

// InputError says that what was asked for, or a file that it names, is wrong.
// Nothing was measured.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *InputError) Unwrap() error { return e.Err }

func invalid(err error) error { return &InputError{err} }

func invalidf(format string, args ...any) error { return invalid(fmt.Errorf(format, args...)) }

// Errors of installing tools.
var (
	// ErrDeclined says that installing was not confirmed: nothing was run.
	ErrDeclined = errors.New("nothing was installed")
	// ErrToolsMissing says that no host has the tools that the suite needs. Each was
	// told of.
	ErrToolsMissing = errors.New("required tools are missing on every host")
)
