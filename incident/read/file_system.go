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
