// Package record decorates a place: it passes every command on and writes it
// with its answer to a file that package replay reads.
//
// It alters nothing it passes on. Recordings hold whatever the tools printed,
// serial numbers included: they are for bug reports and tests.
package record
