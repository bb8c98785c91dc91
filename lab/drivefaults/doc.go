// Package drivefaults has the assay binary turn off the write caches of a guest's disks
// (lab/guest), and ends it midway: afterwards the drives must report the same as before.
//
// The package holds only tests.
package drivefaults
