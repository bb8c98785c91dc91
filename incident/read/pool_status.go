package read

import (
	"slices"

	"assay/incident"
)

// poolSignatures returns signatures for the sentences in which ZFS reports a pool's
// state: in zpool status, in zed's mails and log, and as reworded by appliances.
func poolSignatures() []signature {
	return slices.Concat(
		said(incident.ZFSFaulted,
			"are faulted in response to persistent errors", "number of I/O errors associated with a ZFS device", "ZFS has detected that a device was removed", "could not be used because the label is missing",
		),
		said(incident.ZFSChecksum, "ermanent errors have been detected in the following files", "experienced an error resulting in data", "number of checksum errors associated with a ZFS device"),
		said(incident.ZFSSuspended, "are faulted in response to IO failures", "ereport.fs.zfs.io_failure", "class=io_failure"),
		said(incident.ZFSDamaged, "cannot be imported due to damaged devices or data", "An intent log record could not be read"),
		said(incident.Refused, "pool or dataset is busy", ": dataset is busy", ": pool is busy", ": dataset does not exist", ": dataset already exists", "no such logical volume"),
		said(incident.CutOff, "has been taken offline by the administrator", "has been removed by the administrator"),
		[]signature{
			{has: "scrub repaired ", kind: incident.ZFSChecksum, device: nothing, and: " errors on ", not: []string{" with 0 errors"}},
			{has: " data errors, use '-v' for a list", kind: incident.ZFSChecksum, device: nothing},
			{has: "class=data pool=", kind: incident.ZFSChecksum, device: nothing},
			{has: "class=probe_failure", kind: incident.ZFSIO, device: zioDevice},
			{has: "class=deadman", kind: incident.ZFSIO, device: zioDevice},
			{has: "ereport.fs.zfs.", kind: incident.ZFSIO, device: nothing, or: []string{"probe_failure", "deadman"}},
			{has: "ereport.fs.zfs.vdev.", kind: incident.ZFSFaulted, device: nothing, or: []string{"open_failed", "corrupt_data", "no_replicas", "bad_label", "too_small"}},
			{has: "Pool ", kind: incident.ZFSSuspended, device: nothing, and: " state is SUSPENDED"}, // TrueNAS
			{has: "Pool ", kind: incident.ZFSFaulted, device: nothing, and: " state is ", or: []string{"DEGRADED", "FAULTED", "UNAVAIL"}},
			{has: "cannot ", kind: incident.NoSpace, device: nothing, and: ": out of space"},
		},
	)
}
