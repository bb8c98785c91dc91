// Package rawblock lends a block device of a Kubernetes node to be overwritten: a
// USB stick, a disk that holds nothing yet. What is on it is lost.
//
// A device is named by its node, its path there (/dev/sdb, or better
// /dev/disk/by-id/…) and its serial number; Lend compares them with what the
// kernel and udev say of the device that the pod really opened. A loop device has
// no serial: the file under it takes its place.
//
// The pod is privileged: its runtime then gives it the node's devices in /dev. It
// does not see the node's mounts, so that nothing in /proc tells whether the
// device is in use. What tells is opening it with O_EXCL: the kernel refuses that
// with EBUSY while a file system, swap, device mapper, md, ZFS, bcache, DRBD or
// anything else holds the device or a part of it, in whatever namespace. wipefs
// --no-act opens so and writes nothing; perl can where it is missing. Where neither
// is there, nothing is lent.
//
// Refused, whatever was said: a device of another serial, a partition, one with
// partitions or a partition table, one that is mounted, swap or held, one that is
// read-only. Refused unless the serial was given a second time to confirm it: one
// with the mark of a file system, of swap, LVM, md, LUKS, ZFS, bcache, DRBD or
// Ceph on it.
//
// Nothing marks a device as lent: whoever carries out a run keeps others away.
package rawblock
