// Package guests plants faults on QEMU machines (lab/guest), for what this machine's
// kernel may not support: netem, device mapper, a slow clock, a pulled cable. Kinds,
// cases and scores are those of lab/faults/matrix.
//
// Hosts are emulated and share this machine's processors, so links and disks are made
// slow enough to bound their figures. They boot once; each case starts on hosts where
// the previous faults were undone.
package guests
