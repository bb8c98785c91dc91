package read

import (
	"slices"

	"assay/incident"
)

// kubeletSignatures returns signatures for messages of Kubernetes, its storage drivers and
// its runtimes about nodes and volumes.
func kubeletSignatures() []signature {
	return slices.Concat(
		said(incident.MountFailed,
			"Unable to attach or mount volumes", "timed out waiting for external-attacher of ", "an operation with the given Volume ID", "ailed to provision volume with StorageClass", "FailedMapVolume", "FailedDetachVolume", "FailedUnMount",
		),
		said(incident.NodeNotReady,
			"pleg was last seen active", "failed to reserve sandbox name", "container runtime is down", "TaintManagerEviction", "ContainerStatusUnknown", "untolerated taint {node.kubernetes.io/unreachable", "untolerated taint {node.kubernetes.io/not-ready", "update node status exceeds retry count", "Error updating node status, will retry", "Failed to ensure lease exists, will retry",
		),
		said(incident.LeaseLost, "leaderelection lost", "failed to renew lease ", "error retrieving resource lock "),
		said(incident.Rebooted, "has been rebooted, boot id"),
		said(incident.NoRoute, "calico/node is not ready", "Error querying BIRD", "Unable to contact k8s api-server", "emotedialer proxy error"),
		said(incident.DiskPressure, "failed to garbage collect required amount of images"),
		[]signature{
			{has: "AttachVolume.", kind: incident.MountFailed, device: nothing, and: "failed"},
			{has: "MapVolume.", kind: incident.MountFailed, device: nothing, and: "failed"},
			{has: "UnmountVolume.", kind: incident.MountFailed, device: nothing, and: "failed"},
			{has: "UnmountDevice failed", kind: incident.MountFailed, device: nothing},
			{has: "ontainerd.sock: connect: ", kind: incident.NodeNotReady, device: nothing, or: []string{"no such file", "connection refused"}},
			{has: "The node had condition: [", kind: incident.OOM, device: nothing, and: "MemoryPressure"},
			{has: "EvictionThresholdMet", kind: incident.DiskPressure, device: nothing, not: []string{"memory"}},
			{has: "evicting pod ", kind: incident.Drained, device: nothing}, // kubectl drain
			{has: "nodes are available: ", kind: incident.Refused, device: nothing, or: []string{"Insufficient memory", "Insufficient cpu", "Insufficient ephemeral-storage", "didn't match pod affinity rules", "didn't match pod anti-affinity rules", "didn't match pod topology spread", "Too many pods"}},
		},
	)
}
