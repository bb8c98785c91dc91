// Package incidents plants one fault at a time in a cluster of two guests (lab/guest),
// whose kernels then log what real ones log, has assay diagnose the cluster over SSH as a
// user would, and scores the verdict against the planted fault.
//
// The guests boot once. Between rounds everything on their disks is taken down and the
// kernel log is cleared; if that fails, they are booted again.
package incidents
