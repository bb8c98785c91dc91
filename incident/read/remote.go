package read

import "assay/incident"

var sessionSignatures = []signature{
	{has: "session recovery timed out", kind: incident.ISCSIDead, device: nothing},
	{has: "detected conn error", kind: incident.ISCSIConn, device: nothing},
	{has: "ping timeout of", kind: incident.ISCSIConn, device: nothing},
	{has: "Kernel reported iSCSI connection", kind: incident.ISCSIConn, device: nothing},
	{has: "iscsid", kind: incident.ISCSIConn, device: nothing, or: []string{"No route to host", "Connection refused", "connect to ", "cannot make connection", "Connection timed out"}},
	{has: "iSCSI Login negotiation failed", kind: incident.ISCSILogin, device: nothing},
	{has: "login rejected", kind: incident.ISCSILogin, device: nothing},
	{has: "initiator reported error", kind: incident.ISCSILogin, device: nothing},
	{has: "starting error recovery", kind: incident.NVMeOFConn, and: "nvme"},
	{has: "Reconnecting in ", kind: incident.NVMeOFConn, and: "nvme"},
	{has: "Failed reconnect attempt", kind: incident.NVMeOFConn, and: "nvme"},
	{has: "failed to connect socket", kind: incident.NVMeOFConn},
	{has: "failed to send request -", kind: incident.NVMeOFConn},
	{has: "failed nvme_keep_alive_end_io", kind: incident.NVMeOFConn},
	{has: "keep-alive timer", kind: incident.NVMeOFConn, device: nothing},
	{has: "not responding, ", kind: incident.NFSDown, and: "server", device: after("server ")},
	{has: "not responding, still trying", kind: incident.NFSDown, device: after("server ")},
	{has: "CIFS: VFS: ", kind: incident.NFSDown, or: []string{"has not responded in"}, device: after("VFS: ")},
	{has: "CIFS VFS: Server ", kind: incident.NFSDown, or: []string{"has not responded in"}, device: after("Server ")},
	{has: "torage '", kind: incident.NFSDown, device: nothing, and: "' is not online"}, // Proxmox VE
	{has: "RPC: Port mapper failure", kind: incident.NFSDown, device: nothing},
	{has: "RPC: Unable to receive", kind: incident.NFSDown, device: nothing},
	{has: "mount.nfs: Connection timed out", kind: incident.NFSDown, device: nothing},
	{has: "mount.nfs: Connection refused", kind: incident.NFSDown, device: nothing},
	{has: "mount.nfs: mount system call failed", kind: incident.NFSDown, device: nothing},
	{has: "NFS: state manager: ", kind: incident.NFSDown, device: after("server "), and: "failed on NFSv4 server"},
	{has: "nfs4_reclaim_open_state: ", kind: incident.NFSDown, device: nothing, and: "Lock reclaim failed"},
	{has: "cifs_mount failed w/return code = -1", kind: incident.NFSDown, device: nothing, or: []string{"-110", "-111", "-112", "-113", "-115"}},
	{has: "o response to echo in", kind: incident.NFSDown, device: nothing},
	{has: "sends on sock", kind: incident.NFSDown, device: nothing, and: "stuck for 15 seconds"}, // CIFS
	{has: "tale file handle", kind: incident.NFSStale, device: nothing},
	{has: "tale NFS file handle", kind: incident.NFSStale, device: nothing},
	{has: "iSCSI Login timeout on Network Portal", kind: incident.ISCSIConn, device: nothing},
	{has: "Login authentication failed with target", kind: incident.ISCSILogin, device: nothing},
	{has: "no ping reply (NOP-Out) after", kind: incident.ISCSIConn, device: nothing},               // FreeBSD's ctld
	{has: "no ping reply (NOP-In) after", kind: incident.ISCSIConn, device: nothing},                // FreeBSD's iscsi
	{has: "Did not receive response to NOPIN on CID", kind: incident.ISCSIConn, device: nothing},    // LIO
	{has: "ABORT_TASK: Found referenced iSCSI task_tag", kind: incident.ISCSIConn, device: nothing}, // LIO
	{has: "iSCSI connection lost", kind: incident.ISCSIConn, device: nothing},
	{has: "Target failed to respond in time for a NOP-Out", kind: incident.ISCSIConn, device: nothing}, // Windows
	{has: "iscsi_sw_tcp", kind: incident.ISCSIConn, device: nothing, or: []string{"failed", "timed out"}},
	{has: "Error while reconnecting to TargetName", kind: incident.ISCSIConn, device: nothing},
	{has: "Lost access to volume", kind: incident.ISCSIDead, device: nothing, and: "connectivity issues"}, // ESXi
	{has: "Lost connectivity to storage device", kind: incident.ISCSIDead, device: nothing},               // ESXi
	{has: "APD", kind: incident.ISCSIDead, device: nothing, or: []string{"esx.problem.storage.apd.start", "has entered the All Paths Down state"}},
	{has: "checker reports path is down", kind: incident.PathFailed, device: before(" - ")},
	{has: "checker failed path ", kind: incident.PathFailed, device: nothing},
	{has: "Fail all paths", kind: incident.PathFailed, device: nothing},
	{has: "no usable path - requeuing I/O", kind: incident.NVMeOFConn},
	{has: "no available path - failing I/O", kind: incident.NVMeOFConn},
	{has: "Removing ctrl: NQN", kind: incident.NVMeOFConn, and: "nvme", or: []string{"reconnect"}},
	{has: "blocked FC remote port time out", kind: incident.FCDown, device: nothing},
	{has: "Cable is unplugged", kind: incident.FCDown, device: nothing},
	{has: "LOOP DOWN", kind: incident.FCDown, device: nothing},
	{has: "Link Down Event", kind: incident.FCDown, and: "lpfc", device: nothing},
	{has: "iscsiadm: ", kind: incident.ISCSIConn, device: nothing, or: []string{"cannot make connection", "connection login retries", "connect to ", "discovery login to", "Could not perform SendTargets discovery"}},
	{has: "rx_data returned 0, expecting 48", kind: incident.ISCSIConn, device: nothing}, // LIO
	{has: "Time2Retain timer expired", kind: incident.ISCSIDead, device: nothing},        // LIO
	{has: "mount error(1", kind: incident.NFSDown, device: nothing, or: []string{"(110)", "(111)", "(112)", "(113)", "(115)"}},
	{has: "Error connecting to socket. Aborting operation", kind: incident.NFSDown, device: nothing},
	{has: "RPC: Program not registered", kind: incident.NFSDown, device: nothing},
	{has: "nfs4_discover_server_trunking unhandled error", kind: incident.NFSDown, device: nothing},
	{has: "fileid changed", kind: incident.NFSStale, device: nothing, and: "server"},
	{has: "RPC: Timed out", kind: incident.NFSDown, device: nothing},
	{has: "mount.nfs: No route to host", kind: incident.NFSDown, device: nothing},
	{has: "mount.nfs: Network is unreachable", kind: incident.NFSDown, device: nothing},
	{has: "fs server ", kind: incident.NFSDown, device: after("fs server "), or: []string{": not responding", "is not responding"}}, // the BSDs
}

