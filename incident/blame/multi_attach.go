package blame

import "assay/incident"

// multiAttach finds volumes that only one node may attach and that another one still
// holds.
var multiAttach = Rule{ID: "multi-attach", Title: "A volume is still attached to another node", Check: func(c Case) []Cause {
	events := c.of(incident.MultiAttach)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events, c.of(incident.NodeNotReady)), explains: []incident.Kind{incident.MultiAttach, incident.MountFailed, incident.PodCrash}}
	two, node := base, base
	two.Layer, two.Says, two.Why = incident.Operator, "two pods on two nodes that want one volume (ReadWriteOnce)", "A rolling update starts the new pod before the old one is gone. Kubernetes refuses the second node, and no storage is broken."
	two.Next = []Step{{"check whether the pod that has it runs: then have it stopped first (strategy Recreate), or both on one node", "kubectl get pods -A -o wide; kubectl get volumeattachments"}}
	node.Layer, node.Says, node.Why = incident.Engine, "a node that is down, or a driver that did not detach", "The volume of a node that went down stays attached until Kubernetes gives the node up."
	node.Next = []Step{{"check whether the node that has it is ready", "kubectl get nodes; kubectl describe volumeattachments"}}
	if c.has(incident.NodeNotReady) {
		node.explains = with(node.explains, incident.NodeNotReady)
		return []Cause{node}
	}
	if says(events, "already used by pod(s)") {
		two.How = Likely
		two.Why += " Kubernetes names a pod that still has the volume, and nothing here says that its node is down."
	}
	return []Cause{two, node}
}}
