// Package drbdfaults measures DRBD 8.4 between two guests (lab/guest), and has it lose its
// network, its drive and assay itself in the midst of it.
//
// The package holds tests alone.
package drbdfaults
