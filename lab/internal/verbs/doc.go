// Package verbs is the frame of the labs' commands: it shuts them down cleanly
// on an interrupt, and prints errors with their hints.
package verbs
