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
	{has: "tale file handle", kind: incident.NFSStale, device: nothing},
	{has: "tale NFS file handle", kind: incident.NFSStale, device: nothing},
	{has: "iSCSI Login timeout on Network Portal", kind: incident.ISCSIConn, device: nothing},
	{has: "Login authentication failed with target", kind: incident.ISCSILogin, device: nothing},
	{has: "blocked FC remote port time out", kind: incident.FCDown, device: nothing},
	{has: "LOOP DOWN", kind: incident.FCDown, device: nothing},
	{has: "Link Down Event", kind: incident.FCDown, and: "lpfc", device: nothing},
}

var engineSignatures = []signature{
	{has: "PingAck did not arrive", kind: incident.DRBDNet, device: drbdResource},
	{has: "NetworkFailure", kind: incident.DRBDNet, device: drbdResource, and: "conn"},
	{has: "BrokenPipe", kind: incident.DRBDNet, device: drbdResource, and: "conn"},
	{has: "sock was shut down by peer", kind: incident.DRBDNet, device: drbdResource},
	{has: "meta connection shut down by peer", kind: incident.DRBDNet, device: drbdResource},
	{has: "Split-Brain detected", kind: incident.DRBDSplit, device: drbdResource},
	{has: "drbdadm split-brain", kind: incident.DRBDSplit, device: drbdResource},
	{has: "StandAlone", kind: incident.DRBDAlone, device: drbdResource, or: []string{"drbd", "conn", "connection:"}},
	{has: "-> Failed", kind: incident.DRBDDisk, device: drbdResource, and: "disk("},
	{has: "-> Diskless", kind: incident.DRBDDisk, device: drbdResource, and: "disk("},
	{has: "ocal IO failed", kind: incident.DRBDDisk, device: drbdResource},
	{has: "yes -> no", kind: incident.DRBDQuorum, device: drbdResource, and: "quorum("},
	{has: "-> Timeout", kind: incident.DRBDNet, device: drbdResource, and: "conn( "},
	{has: "heartbeat_check: no reply", kind: incident.CephNoReply, device: after("no reply from ")},
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
	{has: "osd.", kind: incident.CephDown, device: osd, or: []string{"is down", "marked down", "reported failed", "wrongly marked me down"}},
	{has: "MON_DOWN", kind: incident.CephMonDown, device: nothing},
	{has: "PG_AVAILABILITY", kind: incident.CephDegraded, device: nothing},
	{has: "PG_DEGRADED", kind: incident.CephDegraded, device: nothing},
	{has: "\"read_error\"", kind: incident.CephIO, device: nothing}, // rados list-inconsistent-obj
	{has: "libceph: osd", kind: incident.CephDown, device: after("libceph: "), or: []string{" down"}},
	{has: "libceph: ", kind: incident.CephSocket, device: after("libceph: "), or: []string{"socket closed", "socket error", "hunting for new mon", "connect error", "session lost"}},
	{has: "blocklisted", kind: incident.RBDBlocked, device: nothing},
	{has: "blacklisted", kind: incident.RBDBlocked, device: nothing, or: []string{"rbd", "libceph", "client"}},
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
	{has: "Detected replica ", kind: incident.ReplicaError, and: "in error", device: nothing},
	{has: " became faulted", kind: incident.EngineFault, and: "olume ", device: nothing},
	{has: " became degraded", kind: incident.ReplicaError, and: "olume ", device: nothing},
	{has: "olume became degraded", kind: incident.ReplicaError, device: nothing},
	{has: "ngine dead unexpectedly", kind: incident.EngineFault, device: nothing},
	{has: "ngine process", kind: incident.EngineFault, device: nothing, or: []string{"dead", "stopped unexpectedly", "exited", "error"}},
	{has: "low on resource: ephemeral-storage", kind: incident.DiskPressure, device: nothing},
	{has: "FreeDiskSpaceFailed", kind: incident.DiskPressure, device: nothing},
	{has: "DiskPressure", kind: incident.DiskPressure, device: nothing, not: []string{"DiskPressure   False", "HasNoDiskPressure", "DiskPressure False"}},
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

var networkSignatures = []signature{
	{has: "NETDEV WATCHDOG", kind: incident.NICHang, device: port},
	{has: "Detected Hardware Unit Hang", kind: incident.NICHang, device: port},
	{has: "Detected Tx Unit Hang", kind: incident.NICHang, device: port},
	{has: "transmit timed out", kind: incident.NICHang, device: port},
	{has: "PCIe link lost", kind: incident.PCIeDown, device: pci},
	{has: "health compromised", kind: incident.NICHang, and: "mlx", device: nothing},
	{has: "transmit queue", kind: incident.NICHang, and: "timed out", device: nothing},
	{has: "link status definitely down", kind: incident.BondDown, device: port},
	{has: "Cable unplugged", kind: incident.NICDown, device: port},
	{has: "ink is Down", kind: incident.NICDown, device: port},
	{has: "ink is down", kind: incident.NICDown, device: port},
	{has: "ink Down", kind: incident.NICDown, device: port, not: []string{"lpfc", "pciehp", "LOOP"}},
	{has: "ost carrier", kind: incident.NICDown, device: port},
	{has: "entered disabled state", kind: incident.NICDown, device: nothing, and: "enp"},
	{has: ": port in use without a link", kind: incident.NICNoLink, device: port},
	{has: "Link is Up", kind: incident.NICSlow, or: []string{" 100 Mbps", "100Mbps", " 10 Mbps", "- 10Mbps"}, device: port},
	{has: "ink is up at 100", kind: incident.NICSlow, or: []string{"100 Mbps"}, device: port},
	{has: "Link is Up", kind: incident.NICUp, device: port},
	{has: "TOTEM ] Retransmit List", kind: incident.ClusterNet, device: nothing},
	{has: "Token has not been received", kind: incident.ClusterNet, device: nothing},
	{has: "processor failed, forming new configuration", kind: incident.ClusterNet, device: nothing},
	{has: "KNET  ] link: host:", kind: incident.ClusterNet, and: "is down", device: nothing},
	{has: "nf_conntrack: table full", kind: incident.ConntrackMax, device: nothing},
	{has: "nf_conntrack: nf_conntrack: table full", kind: incident.ConntrackMax, device: nothing},
	{has: "no route to host", kind: incident.NoRoute, device: nothing},
	{has: "No route to host", kind: incident.NoRoute, device: nothing},
	{has: "i/o timeout", kind: incident.NoRoute, device: nothing, or: []string{"dial tcp", "read tcp"}},
}
