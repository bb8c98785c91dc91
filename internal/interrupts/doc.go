// Package interrupts lets tests send SIGINT to the programs that they start.
//
// What a shell runs in the background ignores SIGINT, and so does all that it
// starts: make test in the background of a script, or of a CI. assay heeds no
// signal that it was started to ignore, so that a test of Ctrl-C would wait in vain.
package interrupts