var engineSignatures = []signature{
	{has: "PingAck did not arrive", kind: incident.DRBDNet, device: drbdResource},
	{has: "NetworkFailure", kind: incident.DRBDNet, device: drbdResource, and: "conn"},
	{has: "BrokenPipe", kind: incident.DRBDNet, device: drbdResource, and: "conn"},
	{has: "sock was shut down by peer", kind: incident.DRBDNet, device: drbdResource},
	{has: "meta connection shut down by peer", kind: incident.DRBDNet, device: drbdResource},
	{has: "Split-Brain detected", kind: incident.DRBDSplit, device: drbdResource},
	{has: "drbdadm split-brain", kind: incident.DRBDSplit, device: drbdResource},
	{has: "StandAlone", kind: incident.DRBDAlone, device: drbdResource, or: []string{"drbd", "conn", "connection:"}, not: []string{"StandAlone ->", "Disconnecting -> StandAlone"}}, // as when it is set up or taken down
	{has: "-> Failed", kind: incident.DRBDDisk, device: drbdResource, and: "disk("},
	{has: "-> Diskless", kind: incident.DRBDDisk, device: drbdResource, and: "disk(", not: []string{"taching -> Diskless"}},
	{has: "ocal IO failed", kind: incident.DRBDDisk, device: drbdResource},
	{has: "yes -> no", kind: incident.DRBDQuorum, device: drbdResource, and: "quorum("},
	{has: "-> Timeout", kind: incident.DRBDNet, device: drbdResource, and: "conn( "},
	{has: "drbd ", kind: incident.DRBDNet, device: drbdResource, or: []string{"Remote failed to finish a request within", "Timed out waiting for missing ack packets", "sending time expired", "connection:Connecting"}},
	{has: "connection:Connecting", kind: incident.DRBDNet, device: nothing}, // drbdadm status
	{has: "Digest integrity check FAILED", kind: incident.DRBDDamaged, device: drbdResource},
	{has: "susp-io( no -> quorum", kind: incident.DRBDQuorum, device: drbdResource},
	{has: "suspended:quorum", kind: incident.DRBDQuorum, device: nothing},
	{has: "disk:Failed", kind: incident.DRBDDisk, device: nothing},
	{has: "has no access to up-to-date data", kind: incident.DRBDQuorum, device: drbdResource},
	{has: "heartbeat_check: no reply", kind: incident.CephNoReply, device: after("no reply from ")},
	{has: "RECENT_CRASH", kind: incident.CephCrash, device: nothing},
	{has: "daemons have recently crashed", kind: incident.CephCrash, device: nothing},
	{has: "FAILED ceph_assert", kind: incident.CephCrash, device: nothing},
	{has: "ceph_abort_msg(", kind: incident.CephCrash, device: nothing},
	{has: "*** Caught signal (", kind: incident.CephCrash, device: nothing, or: []string{"Aborted", "Segmentation fault"}},
	{has: "reported immediately failed", kind: incident.CephDown, device: osd},
	{has: "bdev", kind: incident.CephIO, device: nothing, and: "read error", or: []string{"(5) Input/output error"}},
	{has: "OSD_SLOW_PING_TIME", kind: incident.CephSlowPing, device: nothing},
	{has: "low OSD heartbeats", kind: incident.CephSlowPing, device: nothing},
	{has: "OSD_TOO_MANY_REPAIRS", kind: incident.CephIO, device: nothing},
	{has: "oo many repaired reads", kind: incident.CephIO, device: nothing},
	{has: "This may suggest HW issue", kind: incident.CephIO, device: osd},
	{has: "_aio_thread got r=-5", kind: incident.CephIO, device: nothing},
	{has: "bluefs mount failed", kind: incident.OSDStore, device: nothing},
	{has: "unable to mount object store", kind: incident.OSDStore, device: osd},
	{has: "BLUESTORE_SLOW_OP", kind: incident.CephStalled, device: nothing},
	{has: "stalled read", kind: incident.CephStalled, device: before(" ")},
	{has: "slow operation observed", kind: incident.CephStalled, device: osd},
	{has: "slow operations in BlueStore", kind: incident.CephStalled, device: osd},
	{has: "slow ops", kind: incident.CephSlow, device: osd},
	{has: "SLOW_OPS", kind: incident.CephSlow, device: osd},
	{has: "slow request", kind: incident.CephSlow, device: osd},
	{has: "REQUEST_SLOW", kind: incident.CephSlow, device: osd},
	{has: "MON_CLOCK_SKEW", kind: incident.ClockSkew, device: nothing},
	{has: "lock skew", kind: incident.ClockSkew, device: nothing, or: []string{"detected", "mon", "etcd", "s > max"}},
	{has: "OSD_NEARFULL", kind: incident.CephFull, device: nothing},
	{has: "OSD_FULL", kind: incident.CephFull, device: nothing},
	{has: "POOL_FULL", kind: incident.CephFull, device: nothing},
	{has: "OSD_BACKFILLFULL", kind: incident.CephFull, device: nothing},
	{has: "full osd(s)", kind: incident.CephFull, device: nothing},
	{has: "is full at ", kind: incident.CephFull, device: osd},
	{has: "OSD_SCRUB_ERRORS", kind: incident.CephScrub, device: nothing},
	{has: "scrub errors", kind: incident.CephScrub, device: nothing},
	{has: "scrub error", kind: incident.CephScrub, device: nothing},
	{has: "PG_DAMAGED", kind: incident.CephScrub, device: nothing},
	{has: "inconsistent", kind: incident.CephScrub, device: nothing, and: "pg "},
	{has: "candidate had a read error", kind: incident.CephScrub, device: osd},
	{has: "OSD_DOWN", kind: incident.CephDown, device: nothing},
	{has: "osds down", kind: incident.CephDown, device: nothing},
	{has: "osd.", kind: incident.CephDown, device: osd, or: []string{"is down", "marked down", "reported failed"}},
	{has: "MON_DOWN", kind: incident.CephMonDown, device: nothing},
	{has: "PG_AVAILABILITY", kind: incident.CephDegraded, device: nothing},
	{has: "PG_DEGRADED", kind: incident.CephDegraded, device: nothing},
	{has: "\"read_error\"", kind: incident.CephIO, device: nothing}, // rados list-inconsistent-obj
	{has: "libceph: osd", kind: incident.CephDown, device: after("libceph: "), or: []string{" down"}},
	{has: "libceph: ", kind: incident.CephSocket, device: after("libceph: "), or: []string{"socket closed", "socket error", "hunting for new mon", "connect error", "session lost"}},
	{has: "blocklisted", kind: incident.RBDBlocked, device: nothing},
	{has: "blacklisted", kind: incident.RBDBlocked, device: nothing, or: []string{"rbd", "libceph", "client"}},
	{has: "split-brain", kind: incident.ReplicaSplit, device: nothing, or: []string{"lookup", "afr_", "gfid", "possible", "replicate", "Is in"}},
	{has: "ransport endpoint is not connected", kind: incident.GlusterDown, device: nothing, or: []string{"-client-", "gluster"}},
	{has: "Need access to UpToDate data", kind: incident.DRBDRefused, device: drbdResource},
	{has: "Refusing to be Primary without at least one UpToDate disk", kind: incident.DRBDRefused, device: drbdResource},
	{has: "Multiple primaries not allowed by config", kind: incident.DRBDRefused, device: drbdResource},
	{has: "MDS_ALL_DOWN", kind: incident.CephDegraded, device: nothing},
	{has: "FS_DEGRADED", kind: incident.CephDegraded, device: nothing},
	{has: "filesystem is offline", kind: incident.CephDegraded, device: nothing, and: "HEALTH_"},
	{has: "OBJECT_UNFOUND", kind: incident.CephDegraded, device: nothing},
	{has: "All subvolumes are down", kind: incident.GlusterDown, device: nothing},
	{has: "lient-quorum is not met", kind: incident.QuorumLost, device: nothing},
	{has: "erver quorum not met", kind: incident.QuorumLost, device: nothing},
	{has: "rite quorum could not be established", kind: incident.QuorumLost, device: nothing}, // MinIO
	{has: "ead quorum could not be established", kind: incident.QuorumLost, device: nothing},
	{has: "seconds, disconnecting.", kind: incident.GlusterDown, and: "has not responded in the last", device: nothing},
	{has: "Reduced data availability", kind: incident.CephDegraded, device: nothing},
	{has: " pgs degraded", kind: incident.CephDegraded, device: nothing},
	{has: " pgs stuck ", kind: incident.CephDegraded, device: nothing},
	{has: " pgs inactive", kind: incident.CephDegraded, device: nothing},
	{has: "authenticate timed out after", kind: incident.CephMonDown, and: "monclient", device: nothing},
	{has: "block nbd", kind: incident.CommandTimeout, or: []string{"Connection timed out", "Possible stuck request"}},
	{has: "R/W Timeout", kind: incident.EngineSlow, device: nothing},
	{has: "r/w timeout", kind: incident.EngineSlow, device: nothing},
	{has: "etting replica", kind: incident.ReplicaError, device: nothing, or: []string{"to ERR", "mode ERR", "to error"}},
	{has: "replica", kind: incident.ReplicaError, device: nothing, or: []string{"mode to ERR", "mode ERR", "mark as error", "as ERR", "monitoring failed", "failed to write", "failed to read", "Failed to rebuild", "becomes faulty", "is faulted", "failed to sync"}},
	{has: "Backend tcp://", kind: incident.ReplicaError, device: nothing},
	{has: "DetachedUnexpectedly", kind: incident.EngineFault, device: nothing},
	{has: "etachedUnexpect", kind: incident.EngineFault, device: nothing},
	{has: "robustness", kind: incident.EngineFault, device: nothing, and: "faulted"},
	{has: "robustness", kind: incident.ReplicaError, device: nothing, and: "degraded"},
	{has: "ll replicas are failed", kind: incident.EngineFault, device: nothing},
	{has: "annot auto salvage volume", kind: incident.EngineFault, device: nothing},
	{has: "ReplicaSchedulingFailure", kind: incident.ReplicaError, device: nothing},
	{has: "unable to find a healthy replica", kind: incident.EngineFault, device: nothing},
	{has: "no healthy replica", kind: incident.EngineFault, device: nothing},
	{has: "etected engine ", kind: incident.EngineFault, device: nothing, or: []string{"in error", "unexpected"}},
	{has: "Detected replica ", kind: incident.ReplicaError, and: "in error", device: nothing},
	{has: " became faulted", kind: incident.EngineFault, and: "olume ", device: nothing},
	{has: " became degraded", kind: incident.ReplicaError, and: "olume ", device: nothing},
	{has: "olume became degraded", kind: incident.ReplicaError, device: nothing},
	{has: "ngine dead unexpectedly", kind: incident.EngineFault, device: nothing},
	{has: "ngine process", kind: incident.EngineFault, device: nothing, or: []string{"dead", "stopped unexpectedly", "exited", "error"}},
	{has: "low on resource: ephemeral-storage", kind: incident.DiskPressure, device: nothing},
	{has: "FreeDiskSpaceFailed", kind: incident.DiskPressure, device: nothing},
	{has: "ImageGCFailed", kind: incident.DiskPressure, device: nothing},
	{has: "node.kubernetes.io/disk-pressure", kind: incident.DiskPressure, device: nothing, and: "taint"},
	{has: "which is over the high threshold", kind: incident.DiskPressure, device: nothing, and: "isk usage on image filesystem"},
	{has: "attempting to reclaim ephemeral-storage", kind: incident.DiskPressure, device: nothing},
	{has: "Attempting to reclaim ephemeral-storage", kind: incident.DiskPressure, device: nothing},
	{has: "attempting to reclaim inodes", kind: incident.DiskPressure, device: nothing},
	{has: "DiskPressure", kind: incident.DiskPressure, device: nothing, not: []string{"DiskPressure   False", "HasNoDiskPressure", "DiskPressure False"}},
	{has: "rror reading from wire", kind: incident.ReplicaError, device: nothing}, // Longhorn's engine
	{has: "dataconn.(*Client)", kind: incident.ReplicaError, device: nothing, and: "level=error"},
	{has: "is not ready for workloads", kind: incident.EngineFault, device: nothing, and: "olume "},
	{has: "annot get backend for replica", kind: incident.ReplicaError, device: nothing},
	{has: "insufficient storage;precheck new replica failed", kind: incident.ReplicaError, device: nothing},
	{has: "No available disk candidates to create a new replica", kind: incident.ReplicaError, device: nothing},
	{has: "nstance manager", kind: incident.EngineFault, device: nothing, or: []string{"in error", "in unexpected state", "state error", "was deleted unexpectedly", "crashed"}},
	{has: "nexus ", kind: incident.ReplicaError, device: nothing, or: []string{"child faulted", "faulting child", "Faulting child", "child failed"}}, // Mayastor
	{has: "nrelated data, aborting!", kind: incident.DRBDSplit, device: drbdResource},
	{has: "wrongly marked me down", kind: incident.CephMarked, device: osd},
	{has: "heartbeat_map is_healthy", kind: incident.CephSlow, device: nothing, and: "had timed out"},
	{has: "had suicide timed out", kind: incident.CephCrash, device: nothing},
	{has: "MDS_SLOW_METADATA_IO", kind: incident.CephSlow, device: nothing},
	{has: "MDS_SLOW_REQUEST", kind: incident.CephSlow, device: nothing},
	{has: "slow metadata IOs", kind: incident.CephSlow, device: nothing},
	{has: "_replay fsck", kind: incident.OSDStore, device: nothing, or: []string{"error"}},
	{has: "_open_db erroring opening db", kind: incident.OSDStore, device: nothing},
	{has: "osd init failed: (", kind: incident.OSDStore, device: nothing, not: []string{"(1) ", "(13) ", "(2) "}},
	{has: "_verify_csum bad crc32c/", kind: incident.CephScrub, device: nothing},
	{has: "State: Peer in Cluster (Disconnected)", kind: incident.GlusterDown, device: nothing},
	{has: "until brick's port is available", kind: incident.GlusterDown, device: nothing},
	{has: "Server quorum lost for volume", kind: incident.QuorumLost, device: nothing},
	{has: "Could not reach quorum of", kind: incident.QuorumLost, device: nothing},                  // Garage
	{has: "torage resources are insufficient for the ", kind: incident.QuorumLost, device: nothing}, // MinIO
	{has: "o connection to satellite", kind: incident.DRBDNet, device: nothing},
	{has: "POOL_NEARFULL", kind: incident.CephFull, device: nothing},
	{has: "PG_RECOVERY_FULL", kind: incident.CephFull, device: nothing},
	{has: "PG_BACKFILL_FULL", kind: incident.CephFull, device: nothing},
	{has: "no mds server is up", kind: incident.CephDegraded, device: nothing},
	{has: "failed to get mon quorum", kind: incident.CephMonDown, device: nothing}, // Rook
	{has: "no backend available", kind: incident.EngineFault, device: nothing},     // Longhorn's engine
	{has: "longhorn", kind: incident.EngineFault, device: nothing, and: "level=error", or: []string{"ailed to attach", "ailed to salvage", "ailed to rebuild", "ailed to start engine"}},
}

