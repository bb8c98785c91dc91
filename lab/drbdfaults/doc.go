// Package drbdfaults lends DRBD 8.4 for real, between two guests (lab/guest).
//
// The package holds tests alone.
package drbdfaults
