// Package free learns from the output of free how much memory a machine has,
// and how much of it was available. It never guesses a unit that free would not
// have used by itself.
package free
