package read

import "assay/incident"

// laterSignatures are what file systems, their tools and the layers just below them say of
// what they find wrong, or had to leave.
var laterSignatures = []signature{
	{has: "Filesystem state:", kind: incident.FSCheck, device: nothing, and: "with errors"}, // dumpe2fs, tune2fs
	{has: "FS Error count:", kind: incident.FSCheck, device: nothing},
	{has: "etadata corruption detected at", kind: incident.FSCorrupt}, // xfs_repair, xfs_db, and the kernel
	{has: "etadata CRC error detected at", kind: incident.FSCorrupt},
	{has: "open_ctree failed", kind: incident.FSError},
	{has: "fixed up error at logical", kind: incident.FSRepaired, device: nothing},
	{has: "read error corrected: ino", kind: incident.FSRepaired, device: nothing},
	{has: "i/o error at logical", kind: incident.IOError},
	{has: "lost page write due to IO error on", kind: incident.IOError},
	{has: "lost super block write due to IO error on", kind: incident.IOError},
	{has: "BTRFS ", kind: incident.FSDevice, or: []string{" devices, max tolerance is ", "writable mount is not allowed due to too many missing devices"}},
	{has: "IO error reading journal superblock", kind: incident.FSError},
	{has: "JBD2: IO error ", kind: incident.FSError, and: "recovering block"},
	{has: "JBD2: journal transaction ", kind: incident.FSCorrupt, and: "is corrupt"},
	{has: "journal_bmap: journal block not found", kind: incident.FSCorrupt},
	{has: "elayed block allocation failed for inode", kind: incident.FSError, not: []string{"with error 28", "with error 117"}},
	{has: "jbd2_start: ", kind: incident.FSReadOnly, and: "err -30"},
	{has: "initial error at time ", kind: incident.FSCheck, and: "EXT4-fs"},
	{has: "last error at time ", kind: incident.FSCheck, and: "EXT4-fs"},
	{has: "get root inode failed", kind: incident.FSError, and: "-fs ("},
	{has: "xfs_log_force: error -5 returned", kind: incident.FSAbort},
	{has: "writeback error on inode", kind: incident.FSError, and: "XFS ("},
	{has: "ailing async write on buffer block", kind: incident.FSError, and: "XFS ("},
	{has: "Superblock has unknown ", kind: incident.Refused, and: "XFS (", not: []string{"corrupted feature masks"}},
	{has: "XFS (", kind: incident.Refused, and: "device supports ", or: []string{" byte sectors (not "}},
	{has: "Stopped filesystem due to reason:", kind: incident.FSAbort},
	{has: "potential data loss!", kind: incident.FSError, and: "EXT4-fs"},
	{has: "detected when updating journal superblock", kind: incident.FSAbort},
	{has: "page discard on page", kind: incident.FSError, and: "XFS"},
	{has: "IO errors while flushing file data", kind: incident.IOError},
	{has: "possible memory allocation deadlock", kind: incident.NoPages, device: nothing, and: "XFS"},
	{has: "Checksum failed at sector", kind: incident.FSChecksum, and: "integrity"},
	{has: "switching cache to read-only mode", kind: incident.PoolDamaged, device: nothing},
	{has: "switching cache to fail mode", kind: incident.PoolDamaged, device: nothing},
	{has: "disabling caching", kind: incident.PoolDamaged, device: nothing, and: "bcache"},
	{has: "smaller than corresponding PV size", kind: incident.DeviceShort},
	{has: "was previously updated while missing PV", kind: incident.PVMissing, device: nothing},
}
