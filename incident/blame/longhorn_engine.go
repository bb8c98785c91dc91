package blame

import "assay/incident"

// longhornEngine judges what Longhorn reports of its replicas and volumes.
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
		cause.Next = append([]Step{{"check how full the nodes' disks are", "kubectl -n longhorn-system get nodes.longhorn.io -o yaml | grep -A3 -i storage"}}, cause.Next...)
	case c.has(incident.EngineSlow):
		cause.Says = "a replicated volume whose replica answered too late"
		cause.Next = append(cause.Next, Step{"measure the network between engine and replica, and the disk under the replica", "assay run --suite cluster -i cluster.yaml"})
	}
	if c.has(incident.EngineSlow) && !c.has(incident.NoSpace, incident.DiskPressure, incident.MediumError) {
		network := cause
		cause.How, network.How = Possible, Possible
		network.Layer, network.Says = incident.Network, "the network between a volume's engine and its replica"
		network.Why = "The replica did not answer in time. A network that loses some of the packets does that, and so does a replica whose disk or node is too busy."
		network.Next = []Step{{"measure loss and speed between the two nodes, with packets as large as the network's MTU", "ping -M do -s 1472 -c 200 NODE; iperf3 -c NODE -t 30; ip -s link"}}
		return []Cause{cause, network}
	}
	return []Cause{cause}
}}
