// Package zfsfaults has ZFS in a guest (lab/guest) lend datasets, zvols and existing
// datasets, directly and by the assay that users run, and ends that in the middle: no
// dataset, setting or directory is left that was not there before.
//
// The package holds tests alone.
package zfsfaults
