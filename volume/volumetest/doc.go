// Package volumetest is the conformance suite that every volume passes.
//
// It knows no kind of storage and starts no process: it uses the place it is
// given.
package volumetest
