// Package nearest finds the name that somebody probably meant.
//
// It never decides: callers print what it finds as a hint.
package nearest
