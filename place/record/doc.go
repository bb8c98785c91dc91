// Package record decorates a place: it passes every command on and writes what
// was asked and answered to a file that package replay reads.
//
// It changes nothing of what it passes on. Recordings hold whatever the tools
// printed, serial numbers included: they are for bug reports and tests.
package record
