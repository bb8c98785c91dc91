package read

import "assay/incident"

// refusedSignatures match tools and daemons that can't do what a request or their
// settings ask for: nothing broke.
var refusedSignatures = []signature{
	// mounts
	{has: "mount.nfs: access denied by server", kind: incident.Refused, device: nothing},
	{has: "mount.nfs4: access denied by server", kind: incident.Refused, device: nothing},
	{has: "mount.nfs", kind: incident.Refused, device: nothing, or: []string{"requested NFS version or transport protocol is not supported", "Protocol not supported", "an incorrect mount option was specified", "reason given by server: No such file or directory", "rpc.statd is not running but is required"}},
	{has: "mount error(13): Permission denied", kind: incident.Refused, device: nothing},
	{has: "mount error(2): No such file or directory", kind: incident.Refused, device: nothing},
	{has: "cifs_mount failed w/return code = -13", kind: incident.Refused, device: nothing},
	{has: "STATUS_LOGON_FAILURE", kind: incident.Refused, device: nothing},
	{has: "will not make a filesystem here!", kind: incident.Refused},
	{has: "already mounted or mount point busy", kind: incident.Refused},
	{has: ": mount point does not exist", kind: incident.Refused, device: nothing, and: "mount"},
	{has: "can't find in /etc/fstab", kind: incident.Refused, device: nothing},
	{has: "parse error", kind: incident.Refused, device: nothing, and: "/etc/fstab", or: []string{"ignored"}},
	{has: "Unrecognized mount option", kind: incident.Refused},
	{has: "unrecognized mount option", kind: incident.Refused},
	{has: "unknown mount option [", kind: incident.Refused},
	{has: "Unknown parameter '", kind: incident.Refused, or: []string{"-fs", "XFS", "BTRFS", "f2fs", "nfs"}},
	{has: "Windows is hibernated, refused to mount", kind: incident.Refused, device: nothing},
	// ZFS, LVM, md
	{has: "cannot mount '", kind: incident.Refused, device: nothing, or: []string{"directory is not empty", "encryption key not loaded"}},
	{has: "Key load error: ", kind: incident.Refused, device: nothing},
	{has: "a pool with that name already exists", kind: incident.Refused, device: nothing},
	{has: "feature(s) not supported by this system", kind: incident.Refused, device: nothing},
	{has: "use '-f' to override the following errors", kind: incident.Refused, device: nothing},
	{has: "invalid vdev specification", kind: incident.Refused, device: nothing},
	{has: "cannot replace ", kind: incident.Refused, device: nothing, or: []string{"device is too small", "different optimal sector size"}},
	{has: "cannot attach ", kind: incident.Refused, device: nothing, or: []string{"device is too small", "different optimal sector size"}},
	{has: "excluded by a filter", kind: incident.Refused},
	{has: "excluded: device is ", kind: incident.Refused}, // LVM since 2.03.17
	{has: "exclusively.  Mounted filesystem?", kind: incident.Refused},
	{has: "exclusively. Mounted filesystem?", kind: incident.Refused},
	{has: "mdadm: ", kind: incident.Refused, or: []string{"Device or resource busy", "not large enough to join array"}},
	// DRBD
	{has: "(114) Lower device is already claimed", kind: incident.Refused},
	{has: "(102) Local address(port) already in use", kind: incident.Refused, device: nothing},
	{has: "(119) No valid meta-data signature found", kind: incident.Refused},
	{has: "to initialize meta-data area", kind: incident.Refused, device: nothing, and: "create-md"},
	// Longhorn, Kubernetes
	{has: "make sure iscsiadm/open-iscsi is installed", kind: incident.Refused, device: nothing},
	{has: "iscsiadm", kind: incident.Refused, device: nothing, or: []string{"iscsiadm: No such file or directory", "iscsiadm: not found", "iscsiadm: command not found", "\"iscsiadm\": executable file not found"}},
	{has: "ode password rejected", kind: incident.Refused, device: nothing, or: []string{"uplicate hostname", "odePassword", "contents of"}},
	{has: "token CA hash does not match", kind: incident.Refused, device: nothing},
	{has: "running with swap on is not supported", kind: incident.Refused, device: nothing},
	{has: "misconfiguration: kubelet cgroup driver", kind: incident.Refused, device: nothing},
	{has: "CRI v1 runtime API is not implemented", kind: incident.Refused, device: nothing},
	{has: "had volume node affinity conflict", kind: incident.Refused, device: nothing},
	{has: "no persistent volumes available for this claim and no storage class is set", kind: incident.Refused, device: nothing},
	{has: "torageclass.storage.k8s.io \"", kind: incident.Refused, device: nothing, and: "\" not found"},
	// Ceph
	{has: "TOO_FEW_OSDS", kind: incident.Refused, device: nothing},
	{has: "nable to find a keyring on", kind: incident.Refused, device: nothing},
	{has: "no keyring found at", kind: incident.Refused, device: nothing},
	{has: "RADOS object not found (error connecting to the cluster)", kind: incident.Refused, device: nothing},
	// Proxmox VE and others
	{has: "storage '", kind: incident.Refused, device: nothing, and: "' does not exist", not: []string{"or is unreachable"}},
	{has: "hostname lookup '", kind: incident.Refused, device: nothing, and: "failed to get address info"},
	{has: "nable to get local IP address", kind: incident.Refused, device: nothing},
	{has: "REMOTE HOST IDENTIFICATION HAS CHANGED", kind: incident.Refused, device: nothing},
	{has: "dpkg was interrupted, you must manually run", kind: incident.Refused, device: nothing},
	{has: "is not authorized to access iSCSI target portal group", kind: incident.Refused, device: nothing},
	{has: "Detected NON_EXISTENT_LUN Access", kind: incident.Refused, device: nothing},
	{has: "KVM virtualisation configured, but not available", kind: incident.Refused, device: nothing},
	{has: "Could not access KVM kernel module", kind: incident.Refused, device: nothing},
	{has: "could not insert '", kind: incident.Refused, device: nothing, or: []string{"Key was rejected by service", "Exec format error", "Required key not available", "Invalid module format"}},
	{has: "Loading of unsigned module is rejected", kind: incident.Refused, device: nothing},
	{has: "disagrees about version of symbol", kind: incident.Refused, device: nothing},
	{has: "is not a valid LUKS device", kind: incident.Refused},
	{has: "failed to find memory cgroup", kind: incident.Refused, device: nothing}, // k3s on a Raspberry Pi
	{has: "cgroup mountpoint does not exist", kind: incident.Refused, device: nothing},
	{has: "failed to find the interface with specified node ip", kind: incident.Refused, device: nothing},
	{has: "has duplicate UUID", kind: incident.Refused, and: "can't mount"}, // XFS, for a clone or snapshot
	{has: "unsupported optional features", kind: incident.Refused},          // ext4
	{has: "has unsupported feature(s)", kind: incident.Refused},             // e2fsck
	{has: "unknown incompatible features", kind: incident.Refused, and: "uperblock has"},
	{has: "feature set mismatch", kind: incident.Refused, device: nothing, or: []string{"libceph", "RBD image"}},
	{has: "image uses unsupported features", kind: incident.Refused, device: nothing},
	{has: "libceph: auth", kind: incident.Refused, device: nothing, or: []string{"error -1", "authorization failed"}},
	{has: "mount error 13 = Permission denied", kind: incident.Refused, device: nothing},
	{has: "is part of an active md or lvm device", kind: incident.Refused, device: nothing},
	{has: "is in use and contains a", kind: incident.Refused},
	{has: "special device ", kind: incident.Refused, and: "does not exist"},
	{has: "mountpoint or dataset is busy", kind: incident.Refused, device: nothing},
	{has: " without -ff", kind: incident.Refused},
	{has: "mount.nfs: No such device", kind: incident.Refused, device: nothing},
	{has: ": Failure: (127) Device minor not allocated", kind: incident.Refused, device: nothing},
}
