// Package guests plants faults on machines in QEMU (lab/guest), for what the kernel of
// this machine may not be able to do: netem, device mapper, a clock that runs slowly, a
// cable that is pulled. Kinds, cases and scores are those of lab/faults/matrix.
//
// Hosts are emulated and share this machine's processors, so that what bounds their
// figures is set: links and disks are slow. They boot once; each case begins with hosts
// on which the last one's faults were undone.
package guests
