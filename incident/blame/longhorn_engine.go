package blame

import "assay/incident"

// longhornEngine reads what Longhorn says of its replicas and volumes.
var longhornEngine = Rule{ID: "longhorn-engine", Title: "A Longhorn volume lost a replica or its engine", Check: func(c Case) []Cause {
	events := c.of(incident.ReplicaError, incident.EngineFault, incident.EngineSlow)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{
		Layer: incident.Engine, How: VeryLikely, Says: "a replicated volume lost a replica or its engine",
		Why:      "The engine says so itself. What the file system and the pods report follows from it.",
		Evidence: quote(5, events), Cleared: c.noDriveErrors(),
		Next: []Step{{"find which replica failed first, and what its node did then", "kubectl -n longhorn-system get replicas.longhorn.io -o wide"},
			{"look for restarts of the engine's process, and their reason", "kubectl -n longhorn-system get pods -o wide; kubectl -n longhorn-system get events --sort-by=.lastTimestamp"}},
		explains: with(consequences, incident.MediumError, incident.TargetError, incident.WriteReadError, incident.TransportError, incident.ISCSIConn, incident.ISCSIDead, incident.ISCSILogin,
			incident.DeviceReset, incident.DeviceOffline, incident.NoConnect, incident.ReplicaError, incident.EngineFault, incident.EngineSlow, incident.NoRoute),
		anywhere: true,
	}
	switch {
	case c.has(incident.NoSpace, incident.DiskPressure):
		cause.Says = "a replicated volume lost a replica: the disk under it is full"
		cause.Evidence = quote(6, events, c.of(incident.NoSpace, incident.DiskPressure))
		cause.explains = append(cause.explains, incident.NoSpace, incident.DiskPressure)
		cause.Next = append([]Step{{"see how full the nodes' disks are", "kubectl -n longhorn-system get nodes.longhorn.io -o yaml | grep -A3 -i storage"}}, cause.Next...)
	case c.has(incident.EngineSlow):
		cause.Says = "a replicated volume whose replica answered too late"
		cause.Next = append(cause.Next, Step{"measure the network between engine and replica, and the disk under the replica", "assay run --suite cluster -i cluster.yaml"})
	}
	return []Cause{cause}
}}
