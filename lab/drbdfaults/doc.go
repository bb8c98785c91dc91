// Package drbdfaults measures DRBD 8.4 between two guests (lab/guest), and makes it lose
// its network, its drive and assay itself midway.
//
// The package holds only tests.
package drbdfaults
