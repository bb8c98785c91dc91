// Package drivefaults has the assay that users run turn the write caches of a guest's
// disks off (lab/guest), and ends it in the middle: what the drives say afterwards is what
// they said before.
//
// The package holds tests alone.
package drivefaults
