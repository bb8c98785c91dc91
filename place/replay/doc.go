// Package replay is a place that answers from a recording made by package
// record: no command runs and no time passes.
//
// It never guesses: a command that was not recorded is an error that names it.
package replay
