// Package uml boots machines whose kernel is a process of this one (User Mode Linux), with
// the system of lab/guest. Nothing is emulated: a machine is up in seconds, and a write with
// a flush to its disk takes a tenth of a millisecond, so a delay of one shows. It has one
// processor, a Debian kernel (6.1, with DRBD 8.4, device mapper, md, LIO and netem), and no
// hardware: no NVMe, no SATA, no KVM, and no ZFS.
package uml
