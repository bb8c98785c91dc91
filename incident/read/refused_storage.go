package read

import (
	"slices"

	"assay/incident"
)

// refusedStorage returns signatures for settings, names, rights and versions that storage
// daemons and clients reject.
func refusedStorage() []signature {
	return slices.Concat(
		said(incident.Refused,
			// Ceph
			"handle_auth_bad_method server allowed_methods", "error calling conf_read_file", "but caps do not match", "unable to find any IPv4 address in networks", "DAEMON_OLD_VERSION", "daemons are running an older version of ceph",
			"TOO_MANY_PGS", "too many PGs per OSD", "error parsing config file", "parse error setting '", "disk is not empty", "wrong fsid", "fsid mismatch", "does not match the cluster fsid", "has different fsid", "because it contains a filesystem", "because it contains a LVM",
			"because it has partitions", "has a filesystem on it already", "Has BlueStore device label", "Cannot infer CIDR network", "Cannot infer an fsid",
			// DRBD and LINSTOR
			"incompatible DRBD dialects", "incompatible discard-my-data settings", "uthentication of peer failed", "The peer's disk size is too small", "peer's disk size is too small", "not defined in your config", "' not defined in your config (for this host)", "Exclusive open failed", "meta parameter misconfigured",
			"(158) Unknown resource", "Module drbd not found", "Not enough available nodes", "Not enough nodes fulfilling", "Unable to find storage pool",
			// Gluster, MinIO, Lustre
			"is already part of a volume", "already part of another cluster", "trusted.glusterfs.volume-id", "Volume id mismatch", "op-version of the cluster", "Please create a sub-directory", "not in 'Peer in Cluster' state", "Inconsistent drive found", "Disk is a root disk", "drive is part of root drive",
			"Unable to initialize config system", "is being used by another deployment",
			// NFS and SMB
			"does not support NFS export", "requires fsid= for NFS export", "refused mount request from", "access denied by server while mounting", "you might need a /sbin/mount", "mount.nfs: Operation not permitted", "bad UNC (", "Dialect not supported by server",
			"NT_STATUS_LOGON_FAILURE", "NT_STATUS_BAD_NETWORK_NAME", "NT_STATUS_ACCESS_DENIED", "NT_STATUS_ACCOUNT_LOCKED_OUT", "STATUS_BAD_NETWORK_NAME", "STATUS_ACCOUNT_LOCKED_OUT", "STATUS_PASSWORD_EXPIRED", "STATUS_ACCESS_DENIED", "NT_STATUS_PASSWORD_MUST_CHANGE", "cifs_mount failed w/return code = -2",
			"cifs_mount failed w/return code = -22", "cifs_mount failed w/return code = -95", "cifs_mount failed w/return code = -126", "mount error(22): Invalid argument", "mount error(95): Operation not supported", "mount error(6): No such device or address", "mount error(16): Device or resource busy", "Key has been revoked",
			"mount error(126)", "exportfs: Failed to stat", "does not map into domain '",
			// iSCSI, NVMe-oF, multipath
			"iscsiadm: No records found", "an InitiatorName= is required", "Unable to locate Target IQN", "Unable to locate Target Portal Group", "Initiator is not allowed to access", "target not found (02/03)", "multipath.conf line ", "Failed to write to /dev/nvme-fabrics: No such file", "Failed to open /dev/nvme-fabrics", "could not add new controller: invalid arguments",
			"could not add new controller: already connected", "Failed to write to /dev/nvme-fabrics: Operation already in progress", "Failed to write to /dev/nvme-fabrics: Invalid argument", "found same hostid ",
			// Longhorn, OpenEBS, CSI
			"please make sure iscsid is", "InvalidEngineVersion", "ngine image is incompatible", "cannot upgrade engine", "is not compatible with the current", "please install nfs client", "NFS client is not installed", "failed to load kernel module", "Kernel module(s) [",
			"required kernel modules", "hugepages are not", "no hugepages", "insufficient hugepages", "driver name driver.longhorn.io not found", "not found in the list of registered CSI drivers", "olume capability not supported", "only supports ReadWriteOnce", "node is missing the topology",
			"no topology key found on hw node", "no topology key found on node", "specified storage class does not exist",
			// ZFS and file systems
			"pool is formatted using an unsupported ZFS version", "pool is formatted using an incompatible version", "newer on-disk version", "Bad return status for module build",
		),
		[]signature{
			{has: "incompatible ", kind: incident.Refused, device: nothing, and: " settings", or: []string{"drbd"}},
			{has: "settings differ", kind: incident.Refused, device: nothing, or: []string{"drbd"}},
			{has: "ersion mismatch", kind: incident.Refused, device: nothing, or: []string{"LINSTOR", "linstor", "atellite", "drbd", "DRBD", "engine", "protocol"}},
			{has: "drbd.conf", kind: incident.Refused, device: nothing, or: []string{"Parse error", "parse error", "rror opening"}},
			{has: "CSINode ", kind: incident.Refused, device: nothing, and: "does not contain driver "},
			{has: "upgrading from v", kind: incident.Refused, device: nothing, and: "not supported"},
			{has: "libceph: ", kind: incident.Refused, device: nothing, or: []string{"bad option at", "Failed to parse monitor IPs", "failed to parse option", "missing required protocol features", "protocol version mismatch"}},
			{has: "mount error ", kind: incident.Refused, device: nothing, and: " = ", or: []string{"22 = ", "2 = No such file", "1 = Operation not permitted", "95 = Operation not supported"}},
			{has: "unknown filesystem type '", kind: incident.Refused, or: []string{"nfs", "cifs", "glusterfs", "ceph", "zfs", "btrfs", "exfat", "ntfs", "xfs", "lustre", "bcachefs"}},
			{has: "rados", kind: incident.Refused, device: nothing, or: []string{"Operation not permitted", "Permission denied"}},
			{has: "rbd: ", kind: incident.Refused, device: nothing, or: []string{"Operation not permitted", "sysfs write failed", "Permission denied"}, not: []string{"(110)", "(108)", "imed out"}},
			{has: "rpc error: code = ", kind: incident.Refused, device: nothing, or: []string{"PermissionDenied", "Unauthenticated", "InvalidArgument", "Unimplemented"}, not: []string{"not ready for workloads", "robustness"}},
			{has: "exportfs: /etc/exports", kind: incident.Refused, device: nothing},
			{has: "status code = 02", kind: incident.Refused, device: nothing, or: []string{"0203", "0202", "0201"}},
		},
	)
}
