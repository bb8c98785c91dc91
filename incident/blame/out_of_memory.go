package blame

import "assay/incident"

var outOfMemory = Rule{ID: "out-of-memory", Title: "Out of memory", Check: func(c Case) []Cause {
	within, host := c.of(incident.OOMCgroup), c.of(incident.OOM)
	if len(within)+len(host) == 0 {
		return nil
	}
	events := append(within, host...)
	cause := Cause{Layer: incident.OutOfMemory, Host: events[0].Host, How: VeryLikely, Says: "the host ran out of memory, not a disk fault", Why: "The kernel killed processes to free memory.", Evidence: quote(4, events),
		Next:     []Step{{"see what used the memory when it happened", "journalctl -k | grep -A40 'invoked oom-killer' | less"}},
		explains: []incident.Kind{incident.OOM, incident.OOMCgroup, incident.PodCrash, incident.NodeNotReady, incident.HungTask, incident.CPUStall, incident.ReplicaError, incident.EngineFault, incident.CephDown, incident.ISCSIConn, incident.ISCSIDead, incident.NoRoute, incident.MountFailed}}
	if len(within) > 0 {
		cause.Says, cause.Why = "a pod or service hit its memory limit, not a disk fault", "The kernel killed a process of a group that reached its own limit; the host had memory left."
		cause.Next = []Step{{"see which pod, and raise its limit or find its leak", "kubectl get pods -A -o json | jq -r '.items[] | select(.status.containerStatuses[]?.lastState.terminated.reason == \"OOMKilled\") | .metadata.name'"}}
	}
	return []Cause{cause}
}}
