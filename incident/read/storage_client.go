package read

import "assay/incident"

// storageClients match the kernel's own clients of remote storage that lost it: NBD, RBD
// and CephFS, DRBD, NVMe over Fabrics, Fibre Channel.
var storageClients = []signature{
	{has: "block nbd", kind: incident.CommandTimeout, or: []string{"Receive control failed", "Send control failed", "Other side returned error", "Dead connection, failed to find a fallback", "Suspicious reply"}, not: []string{"error (22)", "error (95)"}}, // requests that a server does not support
	{has: ": encountered watch error", kind: incident.CephSocket, and: "rbd"},
	{has: ": failed to unwatch: ", kind: incident.CephSocket, and: "rbd"},
	{has: "failed to reregister watch: -108", kind: incident.RBDBlocked},
	{has: " result -108", kind: incident.RBDBlocked, and: "rbd: rbd"},
	{has: "reconnect denied", kind: incident.RBDBlocked, device: nothing, and: "ceph: "},
	{has: "rejected session", kind: incident.RBDBlocked, device: nothing, and: "ceph: "},
	{has: " hung", kind: incident.CephSlow, device: nothing, and: "ceph: ", or: []string{"mds"}},
	{has: " caps stale", kind: incident.CephSlow, device: nothing, and: "ceph: "},
	{has: "libceph: ", kind: incident.CephFull, device: nothing, or: []string{"cluster is full (osdmap FULL)", "is full or reached quota", "FULL or reached pool quota"}},
	{has: "libceph: ", kind: incident.Refused, device: nothing, or: []string{"failed to authenticate server", "msgr authentication failed: -13", "authorization to mon failed", "no secret set (for auth_x"}},
	{has: "IO ERROR: neither local nor remote data", kind: incident.DRBDQuorum, device: drbdResource},
	{has: "drbd", kind: incident.DRBDNet, device: drbdResource, or: []string{"sock_recvmsg returned -", "sock_sendmsg returned -"}},
	{has: "drbd", kind: incident.DRBDDisk, device: drbdResource, or: []string{"local READ IO error sector", "local WRITE IO error sector"}},
	{has: "rdma_resolve_", kind: incident.NVMeOFConn, and: "nvme", or: []string{" failed ("}},
	{has: "rejected due to DataDigest error", kind: incident.ISCSIConn, device: nothing},
	{has: "Connect command failed", kind: incident.NVMeOFConn, and: "nvme", not: []string{"authentication"}},
	{has: " digest error: recv ", kind: incident.NVMeOFConn, and: "nvme"},
	{has: "is not allowed, hostnqn: ", kind: incident.Refused, device: nothing},
	{has: "connect request for invalid subsystem ", kind: incident.Refused, device: nothing},
	{has: "authentication failed", kind: incident.Refused, device: nothing, and: "nvme", or: []string{"qid "}},
	{has: "drbd", kind: incident.DRBDNet, device: drbdResource, or: []string{"sock_sendmsg time expired", "failed to answer a P_BARRIER", "short read (expected size"}},
	{has: "drbd", kind: incident.DRBDDisk, device: drbdResource, or: []string{"failed to meet the disk-timeout", "meta-data IO operation timed out", "on bitmap page idx", "drbd_md_sync_page_io(", "meta data update failed!", "disk failed while waiting for md_io", "Disk broke down during resync!"}},
	{has: "drbd", kind: incident.DRBDSplit, device: drbdResource, or: []string{"Can only connect to data with current UUID", "but I am primary!"}},
	{has: "drbd", kind: incident.Refused, device: drbdResource, or: []string{"Implicit shrink not allowed", "peer's device size is too small!", "refusing to truncate a consistent device"}},
	{has: "Refusing to be Primary while peer is not outdated", kind: incident.DRBDRefused, device: drbdResource},
	{has: "NFS: ", kind: incident.NFSDown, device: nothing, and: ": lost ", or: []string{" locks"}},
	{has: " unhandled error ", kind: incident.NFSDown, device: nothing, and: "NFS: "},
	{has: "Removing controller", kind: incident.NVMeOFConn, and: "nvme nvme"},
	{has: "NVME-FC{", kind: incident.NVMeOFConn, or: []string{"controller connectivity lost", "transport association event", "Max reconnect attempts", "reconnect failure", "dev_loss_tmo ("}},
	{has: " for CQE 0x", kind: incident.NVMeOFConn, and: "nvme", or: []string{"failed with status"}},
	{has: "(sct 0x3 / sc 0x1)", kind: incident.NVMeOFConn}, // asymmetric access: lost, inaccessible, in transition
	{has: "(sct 0x3 / sc 0x2)", kind: incident.NVMeOFConn},
	{has: "(sct 0x3 / sc 0x3)", kind: incident.NVMeOFConn},
	{has: "(sct 0x3 / sc 0x60)", kind: incident.NVMeOFConn},
	{has: "Devloss timeout on WWPN", kind: incident.FCDown, device: nothing},
	{has: "end error in SessSetup = -13", kind: incident.Refused, device: nothing},
	{has: "BAD_NETWORK_NAME: ", kind: incident.Refused, device: nothing, and: "CIFS"},
}
