// Package krbd maps images of a real Ceph (lab/ceph) in the kernel of a guest (lab/guest),
// because this machine's kernel may not support it, and kills assay meanwhile.
//
// The package holds tests alone.
package krbd
