// Package sampledtest generates clusters with known faults, for testing who gets
// blamed.
package sampledtest
