// Package term prints a Document for people at a terminal.
//
// No line is wider than the given width. Colour only repeats what the words
// already say. The package does not decide what is said: figures, findings and
// sentences are the Document's business. It never queries the environment or
// the terminal.
package term
