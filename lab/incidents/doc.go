// Package incidents plants one fault at a time in a cluster of two guests (lab/guest),
// whose kernels then log what real ones log, has assay diagnose the cluster over SSH as a
// user does, and scores the verdict against what was planted.
//
// The guests are booted once. Between rounds all that stood on their disks is taken down
// and the kernel's log is emptied; where that fails, they are booted again.
package incidents