// drbdResource is the resource or device that a line of DRBD is about.
func drbdResource(text string) string {
	if name := device(text); name != "" {
		return name
	}
	for _, mark := range []string{"drbd ", "resource: "} {
		if w := after(mark)(text); w != "" {
			return w
		}
	}
	return ""
}

// osd is the first OSD that a line names.
func osd(text string) string {
	if id := after("osd.")(text); id != "" && id[0] >= '0' && id[0] <= '9' {
		return "osd." + id
	}
	return ""
}

// lentPorts are ports of containers and guests, which come and go with them.
var lentPorts = []string{"veth", "docker", "br-", "cali", "cni", "virbr", "tap", "fwpr", "fwln", "lxc"}

var networkSignatures = []signature{
	{has: "NETDEV WATCHDOG", kind: incident.NICHang, device: port},
	{has: "Detected Hardware Unit Hang", kind: incident.NICHang, device: port},
	{has: "Detected Tx Unit Hang", kind: incident.NICHang, device: port},
	{has: "transmit timed out", kind: incident.NICHang, device: port},
	{has: "PCIe link lost", kind: incident.PCIeDown, device: pci},
	{has: "rtl_rxtx_empty_cond", kind: incident.NICHang, device: port}, // r8169
	{has: "rtl_chipcmd_cond", kind: incident.NICHang, device: port},
	{has: "rtl_ephyar_cond", kind: incident.NICHang, device: port},
	{has: "TX driver issue detected", kind: incident.NICHang, device: port}, // i40e
	{has: "tx_timeout: VSI_seid", kind: incident.NICHang, device: port},     // i40e
	{has: "initiating reset due to tx timeout", kind: incident.NICHang, device: port},
	{has: "Fake Tx hang detected", kind: incident.NICHang, device: port},
	{has: "Reset adapter unexpectedly", kind: incident.NICHang, device: port},
	{has: "Failed to reset adapter", kind: incident.NICHang, device: port},
	{has: "FW/driver mcp assert", kind: incident.NICHang, device: port}, // bnx2x
	{has: "MC assert!", kind: incident.NICHang, device: port, and: "bnx2x"},
	{has: "bnx2x_attn_int_deasserted", kind: incident.NICHang, device: port},
	{has: "UE Detected!!", kind: incident.NICHang, device: nothing, and: "be2net"},
	{has: "Unrecoverable Error detected in the adapter", kind: incident.NICHang, device: nothing},
	{has: "Firmware not responding", kind: incident.NICHang, device: port, and: "bnxt"},
	{has: "Error (timeout:", kind: incident.NICHang, device: port, and: "bnxt_en"},
	{has: "hw csum failure", kind: incident.NICHang, device: before(": hw csum")},
	{has: "will cause a leak of a command resource", kind: incident.NICHang, device: nothing, and: "mlx"},
	{has: "poll_health", kind: incident.NICHang, device: nothing, and: "mlx", or: []string{"not incrementing", "Fatal error"}},
	{has: "r8152", kind: incident.NICHang, device: port, or: []string{"Tx timeout", "Tx status -", "Stop submitting intr, status"}},
	{has: "Failed to read reg index", kind: incident.NICHang, device: port, or: []string{"ax88179", "smsc95xx", "lan78xx"}},
	{has: "bond", kind: incident.BondDown, device: port, or: []string{"now running without any active interface"}},
	{has: "No 802.3ad response from the link partner", kind: incident.BondAlone, device: port},
	{has: "with own address as source address", kind: incident.NetworkLoop, device: after("received packet on ")},
	{has: "address conflict was detected", kind: incident.AddressTwice, device: port}, // systemd-networkd
	{has: "eighbour table overflow", kind: incident.NeighborMax, device: nothing},
	{has: "eighbor table overflow", kind: incident.NeighborMax, device: nothing},
	{has: "unsupported SFP+ module type was detected", kind: incident.NICDown, device: port},
	{has: "uplicate address detected", kind: incident.AddressTwice, device: port},
	{has: "duplicate address", kind: incident.AddressTwice, device: port, or: []string{" detected!", "DAD"}},
	{has: "is using my IP address", kind: incident.AddressTwice, device: after(" on ")}, // FreeBSD
	{has: "IP address conflict", kind: incident.AddressTwice, device: port},
	{has: "onflict detected for", kind: incident.AddressTwice, device: port, or: []string{"IP", "address", "ACD"}},
	{has: "DUP!)", kind: incident.AddressTwice, device: nothing, and: "icmp_seq"},
	{has: "possible MTU misconfiguration detected", kind: incident.MTUDiffers, device: nothing}, // corosync
	{has: "reported MTU: ", kind: incident.MTUDiffers, device: nothing, and: "misconfigur"},
	{has: "health compromised", kind: incident.NICHang, and: "mlx", device: nothing},
	{has: "transmit queue", kind: incident.NICHang, and: "timed out", device: nothing},
	{has: "link status definitely down", kind: incident.BondDown, device: port},
	{has: "Cable unplugged", kind: incident.NICDown, device: port},
	{has: "ink is Down", kind: incident.NICDown, device: port},
	{has: "ink is down", kind: incident.NICDown, device: port},
	{has: "ink Down", kind: incident.NICDown, device: port, not: []string{"lpfc", "pciehp", "LOOP"}},
	{has: "ost carrier", kind: incident.NICDown, device: port, not: lentPorts},
	{has: "carrier lost", kind: incident.NICDown, device: port, not: lentPorts},
	{has: "carrier: link disconnected", kind: incident.NICDown, device: port},
	{has: "(reason 'carrier-changed'", kind: incident.NICDown, device: port, and: "-> unavailable"},
	{has: ": Link down", kind: incident.NICDown, device: port},
	{has: ": link down", kind: incident.NICDown, device: port, not: []string{"pcie"}},
	{has: "Microcode SW error detected", kind: incident.NICHang, device: nothing},
	{has: "entered disabled state", kind: incident.NICDown, device: after("("), and: "(enp"},
	{has: ": port in use without a link", kind: incident.NICNoLink, device: port},
	{has: "Link is Up", kind: incident.NICSlow, or: []string{" 100 Mbps", "100Mbps", " 10 Mbps", "- 10Mbps"}, device: port},
	{has: "ink is up at 100", kind: incident.NICSlow, or: []string{"100 Mbps"}, device: port},
	{has: "Link is Up", kind: incident.NICUp, device: port},
	{has: "TOTEM ] Retransmit List", kind: incident.ClusterNet, device: nothing},
	{has: "Token has not been received", kind: incident.ClusterNet, device: nothing},
	{has: "processor failed, forming new configuration", kind: incident.ClusterNet, device: nothing},
	{has: "KNET  ] link: host:", kind: incident.ClusterNet, and: "is down", device: nothing},
	{has: "has no active links", kind: incident.ClusterNet, and: "KNET", device: nothing},
	{has: "FAILED TO RECEIVE", kind: incident.ClusterNet, and: "TOTEM", device: nothing},
	{has: "ncrementing problem counter for", kind: incident.ClusterNet, device: nothing}, // corosync 2, of a ring
	{has: "Marking ringid", kind: incident.ClusterNet, and: "FAULTY", device: nothing},
	{has: "has been idle for ", kind: incident.ClusterNet, and: "shutting it down", device: nothing}, // o2net
	{has: "Failed to receive the leave message", kind: incident.MemberLost, device: nothing},
	{has: "state is now lost", kind: incident.MemberLeft, device: nothing}, // of one that is shut down too
	{has: "left the cluster", kind: incident.MemberLeft, device: nothing, or: []string{"DC node"}},
	{has: "Servant cluster is outdated", kind: incident.MemberLost, device: nothing},
	{has: "Servant pcmk is outdated", kind: incident.MemberLost, device: nothing},
	{has: "peer is no longer part of the cluster", kind: incident.MemberLost, device: nothing},
	{has: "within the non-primary component", kind: incident.MemberLost, device: nothing},
	{has: "node lost quorum", kind: incident.MemberLost, device: nothing}, // pmxcfs
	{has: "cluster not ready - no quorum?", kind: incident.MemberLeft, device: nothing},
	{has: "=> wait_for_quorum", kind: incident.MemberLost, device: nothing},
	{has: "=> lost_agent_lock", kind: incident.MemberLost, device: nothing},
	{has: "watchdog expired - disable watchdog updates", kind: incident.MemberLost, device: nothing},
	{has: "uorum dissolved", kind: incident.MemberLost, device: nothing},
	{has: "nf_conntrack: table full", kind: incident.ConntrackMax, device: nothing},
	{has: "nf_conntrack: nf_conntrack: table full", kind: incident.ConntrackMax, device: nothing},
	{has: "no route to host", kind: incident.NoRoute, device: nothing},
	{has: "No route to host", kind: incident.NoRoute, device: nothing},
	{has: "etwork is unreachable", kind: incident.NoRoute, device: nothing, not: []string{"RTNETLINK"}},
	{has: "i/o timeout", kind: incident.NoRoute, device: nothing, or: []string{"dial tcp", "read tcp"}},
	{has: "tx hang", kind: incident.NICHang, device: port, and: "vmxnet3"},
	{has: "TX timeout on queue", kind: incident.NICHang, device: port},
	{has: "tg3_stop_block timed out", kind: incident.NICHang, device: port},
	{has: "Internal error detected on the communication channel", kind: incident.NICHang, device: nothing, and: "mlx4"},
	{has: ": tx_timeout", kind: incident.NICHang, device: port},
	{has: "rtl_txcfg_empty_cond", kind: incident.NICHang, device: port},
	{has: "CTRL-EVENT-DISCONNECTED", kind: incident.NICDown, device: port, not: []string{"locally_generated=1"}},
	{has: "deauthenticated from ", kind: incident.NICDown, device: port},
	{has: "onnection to AP ", kind: incident.NICDown, device: port, and: " lost"},
	{has: "rag needed and DF set", kind: incident.MTUDiffers, device: nothing},
	{has: "MACFLAP_NOTIF", kind: incident.NetworkLoop, device: nothing},
	{has: "is flapping between port", kind: incident.NetworkLoop, device: nothing},
	{has: "turning isolation on", kind: incident.MemberLost, device: nothing}, // Galera
	{has: "igh temperature", kind: incident.Warm, device: nothing, and: "mlx5"},
	{has: "link status down for", kind: incident.BondDown, device: port, and: "interface"},
	{has: "link change old ", kind: incident.NICDown, device: port, and: " new 0"},             // atlantic
	{has: "Port module event", kind: incident.NICDamaged, device: nothing, and: "Cable error"}, // mlx5
	{has: "module transmit fault", kind: incident.NICDamaged, device: nothing},                 // sfp
	{has: "TX timeout detected", kind: incident.NICHang, device: port},
}
