// Package guard lends block devices to be overwritten, on any host: their contents are
// lost. It is the one guard for pods, SSH hosts and this machine; the kinds of storage that
// lend through it are volume/rawblock and volume/device.
//
// A device is identified by its host, its path there (/dev/sdb, or better
// /dev/disk/by-id/…) and its serial number. Lend compares them with what the kernel reports
// of the device actually opened, and with its udev names: these hold the serial that lsblk
// shows, which behind a bridge such as a USB enclosure is not the kernel's. Without a
// bridge, a name whose serial the kernel does not know belongs to a disk that is gone. A
// serial that a second disk of the host also has identifies neither. A loop device has no
// serial: its backing file takes its place.
//
// What is lent is a udev link whenever one holds the serial, or was named. Every repeat
// opens it anew: a device that returns under another name after a bus reset is followed,
// and one that took its name is not touched.
//
// Whether a device is in use is tested by opening it with O_EXCL, which detects most uses.
// The kernel refuses that with EBUSY while a file system, swap, device mapper, md, ZFS,
// bcache, DRBD or any other exclusive opener holds the device or a part of it, in any
// namespace. wipefs --no-act opens it this way and writes nothing; perl can if wipefs is
// missing. With neither, nothing is lent.
//
// After all checks, a process of ours opens the device in the same way and keeps it open
// until release: from then on nobody can mount or claim it. The device is checked again
// while it is held, and refused if anything changed. If a host has neither perl nor Python
// to hold it with, a strict volume refuses; in a pod, whose image may have neither, there
// is only the second check.
//
// That process ends early if it is killed, or if its host loses contact with this machine.
// Before each repeat Renew sees whether it is there. If not, the device is held again,
// provided that it is the one that was lent, with the same size, unused, and without a
// partition table or a signature; otherwise nothing more is written to it, and Release
// neither resets it nor leaves a mark. What somebody wrote meanwhile without any of
// these signs cannot be told from what benchmarks wrote. A repeat that is under way when
// the process ends is not stopped, unless contact was lost: then its command ends too.
//
// O_EXCL does not detect those who opened the device without it: SPDK, and with it
// Longhorn's second engine and Mayastor; a virtual machine; a database. Therefore a device
// is lent without confirmation only if it is blank: nothing but zeros and erased flash
// (0xFF) in its first 9 MiB, its last 2, where partitions begin and where file systems keep
// copies of their superblock, and in 2048 random samples in between: 1 % of data is found
// with a probability of 1 - 1.2e-9, 0.34 % with 99.9 %. Whoever uses it has written to it.
// Visible processes, those of the pod, are checked too.
//
// Release leaves a mark in the first 4 KiB of a device that was written to, with a hash of
// samples: a device with the mark and unchanged samples is lent again. A killed run leaves
// none: the next one asks for the confirmation below.
//
// Always refused: a device with another serial, a partition, one with partitions or a
// partition table, one that is mounted, swap or held, one that is read-only. Refused unless
// confirmed by giving the serial a second time (overwrite: in cluster.yaml): one with the
// signature of a file system, of swap, LVM, md, LUKS, ZFS, bcache, DRBD, Ceph or SPDK on
// it, and one that is not blank.
//
// Nothing marks a device as lent: whoever carries out a run must keep others away.
package guard
