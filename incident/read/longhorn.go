package read

import "assay/incident"

// longhornSignatures match messages of Longhorn's manager, its engines and the iSCSI
// target they run (tgt) about volumes.
var longhornSignatures = []signature{
	{has: "tgtadm: ", kind: incident.EngineFault, device: nothing, or: []string{"can't find the logical unit", "can't find the target", "is still active", "to send request hdr to tgt daemon", "can't send the request to the tgt daemon", "out of memory"}},
	{has: "ailed to init frontend", kind: incident.EngineFault, device: nothing},
	{has: "ailed to startup frontend", kind: incident.EngineFault, device: nothing},
	{has: "ailed to shutdown frontend", kind: incident.EngineFault, device: nothing},
	{has: "ailed rebuilding of replica", kind: incident.ReplicaError, device: nothing},
	{has: "fail to start rebuild for", kind: incident.ReplicaError, device: nothing},
	{has: "ailed to start rebuild for", kind: incident.ReplicaError, device: nothing},
	{has: "ailed to add replica address=", kind: incident.ReplicaError, device: nothing},
	{has: "out of the queue", kind: incident.ReplicaError, device: nothing, and: "Dropping Longhorn ", or: []string{"rebuild", "replica"}},
	{has: "FailedRebuilding", kind: incident.ReplicaError, device: nothing},
	{has: "utoSalvaged", kind: incident.EngineFault, device: nothing},
	{has: "will be automatically salvaged", kind: incident.EngineFault, device: nothing},
	{has: "has been auto salvaged", kind: incident.EngineFault, device: nothing},
	{has: "cannot remove '/host/dev/longhorn/", kind: incident.EngineFault, device: nothing},
	{has: "nvalid gRPC metadata", kind: incident.EngineFault, device: nothing},
	{has: "incorrect volume name", kind: incident.EngineFault, device: nothing},
	{has: "ailed to connect to the process manager", kind: incident.EngineFault, device: nothing},
	{has: "not enough replicas", kind: incident.ReplicaError, device: nothing, or: []string{"olume", "healthy"}},
}
