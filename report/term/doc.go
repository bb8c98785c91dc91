// Package term prints a Document for people at a terminal.
//
// No line is wider than the width it is given. Colour only repeats what the
// words already say. It decides nothing about what is said: which figures,
// findings and sentences there are is the Document's business; it never asks
// the environment or the terminal anything.
package term
