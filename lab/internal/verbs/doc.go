// Package verbs is the frame of the labs' commands: it ends them in order when
// they are interrupted, and prints errors with their hints.
package verbs
