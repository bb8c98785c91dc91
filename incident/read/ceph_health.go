package read

import (
	"slices"

	"assay/incident"
)

// cephSignatures returns signatures for codes and sentences of Ceph's health checks, and
// for log lines of its daemons and deployment tools, that no other signature covers.
func cephSignatures() []signature {
	return slices.Concat(
		said(incident.CephFull,
			"POOL_NEAR_FULL", "pools nearfull", "pool(s) nearfull", "backfillfull osd", "pool(s) backfillfull", "backfill_toofull", "recovery_toofull", "full status failsafe engaged", "Low space hindering backfill", "Full OSDs blocking recovery",
		),
		said(incident.CephSlow, "REQUEST_STUCK", "stuck requests are blocked", "ops are blocked > ", "have blocked requests > ", "has blocked requests > ", "have stuck requests > ", "has stuck requests > "),
		said(incident.CephSlowPing, "Slow OSD heartbeats"),
		said(incident.CephDown, "OSD_HOST_DOWN", "OSD_CHASSIS_DOWN", "OSD_RACK_DOWN", "OSD_ROOT_DOWN", "osds) down"),
		said(incident.CephMonDown, "not found in quorum, waiting for timeout", "lease_timeout -- calling new election", "rbd: couldn't connect to the cluster!"),
		said(incident.CephDegraded,
			"MDS_READ_ONLY", "MDSs report damaged metadata", "mds daemon damaged", "FS_WITH_FAILED_MDS", "filesystem is degraded", "is incomplete, acting", " pgs undersized", " pgs stale", " pgs incomplete", " pgs down",
		),
		said(incident.OSDStore, "rocksdb: submit_common error", "fsck error:", "BLUESTORE_DISK_SIZE_MISMATCH", "unable to decode label at offset"),
		said(incident.EngineError, "CEPHADM_REFRESH_FAILED", "failed to probe daemons or devices", "Initialization timeout, failed to initialize"), // cephadm; RGW
		said(incident.Refused, "MGR_MODULE_DEPENDENCY", "CEPHADM_DAEMON_PLACE_FAIL", "OSD_OUT_OF_ORDER_FULL", "rbd: image has watchers"),
		[]signature{
			{has: "scrub ", kind: incident.CephScrub, device: nothing, and: "[ERR] : ", or: []string{" errors"}},
			{has: " is stuck ", kind: incident.CephDegraded, device: nothing, and: "pg ", or: []string{"inactive", "unclean", "undersized", "degraded", "stale", "peering"}},
			{has: "bluefs _allocate", kind: incident.CephFull, device: nothing, and: "unable to allocate"},
			{has: "_read_bdev_label", kind: incident.OSDStore, device: nothing, or: []string{"failed to open", "unable to decode"}},
			{has: "osd.", kind: incident.CephFull, device: osd, or: []string{"is near full at ", "is backfill full at "}},
		},
	)
}
