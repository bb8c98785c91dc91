package read

import "assay/incident"

// layeredSignatures are what LVM, device mapper, ZFS and mount say of themselves, rather
// than of a disk.
var layeredSignatures = []signature{
	{has: "Check of pool ", kind: incident.PoolDamaged, and: "Manual repair required", device: after("Check of pool ")},
	{has: "hin pool ", kind: incident.PoolDamaged, and: "transaction_id", or: []string{"while expected"}, device: after("hin pool ")},
	{has: "aborting current metadata transaction", kind: incident.PoolDamaged, device: nothing, or: []string{"thin", "cache"}},
	{has: "failed to abort metadata transaction", kind: incident.PoolDamaged, device: nothing},
	{has: "btree spine: node_check failed", kind: incident.PoolDamaged, device: nothing},
	{has: "couldn't open metadata object", kind: incident.PoolDamaged, device: nothing},
	{has: "space map metadata: unable to allocate", kind: incident.ThinFull, device: nothing},
	{has: "Invalidating snapshot: ", kind: incident.SnapshotFull, device: nothing},
	{has: "Couldn't find device with uuid", kind: incident.PVMissing, device: after("with uuid ")},
	{has: " is missing PV ", kind: incident.PVMissing, device: after("missing PV ")},
	{has: "not found or rejected by a filter", kind: incident.PVMissing, device: nothing},
	{has: "abels on physical volume", kind: incident.PVWiped, and: "successfully wiped", device: after("physical volume ")},
	{has: "bytes were erased at offset", kind: incident.PVWiped, or: []string{"LVM2_member", "zfs_member", "linux_raid_member"}}, // wipefs
	{has: "PANIC: zfs", kind: incident.ZFSDamaged, device: nothing},
	{has: "PANIC at ", kind: incident.ZFSDamaged, device: nothing, or: []string{"space_map.c", "range_tree.c", "zio.c", "arc.c", "dmu", "dsl_", "metaslab.c", "zap"}},
	{has: "pool metadata is corrupted", kind: incident.ZFSDamaged, device: nothing},
	{has: "previously in use from another system", kind: incident.ZFSInUse, device: nothing},
	{has: "pool may be in use from other system", kind: incident.ZFSInUse, device: nothing},
	{has: "class: io", kind: incident.ZFSIO, and: "eid", device: nothing}, // zed's mail
	{has: "ereport.fs.zfs.io", kind: incident.ZFSIO, device: nothing},
	{has: "class: checksum", kind: incident.ZFSChecksum, and: "eid", device: nothing},
	{has: "ereport.fs.zfs.checksum", kind: incident.ZFSChecksum, device: nothing},
	{has: "super_written gets error", kind: incident.MDFailed, device: nothing},
	{has: "not enough to start the array", kind: incident.MDInactive, device: nothing},
	{has: "to start it (use --run to insist)", kind: incident.MDInactive, device: nothing},
	{has: "cannot start dirty degraded array", kind: incident.MDInactive},
	{has: "free space in thin pool reached threshold", kind: incident.ThinFull, device: nothing},
	{has: "read failed after 0 of ", kind: incident.IOError},
	{has: "error reading '/dev/", kind: incident.IOError}, // dd
	{has: "not enough operational ", kind: incident.MDFailed, device: nothing, and: "md"},
	{has: "A Fail event had been detected on md device", kind: incident.MDFailed, device: after("md device /dev/")}, // mdadm's mail
	{has: "nknown filesystem type '", kind: incident.MountWrong, device: after("filesystem type ")},
	{has: "No key available with this passphrase", kind: incident.LUKSNoKey, device: nothing},
	{has: "Gave up waiting for root", kind: incident.RootMissing, device: nothing},
	{has: "does not exist.  Dropping to a shell", kind: incident.RootMissing, device: nothing},
	{has: "Unable to mount root fs on", kind: incident.RootMissing, device: nothing},
}

var checkSignatures = []signature{
	{has: "UNEXPECTED INCONSISTENCY", kind: incident.FSCheck},
	{has: "contains a file system with errors, check forced", kind: incident.FSCheck},
	{has: "FILE SYSTEM WAS MODIFIED", kind: incident.FSCheck},
	{has: "mounting fs with errors, running e2fsck is recommended", kind: incident.FSCheck},
	{has: "because of unprocessed orphan inode list", kind: incident.FSCheck},
	{has: ": error count since last fsck: ", kind: incident.FSCheck},
	{has: "olume was not properly unmounted", kind: incident.FSCheck}, // FAT, exFAT
	{has: "volume is dirty and \"force\" flag is not set", kind: incident.FSCheck},
	{has: "Superblock invalid, trying backup blocks", kind: incident.FSCheck, device: nothing},
	{has: "couldn't verify primary superblock", kind: incident.FSCheck, device: nothing},
	{has: "SQUASHFS error: ", kind: incident.FSCorrupt, or: []string{"decompression failed", "corrupt", "Unable to read"}},
	{has: "exceeds size of device", kind: incident.DeviceShort, and: "bad geometry"},
	{has: "fsck failed with exit status 4", kind: incident.FSCheck, device: nothing},
	{has: "JBD2: Invalid checksum recovering", kind: incident.FSCorrupt, device: nothing},
	{has: "tructure needs cleaning", kind: incident.FSCorrupt},
}
