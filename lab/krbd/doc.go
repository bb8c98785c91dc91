// Package krbd has the kernel of a guest (lab/guest) map images of a real Ceph (lab/ceph),
// which this machine's kernel may not be able to do, and kills assay meanwhile.
//
// The package holds tests alone.
package krbd
