// Package guard lends block devices to be overwritten, on whatever host: what is on
// them is lost. It is the one guard for pods, for SSH hosts and for this machine; the kinds
// of storage that lend through it are volume/rawblock and volume/device.
//
// A device is named by its host, its path there (/dev/sdb, or better
// /dev/disk/by-id/…) and its serial number; Lend compares them with what the
// kernel says of the device that was really opened, and with the names that
// udev gave it: they hold the serial that lsblk tells, which behind a bridge such
// as a USB enclosure is not the kernel's. Elsewhere a name whose serial the kernel does
// not know belongs to a disk that is gone. A serial that a second disk of the host
// has too names neither. A loop device has no serial: the file under it takes its
// place.
//
// What is lent is a link of udev wherever one holds the serial, or was named. Every
// repeat opens it anew: a device that comes back under another name after a reset
// of its bus is followed, and one that took its name is not touched.
//
// Whether a device is in use is judged by effect: opening it with O_EXCL tells of most
// uses. The kernel refuses that with EBUSY while a file system, swap, device mapper, md,
// ZFS, bcache, DRBD or anyone else who asked for it alone holds the device or a
// part of it, in whatever namespace. wipefs --no-act opens so and writes nothing;
// perl can where it is missing. Where neither is there, nothing is lent.
//
// After all has been looked at, a process of ours opens the device in the same way and
// keeps it until it is released: from then on nobody can mount it or claim it. The device
// is looked at once more while it is held, and refused if anything changed. Where
// a host has neither perl nor Python to hold it with, a strict volume refuses; in a pod,
// whose image may have neither, the second look stands alone.
//
// Who opened the device without O_EXCL is not seen so: SPDK, and with it Longhorn's
// second engine and Mayastor; a virtual machine; a database. Therefore a device is
// lent without more only where it is blank: nothing but zeros and erased flash
// (0xFF) in its first 9 MiB, its last 2, where partitions begin and where file systems
// keep copies of their superblock, and in 2048 samples at random between: 1 % of data is
// found with a probability of 1 - 1.2e-9, 0.34 % with 99.9 %. Whoever uses it has
// written to it. Processes that can be seen, those of the pod, are looked at too.
//
// Release leaves a mark in the first 4 KiB of a device that was written to, with a
// hash of samples: a device that has it, and whose samples are the same, is lent
// again. A run that was killed leaves none: the next one asks for the confirmation
// below.
//
// Refused, whatever was said: a device of another serial, a partition, one with
// partitions or a partition table, one that is mounted, swap or held, one that is
// read-only. Refused unless the serial was given a second time to confirm it
// (overwrite: in cluster.yaml): one with the mark of a file system, of swap, LVM,
// md, LUKS, ZFS, bcache, DRBD, Ceph or SPDK on it, and one that is not blank.
//
// Nothing marks a device as lent: whoever carries out a run keeps others away.
package guard
