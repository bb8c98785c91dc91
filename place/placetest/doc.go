// Package placetest is the conformance suite that every place passes.
//
// It uses nothing but POSIX sh on the far side, and starts no process itself.
package placetest
