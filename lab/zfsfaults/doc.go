// Package zfsfaults lends datasets, zvols and existing datasets of a ZFS in a guest
// (lab/guest), directly and through the assay that users run, and interrupts that: no
// dataset, setting or directory is left that was not there before.
//
// The package holds tests alone.
package zfsfaults
