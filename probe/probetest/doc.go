// Package probetest is the conformance suite that every probe passes.
//
// It knows no tool and starts no process: its places answer with rubbish,
// nothing, or not at all.
package probetest
