package read

import (
	"slices"

	"assay/incident"
)

// toolSignatures returns signatures for messages of the tools and controllers of DRBD,
// LINSTOR and Longhorn, and the daemons of md, iSCSI and NFS, about what they manage.
func toolSignatures() []signature {
	return slices.Concat(
		said(incident.EngineError,
			// LINSTOR, Longhorn
			"Failed to adjust DRBD resource",
			"FailedSnapshotPurge", "FailedSnapshotDataIntegrityCheck", "FailedExpansion", "FailedRestore", "VolumeCloneFailed", "DiskFilesystemChanged", "record diskUUID doesn't match",
		),
		said(incident.DRBDRefused, "Refusing to be Primary while peer is not outdated", "State change was refused by peer node"),
		said(incident.ReplicaError, "Detected corrupted replica", "precheck new replica failed"), // Longhorn
		said(incident.Refused,
			// drbdsetup, iscsid, rpc.gssd
			"Device is held open by someone", "(111) Low.dev. smaller than requested DRBD-dev. size", "can't open InitiatorName configuration file", "No credentials found for connection to server",
		),
		said(incident.ISCSILogin, "Login failed to authenticate with target"),
		said(incident.NFSDown, "lockd: cannot monitor "),
		[]signature{
			{has: "State change failed: (-", kind: incident.DRBDRefused, device: nothing, not: []string{"Device is held open"}},
			{has: "Failure: (10", kind: incident.DRBDDisk, device: nothing, or: []string{"Can not open backing device", "Can not open meta device"}},
			{has: "IO error(s) occurred during initial access to meta-data", kind: incident.DRBDDisk, device: nothing},
			{has: "o active connection to satellite", kind: incident.MemberLeft, device: nothing},
			{has: "SATELLITE", kind: incident.MemberLeft, device: nothing, or: []string{"OFFLINE", "EVICTED"}}, // linstor node list
			{has: "COMBINED", kind: incident.MemberLeft, device: nothing, or: []string{"OFFLINE", "EVICTED"}},
			{has: "StandAlone(", kind: incident.DRBDAlone, device: nothing}, // linstor resource list, for a peer
			{has: "Connecting(", kind: incident.DRBDNet, device: nothing, or: []string{"|", "┊"}},
			{has: "(Node: '", kind: incident.EngineError, device: nothing, and: "') Failed to "},
			{has: "Engine of volume ", kind: incident.EngineFault, device: nothing, and: "dead unexpectedly"}, // Longhorn
			{has: "to schedule more replicas", kind: incident.DiskPressure, device: nothing, and: "requires "},
			{has: "Kubernetes node ", kind: incident.NodeNotReady, device: nothing, or: []string{"not ready", "is missing", "is gone"}},
			{has: "Fail event detected on md device", kind: incident.MDFailed, device: after("component device /dev/")}, // mdadm --monitor
			{has: "FailSpare event detected on md device", kind: incident.MDFailed, device: after("component device /dev/")},
			{has: "cannot make a connection to ", kind: incident.ISCSIConn, device: nothing, and: ":3260"}, // iscsid
		},
	)
}
