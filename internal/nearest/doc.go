// Package nearest finds the name that was probably meant.
//
// It never decides: callers print its result as a hint.
package nearest
