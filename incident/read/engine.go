package read

import (
	"slices"

	"assay/incident"
)

// engineErrors returns signatures for replication engines' errors about their own volumes,
// copies and processes, where no line has a more specific kind.
func engineErrors() []signature {
	return slices.Concat(
		said(incident.EngineError,
			// Longhorn
			"Failed to sync Longhorn volume", "Error syncing Longhorn ", "failed to sync longhorn-system/", "aiting for volume share to be available", "hasn't been attached yet", "is currently attached to different node", "cannot get client for volume", "cannot find replica address", "failed to get engine client",
			"too many snapshots", "ailed to add replica", "ailed to delete engine", "ailed to create engine", "ailed to start replica", "ailed to launch replica", "ailed to expand volume", "ailed to delete replica", "ailed to purge snapshot", "Snapshot purge failed",
			"no running instance manager", "failed to get instance manager", "nvmf_subsystem_get_listeners", "due to keep alive timeout",
			// OpenEBS: Jiva, cStor, Mayastor
			"not present in rwReplica chain", "ailed to register replica", "ailed to add replica to controller", "cannot rebuild from replica", "NexusChild", "retiring child", "Failed to create nexus", "ailed to publish the volume", "nexus not found", "uzfs_zvol",
			// Ceph
			"MGR_MODULE_ERROR", "MDS_CLIENT_LATE_RELEASE", "failing to respond to capability release", "MDS_TRIM", "ehind on trimming", "error opening mon data directory", "unable to read magic from mon data", "rocksdb: Corruption", "rocksdb: submit_transaction error", "failed to load OSD map", "has no osd map", "unable to obtain rotating service keys",
			// DRBD and LINSTOR
			"BAD! BarrierAck", "blocks out of sync!", "linstor error-reports show", "ErrorReport-", "bitmap overflow", "al_complete_io",
			// Gluster and others
			"gfid mismatch", "gfid differs", "Commit failed on ", "Staging failed on ", "Locking failed on ", "Another transaction is in progress", "Peer Rejected", "Version of Cksums ", "heal failed", "brick is offline", "Brick not found", "is not in quorum", "vob.vsan", "esx.problem.vob.vsan",
			"has entered a paused state because of", "Windows failed to bring storage pool", "chunkserver disconnected",
		),
		[]signature{
			{has: "*ERROR*", kind: incident.EngineError, device: nothing, or: []string{"nvme_ctrlr", "bdev_nvme", "nvme_tcp", "nvmf", "bdev_raid", "raid_bdev", "blob", "lvol", "vbdev", "nvme_qpair", "reactor", "spdk"}}, // SPDK
			{has: "ProtocolError", kind: incident.EngineError, device: drbdResource, and: "drbd"},
			{has: "hareManager", kind: incident.EngineError, device: nothing, or: []string{"error", "failed"}},
			{has: "failed to complete aio", kind: incident.IOError, device: nothing, and: "bdev_aio"},                             // SPDK, of a disk of its own
			{has: "tcmu", kind: incident.EngineError, device: nothing, or: []string{"Timing out cmd", "Handler connection lost"}}, // ceph-iscsi
			{has: "io_engine", kind: incident.EngineError, device: nothing, and: "ERROR"},
			{has: "cStorVolumeReplica", kind: incident.EngineError, device: nothing, or: []string{"Offline", "Degraded", "failed"}},
			{has: "nvme_ctrlr_keep_alive", kind: incident.EngineError, device: nothing},
			{has: "level=error", kind: incident.EngineError, device: nothing, or: []string{"longhorn-", "longhorn.io", "jiva", "openebs", "mayastor", "linstor", "portworx", "rook-ceph"}, not: []string{"forbidden", "no route to host", "i/o timeout", "x509:"}},
			{has: "level=fatal", kind: incident.EngineError, device: nothing, or: []string{"longhorn", "replica", "controller", "jiva", "openebs"}, not: []string{"forbidden", "no route to host", "i/o timeout", "x509:"}},
			{has: "Module '", kind: incident.EngineError, device: nothing, and: "' has failed"},
			{has: "PX ", kind: incident.EngineError, device: nothing, or: []string{"storage is down", "is down", "not in quorum", "not ready"}},
			{has: "remote operation failed", kind: incident.EngineError, device: nothing, or: []string{"-client-", "MSGID"}, not: []string{"Input/output error", "not connected", "No such file", "No space left"}}, // Gluster
		},
	)
}
