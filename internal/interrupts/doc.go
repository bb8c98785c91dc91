// Package interrupts lets tests send SIGINT to the programs that they start.
//
// Whatever a shell runs in the background ignores SIGINT, and so does everything
// that starts: make test in the background of a script, or of a CI. assay ignores a
// signal that it was started to ignore, so a test of Ctrl-C would wait in vain.
package interrupts
